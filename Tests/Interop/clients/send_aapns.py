"""aapns: knows certificates only; a pool of two connections."""

import asyncio
import time

from aapns.api import Server
from aapns.config import Priority
from aapns.errors import ResponseError
from aapns.models import Alert, Notification
from pushing import FACTS, done, said, sent


async def main():
    client = await Server(
        FACTS["certificate"], FACTS["host"], FACTS["port"], ca_file=FACTS["authority"]
    ).create_client()

    async def push(device, notification):
        return await client.send_notification(
            device, notification, topic=FACTS["topic"], priority=Priority.normal,
            expiration=int(time.time()) + 600, collapse_id="tea",
        )

    try:
        notes = [
            Notification(alert=Alert(title="狼煙", body=f"push {number}"), badge=number)
            for number in range(len(FACTS["devices"]))
        ]
        ids = await asyncio.gather(
            *(push(device, note) for device, note in zip(FACTS["devices"], notes))
        )
        for device, note, identifier in zip(FACTS["devices"], notes, ids):
            sent(
                device, note.get_dict(), id=identifier, topic=FACTS["topic"], priority=5,
                collapse_id="tea",
            )
        for case in ("unknown", "gone"):
            try:
                await push(FACTS[case], notes[0])
            except ResponseError as problem:
                said(case, problem.reason)
    finally:
        await client.close()


asyncio.run(main())
done()
