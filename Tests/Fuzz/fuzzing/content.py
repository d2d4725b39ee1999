"""What is stored before the fuzzing begins: a little of everything, so that every page has rows."""

import json
import time
import uuid

from .extremes import CANARIES
from .inputs import JSONBody, Request
from .site import BUNDLE

USERS = ["ada", "bob", "eve", "狼煙", "u60", "e\u0301mile"]


def fill(site):
    """Stores users, events, purchases, devices, a segment, campaigns and other content."""
    today = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    site.post(
        "/users/track",
        JSONBody(
            {
                "attributes": [
                    {
                        "external_id": user,
                        "first_name": user.title(),
                        "plan": "pro",
                        "email": f"user{index}@example.com",
                        "score": index,
                        "visits": 3,
                        "country": "JP",
                        "tags": ["a", "b"],
                        "address": {"zip": "700", "city": "Köln"},
                        "orders": [{"total": 120}],
                        "is_vip": True,
                        "dob": "1990-02-28",
                        "joined": "2026-01-31T08:30:00Z",
                    }
                    for index, user in enumerate(USERS)
                ],
                "events": [
                    {"external_id": user, "name": name, "time": today, "properties": {"sku": "T-1"}}
                    for user in USERS
                    for name in ("viewed_item", "rated")
                ],
                "purchases": [
                    {
                        "external_id": user,
                        "product_id": "tea",
                        "currency": "JPY",
                        "price": 480,
                        "quantity": 2,
                        "time": today,
                    }
                    for user in USERS[:3]
                ],
            }
        ),
    )
    for number, user in enumerate(USERS[:3], start=1):
        records = [
            {"type": "session_started"},
            {
                "type": "push_token",
                "token": {
                    "token": f"{number:064x}",
                    "provider": "apns",
                    "environment": "production",
                    "authorization": "authorized",
                },
            },
            {"type": "session_ended", "duration_seconds": 12.5},
        ]
        site.post(
            "/sdk/v1/batch",
            JSONBody(
                {
                    "device": {"id": str(uuid.UUID(int=number)), "platform": "ios"},
                    "records": [
                        {
                            "id": str(uuid.uuid4()),
                            "seq": seq,
                            "user": {"external_id": user},
                            "time_ms": int(time.time() * 1000),
                            "session": str(uuid.uuid4()),
                            **record,
                        }
                        for seq, record in enumerate(records, start=1)
                    ],
                }
            ),
            who="sdk",
        )
    contents(site)
    messages(site)
    canaries(site)


def canaries(site):
    """Stores what no input names, so that it has to stay as it is."""
    for name in CANARIES:
        site.post(
            "/users/track",
            JSONBody(
                {
                    "attributes": [{"external_id": name, "first_name": "Canary", "plan": "still"}],
                    "events": [{"external_id": name, "name": name, "time": "2026-07-04T18:30:00Z"}],
                }
            ),
        )


CATALOG = [
    (
        "/catalogs",
        {
            "catalogs": [
                {
                    "name": "teas",
                    "fields": [
                        {"name": "id", "type": "string"},
                        {"name": "price", "type": "number"},
                        {"name": "since", "type": "time"},
                        {"name": "fresh", "type": "boolean"},
                    ],
                }
            ]
        },
    ),
    (
        "/catalogs/teas/items",
        {"items": [{"id": f"T-{number}", "price": number, "fresh": True} for number in range(5)]},
    ),
]


def contents(site):
    for path, body in CATALOG:
        site.post(path, JSONBody(body))
    site.post(
        "/content_blocks/create",
        JSONBody({"name": "greeting", "content": "Hi {{${first_name} | default: 'there'}}"}),
    )
    site.post(
        "/in_app_messages/create",
        JSONBody(
            {
                "name": "Welcome",
                "state": "active",
                "message": {
                    "type": "modal",
                    "message": "Hello {{${first_name}}}",
                    "rules": {"triggers": [{"type": "session_start"}]},
                },
            }
        ),
    )
    site.form("/console/segments/new", [("name", "Pros"), ("condition", 'plan = "pro"')])
    site.form(
        "/console/segments/lists", [("name", "summer")], [("file", "list.csv", b"id\nada\nbob\n")]
    )
    site.form("/console/blocks/new", [("name", "footer"), ("content", "Bye")])
    site.form(
        "/console/news/new",
        [("title", "Autumn"), ("text", "Leaves fall"), ("publication", "now"), ("tenant", "1")],
    )


def messages(site):
    def campaign(name, delivery, *more):
        fields = [
            ("draft", str(uuid.uuid5(uuid.NAMESPACE_DNS, name))),
            ("step", "activate"),
            ("name", name),
            ("delivery", delivery),
            ("tags", "tea"),
            ("v0.name", "A"),
            ("v0.weight", "1"),
            ("v0.title", "Tea"),
            ("v0.message", "Leaves"),
            ("audience", "everyone"),
            ("badge", "unchanged"),
            ("again", "after"),
            ("againDays", "0"),
            ("quietHours", "hold"),
            ("conversionEvent", "rated"),
            ("conversionDays", "3"),
            *more,
        ]
        # Nothing begins that was not reviewed.
        site.form("/console/campaigns/review", fields)
        site.form("/console/campaigns/save", fields)

    campaign("Autumn", "now")
    campaign("Receipt", "api")
    for body in (
        {"broadcast": True, "messages": {"apple_push": {"alert": "Hello"}}},
        {
            "external_user_ids": ["ada"],
            "messages": {
                "apple_push": {"alert": {"title": "a", "body": "b"}},
                "android_push": {"alert": "a", "title": "b"},
                "web_push": {"alert": "a", "title": "b"},
            },
        },
    ):
        site.post("/messages/send", JSONBody(body))
    site.post(
        "/messages/schedule/create",
        JSONBody(
            {
                "broadcast": True,
                "schedule": {"time": "2035-01-01T00:00:00Z"},
                "messages": {"apple_push": {"alert": "Happy new year"}},
            }
        ),
    )


class Pool:
    """Names and numbers of what is stored, by the field that names it in requests."""

    def __init__(self):
        self.values = {
            "external_id": list(USERS),
            "external_user_id": list(USERS),
            "user_id": list(USERS),
            "catalog_name": ["teas"],
            "item_id": ["T-1", "T-2"],
            "name": ["viewed_item", "tea"],
            "event": ["viewed_item", "rated"],
            "product": ["tea"],
            "product_id": ["tea"],
            "currency": ["JPY", "USD"],
            "email": ["user1@example.com"],
            "alias_label": ["loyalty"],
            "alias_name": ["4711"],
            "device_id": [str(uuid.UUID(int=1))],
            "app_id": [BUNDLE],
            "language": ["en", "ja"],
            "country": ["JP"],
            "time_zone": ["Asia/Tokyo"],
            "custom_attribute_name": ["plan", "score", "joined"],
            "campaign": ["Autumn"],
        }

    def add(self, key, value):
        known = self.values.setdefault(key, [])
        if value not in known and len(known) < 40:
            known.append(value)

    def of(self, key):
        for name in (key, key.removesuffix("s"), key.removesuffix("_ids") + "_id"):
            if name in self.values:
                return self.values[name]
        return []

    def learn(self, value, parent=""):
        """Takes the ids and names out of an answer."""
        one = "canvas" if parent == "canvases" else parent.removesuffix("s")
        if isinstance(value, dict):
            for key, inner in value.items():
                if isinstance(inner, (str, int)) and not isinstance(inner, bool):
                    if key == "id" and parent:
                        self.add(one + "_id", inner)
                    elif key.endswith("_id"):
                        self.add(key, inner)
                    elif key == "name":
                        self.add(one + "_name", inner)
                else:
                    self.learn(inner, key)
        elif isinstance(value, list):
            for inner in value[:40]:
                if isinstance(inner, str):
                    self.add(one, inner)
                else:
                    self.learn(inner, parent)

    def read(self, site, paths):
        """Learns from the lists of the REST API."""
        for path in paths:
            answer = site.call(Request("key", "GET", path))
            if answer.status == 200:
                try:
                    self.learn(json.loads(answer.body))
                except ValueError:
                    continue
