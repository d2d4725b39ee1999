"""The REST API: every operation that it describes of itself, with bodies and queries."""

import json

from .. import extremes, trees
from ..content import CATALOG, Pool
from ..inputs import BytesBody, JSONBody, Request, quote
from ..schemas import Description, Maker, connected_audience
from ..surface import Surface

# Drawn more often: they store much, or start work that goes on after the answer.
HEAVY = {
    "/users/track": 16,
    "/users/track/sync": 4,
    "/messages/send": 8,
    "/messages/schedule/create": 8,
    "/campaigns/trigger/send": 8,
    "/campaigns/trigger/schedule/create": 6,
    "/journeys/create": 8,
    "/journeys/update": 8,
    "/journeys/publish": 4,
    "/journeys/enter": 4,
    "/canvas/trigger/send": 4,
    "/canvas/trigger/schedule/create": 4,
}
USER = {"external_id": "ada"}
TIME = "2026-07-04T18:30:00Z"
PUSH = {
    "apple_push": {
        "alert": {"title": "Tea", "body": "Hi {{${first_name}}}"},
        "badge": 1,
        "extra": {"k": "v"},
        "expiry": "2035-01-01T00:00:00Z",
    },
    "android_push": {"title": "Tea", "alert": "a", "time_to_live": 60},
    "web_push": {"title": "Tea", "alert": "a", "time_to_live": 60},
}
SCHEDULE = {"time": "2035-01-01T00:00:00Z", "in_local_time": True}
RECIPIENTS = [
    {"external_user_id": "ada", "trigger_properties": {"amount": 5}, "attributes": {"plan": "pro"}}
]
EVENT = {
    "kind": {"custom": {"name": "viewed_item"}},
    "conditions": [{"property": "price", "comparison": "greater_than", "value": 1}],
}
# Every kind of step, so that whatever is changed has something to be wrong with.
STEPS = [
    {"name": "Wait", "type": "wait", "duration": 60},
    {"name": "Nine", "type": "wait_for_time", "time": "09:00", "weekdays": [1, 7]},
    {
        "name": "Hello",
        "type": "push",
        "control_share": 10,
        "variants": [
            {"name": "A", "weight": 1, "message": {"common": {"message": {"body": "Hi"}}}},
        ],
    },
    {"name": "Change", "type": "update", "attributes": {"visits": {"inc": 1}, "plan": None}},
    {
        "name": "Call",
        "type": "webhook",
        "method": "PUT",
        "url": "https://example.org/{{${user_id}}}",
        "headers": {"X-Tea": "a"},
        "body": "{{event_properties.${price}}}",
    },
    {
        "name": "Split",
        "type": "split",
        "shares": [
            {"name": "a", "weight": 1, "next": "Branch"},
            {"name": "b", "weight": 3, "is_control": True, "next": "Event"},
        ],
    },
    {
        "name": "Branch",
        "type": "branch",
        "paths": [
            {"name": "all", "segment": {}, "next": "Event"},
            {"name": "dear", "conditions": EVENT["conditions"], "next": "end"},
        ],
        "next": "Quiet",
    },
    {"name": "Event", "type": "wait_for_event", "event": EVENT, "limit": 3600, "late": "Quiet"},
    {"name": "Match", "type": "wait_for_match", "segment": {}, "limit": 3600, "late": "end"},
    {"name": "Quiet", "type": "wait_for_quiet_hours"},
    {"name": "Out", "type": "exit"},
]
JOURNEY = {
    "name": "Cart",
    "note": "a",
    "tags": ["tea"],
    "entry": {"type": "event", "event": EVENT},
    "audience": {},
    "reentry": {"after": 3600},
    "exits": [{"event": EVENT}, {"segment": {}}],
    "goal": {"event": {"kind": {"purchase": {"product": "tea"}}}, "window": 86400},
    "ends_at_goal": True,
    "is_exempt_from_caps": False,
    "quiet_hours": "drop",
    "steps": STEPS,
}
# Bodies that are taken, where a description cannot say all that is needed. `audience` is made anew.
BODIES = {
    "/users/track": [
        {
            "attributes": [
                {
                    **USER,
                    "plan": "pro",
                    "visits": {"inc": 1},
                    "score": 3,
                    "dob": "1990-02-28",
                    "joined": {"$time": TIME},
                    "tags": {"add": ["c"]},
                    "time_zone": "Asia/Tokyo",
                    "address": {"zip": "700"},
                    "_merge_objects": True,
                    "date_of_first_session": TIME,
                }
            ]
        },
        {
            "events": [
                {
                    **USER,
                    "name": "viewed_item",
                    "time": TIME,
                    "properties": {"price": 1.5, "sku": "T-1"},
                }
            ]
        },
        {
            "purchases": [
                {
                    **USER,
                    "product_id": "tea",
                    "currency": "JPY",
                    "price": 480,
                    "quantity": 2,
                    "time": TIME,
                    "properties": {"a": 1},
                }
            ]
        },
    ],
    "/messages/send": [
        {"external_user_ids": ["ada", "bob"], "messages": PUSH},
        {"broadcast": True, "external_user_ids": ["ada"], "audience": None, "messages": PUSH},
    ],
    "/messages/schedule/create": [
        {"external_user_ids": ["ada"], "messages": PUSH, "schedule": SCHEDULE},
        {"broadcast": True, "messages": PUSH, "schedule": SCHEDULE},
    ],
    "/messages/schedule/update": [{"schedule_id": None, "schedule": SCHEDULE}],
    "/campaigns/trigger/send": [
        {"campaign_id": None, "recipients": RECIPIENTS, "trigger_properties": {"amount": 5}},
        {"campaign_id": None, "broadcast": True, "audience": None},
    ],
    "/campaigns/trigger/schedule/create": [
        {"campaign_id": None, "recipients": RECIPIENTS, "schedule": SCHEDULE},
    ],
    "/journeys/create": [JOURNEY, {**JOURNEY, "entry": {"type": "api"}}],
    "/journeys/update": [
        {"journey_id": None, **JOURNEY},
        {"journey_id": None, "steps": STEPS},
        {"journey_id": None, "entry": {"type": "api"}},
    ],
    "/journeys/preview": [{"journey_id": None, "migration": "move", "removed": {}}],
    "/journeys/publish": [
        {"journey_id": None},
        {"journey_id": None, "migration": "move", "removed": {}},
    ],
    "/journeys/enter": [
        {
            "journey_id": None,
            "properties": {"price": 2},
            "recipients": [{"external_user_id": "ada", "properties": {"price": 5}}],
        }
    ],
    "/canvas/trigger/send": [
        {
            "canvas_id": None,
            "canvas_entry_properties": {"price": 2},
            "recipients": [{"external_user_id": "ada", "attributes": {"plan": "pro"}}],
        },
        {"canvas_id": None, "broadcast": True, "audience": None},
    ],
    "/canvas/trigger/schedule/create": [
        {
            "canvas_id": None,
            "recipients": [{"external_user_id": "ada"}],
            "schedule": {"time": SCHEDULE["time"]},
        },
    ],
    "/canvas/trigger/schedule/update": [
        {"canvas_id": None, "schedule_id": None, "schedule": {"time": SCHEDULE["time"]}}
    ],
    "/canvas/trigger/schedule/delete": [{"canvas_id": None, "schedule_id": None}],
    "/campaigns/trigger/schedule/update": [
        {"campaign_id": None, "schedule_id": None, "schedule": SCHEDULE}
    ],
}
# What is sent as it is now and then: other inputs delete it.
GROUND = 60


class REST(Surface):
    def prepare(self):
        self.description = Description(self.site)
        self.pool = Pool()
        self.refresh()
        self.operations = [
            operation
            for operation in self.description.operations
            for _ in range(HEAVY.get(operation[1], 1 if "canvas" in operation[1] else 2))
        ]

    def refresh(self):
        self.made = 0
        self.pool.read(self.site, self.description.lists)
        self.pool.add("subscription_group_id", self.site.secrets["group"])
        self.maker = Maker(self.description, self.pool, self.random)

    def observe(self, sent, answer):
        """Ids of what was made, for requests that name it."""
        if answer.status in (200, 201) and sent.method == "POST":
            try:
                self.pool.learn(json.loads(answer.body))
            except ValueError:
                return

    def make(self):
        random = self.random
        self.made += 1
        if self.made % GROUND < len(CATALOG):
            path, body = CATALOG[self.made % GROUND]
            return Request("key", "POST", path, body=JSONBody(body))
        method, path, operation = random.choice(self.operations)
        request = self.maker.request(method, path, operation)
        if path in BODIES and random.random() < 0.7:
            request.body = JSONBody(self.whole(random.choice(BODIES[path])))
        elif (
            isinstance(request.body, JSONBody)
            and path.endswith("/create")
            and random.random() < 0.8
        ):
            request.body.tree["name"] = f"n{random.randrange(10**6)}"
        for _ in range(self.times()):
            choices = []
            if request.query:
                choices.append(self.change_query)
            if request.body is not None:
                choices += [self.change_body] * 4
            elif random.random() < 0.3 or not choices:
                choices.append(self.add_query)
            if "{" in path and random.random() < 0.3:
                choices.append(self.change_path)
            random.choice(choices)(request)
        return request

    def whole(self, body):
        body = trees.copy(body)
        for key, value in body.items():
            if key == "audience":
                body[key] = connected_audience(self.random)
            elif value is None:
                body[key] = self.random.choice(self.pool.of(key) or ["unknown"])
        return body

    def change_query(self, request):
        spots = list(range(len(request.query)))
        if self.random.random() < 0.8:
            spots = [
                one for one in spots if not trees.names_something(request.query[one][0])
            ] or spots
        index = self.random.choice(spots)
        name, _ = request.query[index]
        value = extremes.text(self.random)[:8_000]
        if self.random.random() < 0.1:
            request.query.append((name, value))
        elif self.random.random() < 0.05:
            request.query[index] = (name + "[]", value)
        else:
            request.query[index] = (name, value)

    def add_query(self, request):
        name = self.random.choice(
            [
                "page",
                "limit",
                "offset",
                "length",
                "ending_at",
                "starting_at",
                "sort_direction",
                "unit",
                "last_edit.time[gt]",
                "include_archived",
                "a",
                "",
                "api_key",
            ]
        )
        request.query.append((name, extremes.text(self.random)[:8_000]))

    def change_path(self, request):
        parts = request.template.split("/")
        spots = [index for index, part in enumerate(parts) if part.startswith("{")]
        real = request.path.split("/")
        if len(real) == len(parts):
            real[self.random.choice(spots)] = quote(extremes.text(self.random)[:2_000]) or "%00"
            request.path = "/".join(real)

    def change_body(self, request):
        if not isinstance(request.body, JSONBody):
            return
        request.body.tree = trees.mutate(self.random, request.body.tree)
        if self.random.random() < 0.03:
            request.body = BytesBody(
                trees.mutate_bytes(self.random, trees.encode(request.body.tree))
            )
