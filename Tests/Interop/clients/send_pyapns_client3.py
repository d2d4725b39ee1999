"""pyapns-client3: `iat` with a fraction, one token, connections that stay open."""

import asyncio

from pyapns_client import (
    APNSClient, APNSException, AsyncAPNSClient, IOSNotification, IOSPayload, IOSPayloadAlert,
    TokenBasedAuth,
)
from pushing import FACTS, done, refused, sent

APNSClient.BASE_URLS[APNSClient.MODE_PROD] = FACTS["origin"]
auth = TokenBasedAuth(FACTS["key_path"], FACTS["key"], FACTS["team"])
options = {"mode": APNSClient.MODE_PROD, "authentificator": auth,
           "root_cert_path": FACTS["authority"]}


def notification(payload):
    return IOSNotification(payload=payload, topic=FACTS["topic"], push_type="alert")


def payload(number):
    return IOSPayload(
        alert=IOSPayloadAlert(title="狼煙", body=f"push {number}"), badge=number + 1,
        custom={"n": number},
    )


half = len(FACTS["devices"]) // 2
with APNSClient(**options) as client:
    for number, device in enumerate(FACTS["devices"][:half]):
        client.push(notification(payload(number)), device)
        sent(device, payload(number).to_dict(), topic=FACTS["topic"], push_type="alert")
    plain = notification(IOSPayload(alert=IOSPayloadAlert(body="x")))
    refused("unknown", APNSException, lambda: client.push(plain, FACTS["unknown"]))
    refused("gone", APNSException, lambda: client.push(plain, FACTS["gone"]))
    large = notification(IOSPayload(alert=IOSPayloadAlert(body="x"), custom={"x": "x" * 5000}))
    refused("large", APNSException, lambda: client.push(large, FACTS["devices"][0]))


async def together():
    async with AsyncAPNSClient(**options) as client:
        await asyncio.gather(
            *(
                client.push(notification(payload(number)), device)
                for number, device in enumerate(FACTS["devices"][half:])
            )
        )


asyncio.run(together())
for number, device in enumerate(FACTS["devices"][half:]):
    sent(device, payload(number).to_dict(), topic=FACTS["topic"], push_type="alert")
done()
