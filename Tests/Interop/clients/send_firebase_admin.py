"""firebase-admin: send, dry run, send_each and multicast in threads and with asyncio, and its
errors; google-auth exchanges the service account with the audience that is fixed in it."""

import asyncio
import json

import firebase_admin
from firebase_admin import credentials, exceptions, messaging
from pushing import FACTS, done, note, refused, sent

account = json.loads(FACTS["account"])
# The host is a constant of the module; the tokens come from the account's token_uri.
messaging._MessagingService.FCM_URL = FACTS["origin"] + "/v1/projects/{0}/messages:send"
app = firebase_admin.initialize_app(credentials.Certificate(account))


def message(number, device):
    return messaging.Message(
        token=device, data={"n": str(number)},
        notification=messaging.Notification(title="狼煙", body=f"push {number}"),
        android=messaging.AndroidConfig(priority="high", ttl=3600, collapse_key="tea"),
    )


def encoded(one):
    return messaging._MessagingService.encode_message(one)


def keep(one, name):
    sent(one.token, encoded(one), name=name, project=FACTS["project"])


first = message(0, FACTS["devices"][0])
keep(first, messaging.send(first))
note("dry_run", messaging.send(message(1, FACTS["devices"][0]), dry_run=True))

each = [message(number, device) for number, device in enumerate(FACTS["devices"])]
batch = messaging.send_each(each)
assert (batch.success_count, batch.failure_count) == (len(each), 0), batch.responses[0].exception
for one, response in zip(each, batch.responses):
    keep(one, response.message_id)

asynchronous = asyncio.run(messaging.send_each_async(each))
assert asynchronous.success_count == len(each), asynchronous.responses[0].exception
for one, response in zip(each, asynchronous.responses):
    keep(one, response.message_id)

many = messaging.MulticastMessage(
    tokens=[FACTS["devices"][0], FACTS["gone"], FACTS["unknown"]], data={"n": "all"}
)
multicast = messaging.send_each_for_multicast(many)
assert (multicast.success_count, multicast.failure_count) == (1, 2), multicast.responses
sent(
    FACTS["devices"][0], {"data": {"n": "all"}, "token": FACTS["devices"][0]},
    name=multicast.responses[0].message_id,
)
assert isinstance(multicast.responses[1].exception, messaging.UnregisteredError)
assert isinstance(multicast.responses[2].exception, exceptions.InvalidArgumentError)

refused("gone", messaging.UnregisteredError, lambda: messaging.send(message(1, FACTS["gone"])))
refused(
    "unknown", exceptions.InvalidArgumentError,
    lambda: messaging.send(message(1, FACTS["unknown"])),
)
refused(
    "foreign", messaging.SenderIdMismatchError,
    lambda: messaging.send(message(1, FACTS["foreign"])),
)
refused(
    "large", exceptions.InvalidArgumentError,
    lambda: messaging.send(
        messaging.Message(token=FACTS["devices"][0], data={"a": "x" * 4096})
    ),
)
refused(
    "topic", exceptions.InvalidArgumentError,
    lambda: messaging.send(messaging.Message(topic="news", data={"a": "b"})),
)
done()
