"""FCM: a sender in Python, as Google documents it, against our simulator."""

import time

from support import check, simulator


def fcm_google_auth():
    import jwt
    import requests

    with simulator("fcm") as (running, _):
        account = running.call("POST", "accounts", {"project": "fires-1234"})
        token = running.call("POST", "devices", {"project": "fires-1234"})["token"]
        now = int(time.time())
        assertion = jwt.encode(
            {
                "iss": account["client_email"], "aud": account["token_uri"], "iat": now,
                "exp": now + 3600,
                "scope": "https://www.googleapis.com/auth/firebase.messaging",
            },
            account["private_key"], algorithm="RS256", headers={"kid": account["private_key_id"]},
        )
        session = requests.Session()
        session.verify = running.authority
        session.trust_env = False
        grant = session.post(
            account["token_uri"],
            data={
                "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
                "assertion": assertion,
            },
        ).json()
        check("access_token" in grant, grant)
        url = f"{running.origin}/v1/projects/fires-1234/messages:send"
        session.headers["authorization"] = f"Bearer {grant['access_token']}"
        answer = session.post(
            url, json={"message": {"token": token, "data": {"a": "b"}, "notification": {"body": "x"}}}
        )
        check(answer.status_code == 200, answer.text)
        check(running.accepted()[0]["name"] == answer.json()["name"], "the names differ")
        wrong = session.post(url, json={"message": {"token": token, "data": {"a": 1}}})
        check(wrong.status_code == 400, wrong.text)
        running.call("DELETE", f"devices/{token}")
        gone = session.post(url, json={"message": {"token": token}})
        check(gone.json()["error"]["details"][0]["errorCode"] == "UNREGISTERED", gone.text)
        return "token exchange, a message, a bad value and a removed app"
