"""pyapnskit: a connection and a token for each call."""

import asyncio

from pyAPNsKit import apns, helper
from pyAPNsKit.APNsBody import APNsBody
from pyAPNsKit.APNsHeader import APNsHeader
from pyAPNsKit.types import PushType
from pushing import FACTS, done, said, sent

helper.productEnvironment = FACTS["origin"]
key = open(FACTS["key_path"]).read()


def header():
    return APNsHeader(
        FACTS["team"], FACTS["topic"], FACTS["key"], key, PushType.alert, apns_collapse_id="tea"
    )


def body(number):
    return APNsBody().withAlert("狼煙", "", f"push {number}").withBadge(number).addKey("n", number)


half = len(FACTS["devices"]) // 2
for number, device in enumerate(FACTS["devices"][:half]):
    answer = apns.pushByDeviceToken(device, header(), body(number))
    assert answer.isSuccess, answer.reason
    sent(device, body(number), id=answer.apns_id, topic=FACTS["topic"], collapse_id="tea")
rest = FACTS["devices"][half:]
client = apns.Client(FACTS["team"], FACTS["topic"], FACTS["key"], key)
answers = asyncio.run(client.sendAlert(rest, "狼煙", "", "all"))
for device, answer in zip(rest, answers):
    assert answer.isSuccess, answer.reason
    sent(device, APNsBody().withAlert("狼煙", "", "all"), id=answer.apns_id, topic=FACTS["topic"])
for case in ("unknown", "gone"):
    answer = apns.pushByDeviceToken(FACTS[case], header(), body(0))
    said(case, f"{answer.status_code} {answer.reason}")
answer = apns.pushByDeviceToken(
    FACTS["devices"][0], header(), APNsBody().withAlert("", "", "x" * 5000)
)
said("large", f"{answer.status_code} {answer.reason}")
done()
