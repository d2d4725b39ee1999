"""Segments: the text form in the console, the JSON form as connected audiences."""

import json

from .. import extremes, trees
from ..inputs import FormBody, JSONBody, Request
from ..schemas import connected_audience
from ..surface import Surface

STANDARD = [
    "external_id",
    "first_name",
    "email",
    "phone",
    "gender",
    "dob",
    "age",
    "country",
    "language",
    "home_city",
    "time_zone",
    "created_at",
    "first_session_at",
    "last_session_at",
    "session_count",
    "push_subscribe",
    "email_subscribe",
    "subscription_groups",
    "device_count",
    "random_bucket",
]
CUSTOM = [
    "plan",
    "score",
    "visits",
    "tags",
    "joined",
    "is_vip",
    "address.city",
    "orders[].total",
    "nothing",
    'custom."odd name"',
    "custom.country",
    "orders[]",
    "tags[]",
]
UNITS = ["seconds", "second", "minutes", "hours", "days", "day", "weeks", "week"]
ACTIONS = ["received", "opened", "clicked", "sent"]
PATTERNS = [
    "^p",
    "(a+)+$",
    "a{1,1000}",
    "[^",
    "(",
    "\\\\d+",
    "(?-i)P",
    "x*" * 50,
    "\\\\1",
    "(?=a)",
    "[a-\\\\]",
]
JSON_RULES = [
    {
        "and": [
            {"attribute": "country", "test": "equal", "value": "DE"},
            {"or": [{"custom": "address.city", "test": "exists"}, {"not": {"segment": "Pros"}}]},
        ]
    },
    {
        "event": "rated",
        "where": [{"property": "price", "test": ">=", "value": 10}],
        "measure": "count",
        "is": ">=",
        "value": 3,
        "from": {"now": -2592000},
    },
    {"device": {"and": [{"field": "platform", "test": "equal", "value": "ios"}]}},
]


class Segments(Surface):
    def make(self):
        random = self.random
        if random.random() < 0.35:
            return self.audience()
        text = self.rule(0)
        for _ in range(random.choice([0, 0, 1, 1, 2])):
            text = trees.bend(random, text)
        text = text[:100_000]
        kind = random.random()
        if kind < 0.7:
            fields, path = [("condition", text)], "/console/segments/probe"
        elif kind < 0.85:
            fields = [("condition", text), ("user", random.choice(["ada", "bob", "1", "nobody"]))]
            path = "/console/segments/explain"
        else:
            fields = [("name", f"s{random.randrange(40)}"), ("condition", text)]
            path = "/console/segments/new"
        who = "viewer" if path.endswith("probe") else "marketer"
        return Request(who, "POST", path, body=FormBody(fields))

    # The grammar stands at SegmentParser.

    def rule(self, depth):
        random = self.random
        kind = random.random()
        if depth > 4 or kind < 0.6:
            return self.condition()
        if kind < 0.7:
            return "not " + self.rule(depth + 1)
        if kind < 0.73:
            deep = random.choice([10, 62, 63, 64, 65, 1_000, 10_000])
            opening, closing = random.choice([("(", ")"), ("not ", ""), ("not (", ")")])
            return opening * deep + self.condition() + closing * deep
        if kind < 0.76:
            return f" {random.choice(['and', 'or'])} ".join(
                [self.condition()] * random.choice([10, 100, 1_000])
            )
        if kind < 0.85:
            return f"({self.rule(depth + 1)})"
        return f"{self.rule(depth + 1)} {random.choice(['and', 'or'])} {self.rule(depth + 1)}"

    def number(self):
        if self.random.random() < 0.4:
            return str(self.random.choice([0, 1, 3, 7, 2.5]))
        return extremes.number_text(self.random)

    def string(self):
        random = self.random
        if random.random() < 0.6:
            return json.dumps(random.choice(["pro", "JP", "ada", "a", "2.10", "ios"]))
        if random.random() < 0.5:
            return "'" + extremes.text(random)[:3_000] + "'"
        return json.dumps(extremes.text(random)[:3_000], ensure_ascii=random.random() < 0.5)

    def moment(self):
        random = self.random
        kind = random.random()
        if kind < 0.25:
            return random.choice(extremes.TIMES)
        if kind < 0.4:
            return random.choice(["2026-06-30", "2026-06-30T08:00:00Z", "now", "today"])
        if kind < 0.75:
            return f"now {random.choice('+-')} {self.number()} {random.choice(UNITS)}"
        return f"today {random.choice('+-')} {self.number()} days"

    def value(self):
        return self.random.choice([self.number, self.string, lambda: "true", lambda: "false"])()

    def comparison(self):
        return self.random.choice(["=", "!=", "<", "<=", ">", ">="])

    def values(self):
        return "(" + ", ".join(self.value() for _ in range(self.random.randint(0, 3))) + ")"

    def test(self):
        random = self.random
        return random.choice(
            [
                lambda: f"{self.comparison()} {self.value()}",
                lambda: f"{self.comparison()} {self.number()}",
                lambda: f"{self.comparison()} {self.moment()}",
                lambda: f"in {self.values()}",
                lambda: f"not in {self.values()}",
                lambda: f"matches '{random.choice(PATTERNS)}'",
                lambda: f"not matches {self.string()}",
                lambda: "exists",
                lambda: "not exists",
                lambda: f"contains {self.value()}",
                lambda: f"not contains any {self.values()}",
                lambda: f"contains all {self.values()}",
                lambda: f"starts with {self.string()}",
                lambda: f"ends with {self.string()}",
                lambda: "on today",
                lambda: "is empty",
                lambda: f"on {random.choice(['02-29', '02-30', '13-01', '00-00', '12-31', self.number()])}",
                lambda: f"{random.choice(['more', 'less'])} than {self.number()} {random.choice(UNITS)} ago",
            ]
        )()

    def window(self):
        random = self.random
        return random.choice(
            [
                lambda: "",
                lambda: f" in last {self.number()} {random.choice(UNITS)}",
                lambda: f" in last {self.number()} calendar days",
                lambda: f" from {self.moment()}",
                lambda: f" from {self.moment()} until {self.moment()}",
                lambda: f" until {self.moment()}",
            ]
        )()

    def activity(self):
        random = self.random
        where = ""
        if random.random() < 0.4:
            where = f" with ({random.choice(['price', 'sku', 'tags[]'])} {self.test()})"
        measure = random.choice(
            [
                lambda: "done",
                lambda: "not done",
                lambda: f"count {self.comparison()} {self.number()}",
                lambda: f"sum {self.comparison()} {self.number()}",
                lambda: f"{random.choice(['first', 'last'])} {self.comparison()} {self.moment()}",
            ]
        )()
        return f"{where} {measure}{self.window()}"

    def condition(self):
        random = self.random
        return random.choice(
            [
                lambda: f"{random.choice(STANDARD)} {self.test()}",
                lambda: f"{random.choice(CUSTOM)} {self.test()}",
                lambda: f"{random.choice(CUSTOM)} {self.test()}",
                lambda: f"event {random.choice(['rated', 'viewed_item', self.string()])}{self.activity()}",
                lambda: f"purchase{random.choice(['', ' of ' + self.string()])}{self.activity()}",
                lambda: f"session{self.activity()}",
                lambda: f"campaign {random.choice(['any', self.string()])} {random.choice(ACTIONS)}"
                f"{self.activity()}",
                lambda: f"device.{random.choice(['platform', 'app_version', 'locale', 'x'])} {self.test()}",
                lambda: f"device has (platform {self.test()} and not app_version {self.test()})",
                lambda: f"in {random.choice(['segment', 'list'])} {self.string()}",
                lambda: random.choice(["everyone", "nobody", "is_vip"]),
            ]
        )()

    # The JSON forms

    def audience(self):
        random = self.random
        tree = connected_audience(random)
        if random.random() < 0.1:
            tree = trees.copy(random.choice(JSON_RULES))
        for _ in range(self.times()):
            if random.random() < 0.5:
                self.aim(tree)
            else:
                tree = trees.mutate(random, tree)
        if random.random() < 0.03:
            deep = random.choice([63, 64, 65, 10_000])
            tree = trees.Raw('{"AND":[' * deep + trees.write(tree) + "]}" * deep)
        if random.random() < 0.15:
            body = {"campaign_id": "none", "broadcast": True, "audience": tree}
            return Request("key", "POST", "/campaigns/trigger/send", body=JSONBody(body))
        body = {"audience": tree, "messages": {"apple_push": {"alert": "a"}}, "broadcast": True}
        # A send to everybody each time would only fill the ledger.
        body["external_user_ids"] = ["ada"]
        return Request("key", "POST", "/messages/send", body=JSONBody(body))

    def aim(self, tree):
        """An extreme for what a filter compares with."""
        spots = [
            (container, where)
            for container, where, path in trees.places(tree)
            if path[-1] == "value" and isinstance(container, dict)
        ]
        if spots:
            container, where = self.random.choice(spots)
            container[where] = trees.extreme(self.random, like=container[where])
