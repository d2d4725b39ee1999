"""simple-apns: one token, one connection."""

from simple_apns import APNSClient, Payload
from simple_apns.exceptions import APNSException
from pushing import FACTS, done, refused, sent

APNSClient.ENDPOINT_PRODUCTION = FACTS["origin"]
client = APNSClient(
    team_id=FACTS["team"], auth_key_id=FACTS["key"], auth_key_path=FACTS["key_path"],
    bundle_id=FACTS["topic"], max_retries=0,
)
for number, device in enumerate(FACTS["devices"]):
    payload = Payload(alert_title="狼煙", alert_body=f"push {number}").set_badge(number)
    payload.add_custom_data("n", number)
    assert client.send_notification(device, payload, priority=5, collapse_id="tea") is True
    sent(
        device, payload.to_dict(), topic=FACTS["topic"], push_type="alert", priority=5,
        collapse_id="tea",
    )


def push(device, body="x"):
    client.send_notification(device, Payload(alert_body=body))


refused("unknown", APNSException, lambda: push(FACTS["unknown"]))
refused("gone", APNSException, lambda: push(FACTS["gone"]))
refused("large", APNSException, lambda: push(FACTS["devices"][0], "x" * 5000))
many = client.send_bulk_notifications(
    [FACTS["devices"][0], FACTS["unknown"]], Payload(alert_body="many")
)
assert many == {FACTS["devices"][0]: True, FACTS["unknown"]: False}, many
sent(FACTS["devices"][0], {"aps": {"alert": {"body": "many"}}}, topic=FACTS["topic"])
client.close()
done()
