"""webpush: makes messages (it leaves the port out of the token's audience); requests posts them."""

import json
from pathlib import Path

import requests
from pushing import FACTS, done, said, sent
from webpush import WebPush, WebPushSubscription

pusher = WebPush(
    private_key=Path(FACTS["private_key"]), public_key=Path(FACTS["public_key"]),
    subscriber="operator@example.com", ttl=60,
)


def push(subscription, content):
    message = pusher.get(content, WebPushSubscription(**subscription))
    return requests.post(
        subscription["endpoint"], data=message.encrypted, headers=message.headers, timeout=10
    )


for number, subscription in enumerate(FACTS["subscriptions"]):
    content = {"title": "狼煙", "n": number}
    answer = push(subscription, content)
    assert answer.status_code == 201, f"{answer.status_code} {answer.text}"
    sent(
        subscription["endpoint"], content, location=answer.headers["location"], ttl=60,
        urgency="normal",
    )
for case in ("gone", "unknown", "foreign"):
    answer = push(FACTS[case], {"n": 0})
    said(case, f"{answer.status_code} {json.loads(answer.text)['reason']}")
answer = push(FACTS["subscriptions"][0], "x" * 5000)
said("large", f"{answer.status_code} {json.loads(answer.text)['reason']}")
done()
