"""pyapns-client 2: `iat` with a fraction, one token, a connection for each push."""

from pyapns_client import APNSClient, APNSException, IOSNotification, IOSPayload, IOSPayloadAlert
from pushing import FACTS, done, refused, sent

APNSClient.BASE_URLS[APNSClient.MODE_PROD] = FACTS["origin"]
client = APNSClient(
    mode=APNSClient.MODE_PROD, root_cert_path=FACTS["authority"], auth_key_path=FACTS["key_path"],
    auth_key_id=FACTS["key"], team_id=FACTS["team"],
)


def push(device, payload):
    client.push(
        IOSNotification(
            payload=payload, topic=FACTS["topic"], priority="5", collapse_id="tea",
            push_type="alert",
        ),
        device,
    )


for number, device in enumerate(FACTS["devices"]):
    payload = IOSPayload(
        alert=IOSPayloadAlert(title="狼煙", body=f"push {number}"), badge=number + 1,
        custom={"n": number},
    )
    push(device, payload)
    sent(
        device, payload.to_dict(), topic=FACTS["topic"], push_type="alert", priority=5,
        collapse_id="tea",
    )
plain = IOSPayload(alert=IOSPayloadAlert(body="x"))
refused("unknown", APNSException, lambda: push(FACTS["unknown"], plain))
refused("gone", APNSException, lambda: push(FACTS["gone"], plain))
large = IOSPayload(alert=IOSPayloadAlert(body="x"), custom={"x": "x" * 5000})
refused("large", APNSException, lambda: push(FACTS["devices"][0], large))
client.close()
done()
