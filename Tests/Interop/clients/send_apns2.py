"""apns2-up (over hyper) and mopyapns (over httpx), two heirs of PyAPNs2 with one interface: `iat`
with a fraction, one token, one connection."""

import sys

from apns2.client import APNsClient, NotificationPriority
from apns2.credentials import TokenCredentials
from apns2.errors import APNsException
from apns2.payload import Payload, PayloadAlert
from pushing import FACTS, done, refused, sent

if sys.argv[1] == "hyper":
    # hyper brings its own list of authorities; httpx heeds SSL_CERT_FILE.
    import hyper.tls

    hyper.tls.cert_loc = FACTS["authority"]
APNsClient.LIVE_SERVER, APNsClient.DEFAULT_PORT = FACTS["host"], FACTS["port"]
client = APNsClient(TokenCredentials(FACTS["key_path"], FACTS["key"], FACTS["team"]))


def push(device, payload):
    client.send_notification(
        device, payload, FACTS["topic"], NotificationPriority.Delayed, expiration=2000000000,
        collapse_id="tea",
    )


for number, device in enumerate(FACTS["devices"]):
    payload = Payload(
        alert=PayloadAlert(title="狼煙", body=f"push {number}"), badge=number, sound="default",
        custom={"n": number},
    )
    push(device, payload)
    sent(
        device, payload.dict(), topic=FACTS["topic"], push_type="alert", priority=5,
        collapse_id="tea", expiration=2000000000,
    )
plain = Payload(alert="x")
refused("unknown", APNsException, lambda: push(FACTS["unknown"], plain))
refused("gone", APNsException, lambda: push(FACTS["gone"], plain))
large = Payload(alert="x" * 5000)
refused("large", APNsException, lambda: push(FACTS["devices"][0], large))
done()
