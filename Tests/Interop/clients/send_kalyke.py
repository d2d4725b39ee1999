"""kalyke-apns: a connection and a token for each push, `iat` as text."""

import asyncio

from kalyke import ApnsClient, ApnsConfig, ApnsPushType, Payload, PayloadAlert
from kalyke.exceptions import ApnsProviderException
from pushing import FACTS, done, refused, sent

ApnsClient._base_url = property(lambda self: FACTS["origin"])
client = ApnsClient(
    use_sandbox=False, team_id=FACTS["team"], auth_key_id=FACTS["key"],
    auth_key_filepath=FACTS["key_path"],
)


def push(device, payload):
    config = ApnsConfig(
        topic=FACTS["topic"], push_type=ApnsPushType.ALERT, collapse_id="tea", expiration=2000000000
    )
    return asyncio.run(client.send_message(device, payload, config))


for number, device in enumerate(FACTS["devices"]):
    payload = Payload(
        alert=PayloadAlert(title="狼煙", body=f"push {number}"), badge=number, custom={"n": number}
    )
    identifier = push(device, payload)
    sent(
        device, payload.dict(), id=identifier, topic=FACTS["topic"], push_type="alert",
        priority=10, collapse_id="tea", expiration=2000000000,
    )
plain = {"aps": {"alert": "x"}}
refused("unknown", ApnsProviderException, lambda: push(FACTS["unknown"], plain))
refused("gone", ApnsProviderException, lambda: push(FACTS["gone"], plain))
large = {"aps": {"alert": "x" * 5000}}
refused("large", ApnsProviderException, lambda: push(FACTS["devices"][0], large))
done()
