"""What a hostile push service answers our own clients: frames, HPACK, statuses, reasons, times."""

import json
import re
import uuid

from .. import extremes, frames, trees
from ..inputs import Conversation, FormBody, JSONBody, Request
from ..site import BUNDLE
from ..surface import Surface

APNS_REASONS = [
    "Unregistered",
    "BadDeviceToken",
    "TooManyRequests",
    "ExpiredProviderToken",
    "Shutdown",
    "x",
]


class Pushes(Surface):
    is_hostile = True

    def prepare(self):
        page = self.site.call(Request("admin", "GET", "/console/settings/apps")).text
        self.apps = sorted(set(re.findall(r"/console/settings/apps/(\d+)/", page)))
        self.save_account()
        # A browser of the hostile service.
        endpoint = f"https://127.0.0.1:{self.site.hostile.port}/push/1"
        record = {
            "id": str(uuid.uuid4()),
            "seq": 9,
            "time_ms": 1_790_000_000_000,
            "user": {"external_id": "bob"},
            "type": "push_token",
            "session": str(uuid.uuid4()),
            "token": {
                "token": endpoint,
                "provider": "webpush",
                "environment": "production",
                "authorization": "authorized",
                "auth": "AAAAAAAAAAAAAAAAAAAAAA",
                "p256dh": "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
            },
        }
        batch = {"device": {"id": str(uuid.UUID(int=77)), "platform": "web"}, "records": [record]}
        self.site.call(Request("web", "POST", "/sdk/v1/batch", body=JSONBody(batch)))
        self.site.targets = {
            "apns": self.app_of(BUNDLE, page),
            "fcm": self.app_of("example-fuzz", page),
        }

    def app_of(self, bundle, page):
        """The number of an app, as the page of apps lists it."""
        found = re.search(re.escape(bundle) + r"[\s\S]*?/console/settings/apps/(\d+)/", page)
        return found[1] if found else self.apps[0]

    def save_account(self):
        from .credentials import Credentials

        maker = Credentials(self.site, self.random)
        maker.prepare()
        page = self.site.call(Request("admin", "GET", "/console/settings/apps")).text
        app = self.app_of("example-fuzz", page)
        self.site.call(
            Request(
                "admin",
                "POST",
                f"/console/settings/apps/{app}/credentials",
                body=FormBody(
                    [("kind", "fcm")], [("json", "a.json", json.dumps(maker.account).encode())]
                ),
            )
        )

    def make(self):
        random = self.random
        service = random.choice(["apns", "apns", "fcm-token", "fcm", "webpush"])
        stream = 3 if service == "fcm" else 1
        said = []
        if service == "fcm":
            # A token that has ended when the next input comes.
            said.append(
                b"".join(
                    self.answer(
                        1, 200, [], {"access_token": "a", "expires_in": 1, "token_type": "Bearer"}
                    )
                )
            )
        kind = random.random()
        fields, tree = self.status(service)
        said += self.answer(stream, *fields, tree)
        note = "answer"
        if kind < 0.35:
            note = "frames"
            for _ in range(random.choice([1, 1, 2, 4])):
                said.insert(
                    random.randrange(1 if service == "fcm" else 0, len(said) + 1),
                    frames.odd_frame(random, stream),
                )
        elif kind < 0.5:
            note = "header block"
            block = frames.odd_block(random, [("content-type", "application/json")])
            said[-1] = frames.frame(
                frames.HEADERS, frames.END_HEADERS | random.choice([0, 1]), stream, b"\x88" + block
            )
        elif kind < 0.6:
            note = "bytes"
            said = [trees.mutate_bytes(random, b"".join(said))]
        return Conversation(service, said, note)

    def number(self):
        return trees.Raw(extremes.number_text(self.random))

    def status(self, service):
        random = self.random
        status = random.choice(
            [200, 400, 401, 403, 404, 410, 413, 429, 500, 503, 100, 199, 301, 600, 0, 99_999]
        )
        headers = []
        if random.random() < 0.4:
            headers.append(("retry-after", random.choice(extremes.NUMBER_WORDS + extremes.TIMES)))
        if random.random() < 0.2:
            headers.append(
                (random.choice(["apns-id", "content-length", "x"]), extremes.text(random)[:500])
            )
        if service == "apns":
            tree = {"reason": random.choice(APNS_REASONS), "timestamp": 1_790_000_000_000}
            if random.random() < 0.6:
                tree["timestamp"] = self.number()
                status = random.choice([410, 410, status])
        elif service == "fcm-token":
            tree = {"access_token": "a", "expires_in": self.number(), "token_type": "Bearer"}
            status = random.choice([200, 200, status])
        else:
            tree = {
                "name": "projects/a/messages/1",
                "error": {
                    "code": 404,
                    "status": "NOT_FOUND",
                    "message": "m",
                    "details": [
                        {
                            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                            "errorCode": "UNREGISTERED",
                        }
                    ],
                },
            }
        if random.random() < 0.4:
            tree = trees.mutate(random, tree)
        return (status, headers), tree

    def answer(self, stream, status, headers, tree):
        fields = [(":status", str(status)), ("content-type", "application/json"), *headers]
        body = trees.encode(tree)[:100_000]
        made = [frames.frame(frames.HEADERS, frames.END_HEADERS, stream, frames.block(fields))]
        for start in range(0, max(len(body), 1), 16_384):
            piece = body[start : start + 16_384]
            is_last = start + 16_384 >= len(body)
            made.append(
                frames.frame(frames.DATA, frames.END_STREAM if is_last else 0, stream, piece)
            )
        return made
