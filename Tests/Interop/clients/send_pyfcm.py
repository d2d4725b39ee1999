"""pyfcm: notify, dry run, several at once, and its errors; google-auth makes the token."""

import json
import os
import tempfile

from pyfcm import FCMNotification
from pyfcm.baseapi import BaseAPI
from pyfcm.errors import (
    FCMNotRegisteredError, FCMSenderIdMismatchError, InvalidDataError,
)
from pushing import FACTS, done, note, refused, sent

BaseAPI.FCM_END_POINT_BASE = FACTS["origin"] + "/v1/projects"
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "account.json")
    with open(path, "w") as file:
        file.write(FACTS["account"])
    client = FCMNotification(service_account_file=path, project_id=FACTS["project"])

    def push(device, number=0, **options):
        return client.notify(
            fcm_token=device, notification_title="狼煙", notification_body=f"push {number}",
            data_payload={"n": str(number)}, android_config={"priority": "high"}, **options,
        )

    def payload(device, number):
        return {
            "token": device, "data": {"n": str(number)}, "android": {"priority": "high"},
            "notification": {"title": "狼煙", "body": f"push {number}"},
        }

    for number, device in enumerate(FACTS["devices"]):
        sent(device, payload(device, number), name=push(device, number)["name"])
    note("dry_run", push(FACTS["devices"][0], dry_run=True)["name"])
    together = client.async_notify_multiple_devices(
        params_list=[
            {"fcm_token": device, "notification_body": "all", "data_payload": {"n": "all"}}
            for device in FACTS["devices"]
        ],
        timeout=20,
    )
    for device, answer in zip(FACTS["devices"], together):
        sent(
            device, {"token": device, "data": {"n": "all"}, "notification": {"body": "all"}},
            name=answer["name"],
        )
    refused("gone", FCMNotRegisteredError, lambda: push(FACTS["gone"]))
    refused("unknown", InvalidDataError, lambda: push(FACTS["unknown"]))
    refused("foreign", FCMSenderIdMismatchError, lambda: push(FACTS["foreign"]))
    refused("large", InvalidDataError, lambda: client.notify(
        fcm_token=FACTS["devices"][0], data_payload={"a": "x" * 4096}
    ))
done()
