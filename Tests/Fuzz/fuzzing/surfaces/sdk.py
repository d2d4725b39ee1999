"""The wire between devices and the server, from the protocol's own fixtures."""

import json
import os
import time
import uuid

from .. import extremes, trees
from ..content import USERS
from ..inputs import BytesBody, JSONBody, Request
from ..surface import Surface

# Members that say how much or when.
AMOUNTS = ["time_ms", "seq", "price", "quantity", "duration_seconds"]
FIXTURES = os.path.join(os.path.dirname(__file__), "../../../../Protocol/fixtures")


class SDK(Surface):
    def prepare(self):
        with open(os.path.join(FIXTURES, "batch.json")) as file:
            self.batch = json.load(file)
        # Each installation counts its own records.
        self.devices = [str(uuid.UUID(int=number)) for number in range(1, 9)]
        self.sequence = 0

    def make(self):
        kind = self.random.random()
        if kind < 0.8:
            return self.records()
        if kind < 0.9:
            return self.token()
        return self.question()

    def uuid(self):
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def user(self):
        if self.random.random() < 0.25:
            return {"anonymous_id": str(uuid.UUID(int=self.random.randrange(1, 9)))}
        return {"external_id": self.random.choice(USERS)}

    def records(self):
        tree = {
            "device": {**self.batch["device"], "id": self.random.choice(self.devices)},
            "records": [],
        }
        for _ in range(self.random.choice([1, 1, 1, 2, 4])):
            record = trees.copy(self.random.choice(self.batch["records"]))
            self.sequence += 1
            record.update(id=self.uuid(), seq=self.sequence, user=self.user())
            # Most near now, as devices send them; a second apart, so that few are alike.
            record["time_ms"] = int(time.time() * 1000) - self.random.randrange(10**9)
            if record["type"] == "user_changed":
                record["previous"] = self.user()
            tree["records"].append(record)
        body = JSONBody(self.changed(tree))
        if self.random.random() < 0.05:
            body = BytesBody(trees.mutate_bytes(self.random, trees.encode(tree)))
        return Request("sdk", "POST", "/sdk/v1/batch", body=body)

    def changed(self, tree):
        for _ in range(self.times()):
            if self.random.random() < 0.6 and isinstance(tree, dict) and tree.get("records"):
                self.aim(tree)
            else:
                tree = trees.mutate(self.random, tree)
        return tree

    def aim(self, tree):
        """An extreme for a member that says how much or when."""
        records = (
            [one for one in tree["records"] if isinstance(one, dict)]
            if isinstance(tree["records"], list)
            else []
        )
        if not records:
            return
        record = self.random.choice(records)
        if self.random.random() < 0.1:
            record["user"] = {"external_id": self.random.choice(extremes.NEAR_CANARIES)}
            return
        names = [
            name
            for name in (*AMOUNTS, "name", "product", "attributes", "properties")
            if name in record
        ]
        name = self.random.choice(names or ["time_ms"])
        if name in AMOUNTS:
            record[name] = trees.Raw(extremes.number_text(self.random))
        elif isinstance(record[name], dict):
            key = self.random.choice(["visits", "a", trees.text(self.random)])
            if isinstance(key, str):
                record[name][key] = trees.extreme(self.random, like=self.random.choice([1, "a"]))
        else:
            record[name] = trees.text(self.random)

    def token(self):
        tree = {
            "device": {**self.batch["device"], "id": self.random.choice(self.devices)},
            "user": self.user(),
            "token": dict(self.batch["records"][1]["token"]),
        }
        method = self.random.choice(["PUT", "PUT", "DELETE"])
        for _ in range(self.times()):
            tree = trees.mutate(self.random, tree)
        return Request("sdk", method, "/sdk/v1/push-token", body=JSONBody(tree))

    def question(self):
        random = self.random
        if random.random() < 0.4:
            query = [("device", random.choice(self.devices)), ("user", random.choice(USERS))]
            path = "/sdk/v1/in_app_messages"
        else:
            path = "/sdk/v1/news"
            operator = random.choice(
                [
                    "equal",
                    "not_equal",
                    "in",
                    "not_in",
                    "less_than_include",
                    "greater_than_include",
                    "between_include",
                    "between_exclude",
                    "like_before",
                    "like_after",
                    "like_both",
                    "like_or",
                    "none",
                ]
            )
            column = random.choice(
                ["title", "news_id", "release_date", "tags", "x", "read_history_kbn", "tenant_id"]
            )
            query = [
                ("news_id", "1"),
                ("limit", "10"),
                ("offset", "0"),
                ("user", random.choice(USERS)),
                ("only_match_segment", "1"),
                (f"search[{column}]", f"1,2∀{operator}"),
                ("sort", f"{column}:0001,news_id:0002"),
            ]
            random.shuffle(query)
            query = query[: random.randint(1, 5)]
        for _ in range(self.times()):
            index = random.randrange(len(query))
            query[index] = (query[index][0], extremes.text(random)[:8_000])
        return Request("sdk", "GET", path, query)
