"""aioapns with its defaults: a pool of ten connections, each with a token of its own."""

import asyncio
import ssl

from aioapns import APNs, NotificationRequest, PushType
from pushing import FACTS, done, note, said, sent


async def main():
    client = APNs(
        key=open(FACTS["key_path"]).read(), key_id=FACTS["key"], team_id=FACTS["team"],
        topic=FACTS["topic"], use_sandbox=False,
        ssl_context=ssl.create_default_context(cafile=FACTS["authority"]),
    )
    client.pool.protocol_class.APNS_SERVER = FACTS["host"]
    client.pool.protocol_class.APNS_PORT = FACTS["port"]

    async def push(device, body):
        return await client.send_notification(
            NotificationRequest(
                device_token=device, message={"aps": {"alert": body}}, time_to_live=3600,
                collapse_key="tea", push_type=PushType.ALERT,
            )
        )

    results = await asyncio.gather(
        *(push(device, f"push {number}") for number, device in enumerate(FACTS["devices"]))
    )
    note("connections", len(client.pool.connections))
    for number, (device, result) in enumerate(zip(FACTS["devices"], results)):
        assert result.is_successful, f"{number}: {result.status} {result.description}"
        sent(
            device, {"aps": {"alert": f"push {number}"}}, id=result.notification_id,
            topic=FACTS["topic"], push_type="alert", collapse_id="tea",
        )
    for case, device, body in (
        ("unknown", FACTS["unknown"], "x"), ("gone", FACTS["gone"], "x"),
        ("large", FACTS["devices"][0], "x" * 5000),
    ):
        result = await push(device, body)
        said(case, f"{result.status} {result.description}")


asyncio.run(asyncio.wait_for(main(), 100))
done()
