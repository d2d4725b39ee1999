"""google-auth as it is: a service account's credentials, refreshed through its token_uri, and an
authorized session that posts messages."""

import json

from google.auth.exceptions import RefreshError
from google.auth.transport.requests import AuthorizedSession
from google.oauth2 import service_account
from pushing import FACTS, done, note, refused, said, sent

SCOPE = "https://www.googleapis.com/auth/firebase.messaging"
account = json.loads(FACTS["account"])
credentials = service_account.Credentials.from_service_account_info(account, scopes=[SCOPE])
session = AuthorizedSession(credentials)
url = f"{FACTS['origin']}/v1/projects/{FACTS['project']}/messages:send"


def push(message, **options):
    return session.post(url, json={"message": message, **options})


for number, device in enumerate(FACTS["devices"]):
    message = {"token": device, "data": {"n": str(number)}, "notification": {"body": "狼煙"}}
    answer = push(message)
    assert answer.status_code == 200, answer.text
    sent(device, message, name=answer.json()["name"])
note("dry_run", push(message, validate_only=True).json()["name"])
for case in ("unknown", "gone", "foreign"):
    error = push({"token": FACTS[case]}).json()["error"]
    said(case, f"{error['code']} {error['details'][0]['errorCode']}")
error = push({"token": FACTS["devices"][0], "data": {"a": 1}}).json()["error"]
said("number", f"{error['code']} {error['status']} {error['details'][1]['fieldViolations']}")

other = service_account.Credentials.from_service_account_info(
    account, scopes=["https://www.googleapis.com/auth/drive"]
)
refused("scope", RefreshError, lambda: AuthorizedSession(other).post(url, json={}))
stranger = dict(account, client_email="nobody@fires-1234.iam.gserviceaccount.com")
nobody = service_account.Credentials.from_service_account_info(stranger, scopes=[SCOPE])
refused("stranger", RefreshError, lambda: AuthorizedSession(nobody).post(url, json={}))
done()
