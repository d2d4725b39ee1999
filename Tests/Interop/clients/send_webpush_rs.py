"""webpush-rs: the Rust crate web-push behind Python; it leaves the port out of the audience."""

import json

import webpush_rs
from pushing import FACTS, done, said, sent


def push(subscription, content):
    return webpush_rs.send_one(
        subscription["endpoint"], subscription["keys"]["p256dh"], subscription["keys"]["auth"],
        FACTS["private_scalar"], "mailto:operator@example.com", json.dumps(content).encode(),
    )


for number, subscription in enumerate(FACTS["subscriptions"]):
    content = {"title": "狼煙", "n": number}
    status = push(subscription, content)
    assert status == 201, status
    sent(subscription["endpoint"], content)
for case in ("gone", "unknown", "foreign"):
    try:
        said(case, push(FACTS[case], {"n": 0}))
    except Exception as problem:
        said(case, problem)
done()
