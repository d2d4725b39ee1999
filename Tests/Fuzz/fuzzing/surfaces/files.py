"""CSV and NDJSON: lists uploaded in the console, files that the import command reads."""

from .. import extremes, trees
from ..content import USERS
from ..inputs import Command, FormBody, Request
from ..surface import Surface

USER_COLUMNS = [
    "external_id",
    "email",
    "first_name",
    "dob",
    "plan",
    "score",
    "joined",
    "custom_attributes",
    "country",
    "gender",
    "phone",
    "time_zone",
    "user_alias",
    "braze_id",
    "tags",
    "devices",
]
EVENT_COLUMNS = [
    "external_id",
    "name",
    "time",
    "properties",
    "product_id",
    "price",
    "currency",
    "quantity",
]


class Files(Surface):
    def make(self):
        # A command is a process of its own, so imports are few.
        if self.random.random() < 0.9:
            return self.upload()
        return self.imported()

    def cell(self, quoted=True):
        random = self.random
        kind = random.random()
        if kind < 0.4:
            text = random.choice(USERS + ["1", "true", "a", "2026-01-31", '{"a":1}', "[1]"])
        else:
            text = extremes.text(random)
        if quoted and random.random() < 0.6:
            return '"' + text.replace('"', '""') + '"'
        return text

    def upload(self):
        random = self.random
        separator = random.choice([",", ",", ";", "\t"])
        lines = [
            random.choice(["id", "external_id", "external_id,email", "", "id;name", "x", '"id"'])
        ]
        for _ in range(random.choice([0, 1, 3, 20])):
            lines.append(separator.join(self.cell() for _ in range(random.choice([1, 1, 2, 5]))))
        data = random.choice(["\n", "\r\n", "\r"]).join(lines).encode("utf-8", "surrogatepass")
        if random.random() < 0.2:
            data = random.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\x00"]) + data
        if random.random() < 0.4:
            data = trees.mutate_bytes(random, data)
        name = random.choice(["summer", f"l{random.randrange(30)}", extremes.text(random)[:2_000]])
        body = FormBody([("name", name)], [("file", random.choice(["a.csv", "a.txt", ""]), data)])
        return Request("marketer", "POST", "/console/segments/lists", body=body)

    def imported(self):
        random = self.random
        kind = random.choice(["users", "events"])
        columns = USER_COLUMNS if kind == "users" else EVENT_COLUMNS
        if random.random() < 0.3:
            rows = []
            for _ in range(random.choice([1, 3, 10])):
                tree = {
                    "external_id": random.choice(USERS),
                    "name": "rated",
                    "score": 1,
                    "time": "2026-07-04T18:30:00Z",
                    "properties": {"a": 1},
                }
                rows.append(trees.encode(trees.mutate(random, tree)))
            data, name = b"\n".join(rows), "rows.ndjson"
        else:
            chosen = random.sample(columns, random.randint(1, len(columns)))
            lines = [",".join(chosen)]
            for _ in range(random.choice([1, 3, 10])):
                lines.append(",".join(self.known(column) for column in chosen))
            data, name = "\n".join(lines).encode("utf-8", "surrogatepass"), "rows.csv"
        if random.random() < 0.3:
            data = trees.mutate_bytes(random, data)
        return Command(["import", kind, "{" + name + "}"], {name: data})

    def known(self, column):
        random = self.random
        valid = {
            "external_id": random.choice(USERS),
            "name": "rated",
            "time": "2026-07-04T18:30:00Z",
            "email": "a@example.com",
            "price": "9.5",
            "currency": "JPY",
            "quantity": "1",
            "product_id": "tea",
        }
        if random.random() < 0.7 and column in valid:
            return valid[column]
        if column in ("custom_attributes", "properties", "devices", "tags", "user_alias"):
            text = trees.write(trees.mutate(random, {"a": 1, "b": [1, "x"], "alias_name": "a"}))
            return '"' + text.replace('"', '""') + '"'
        if column in ("time", "joined", "dob"):
            return random.choice(extremes.TIMES)
        return self.cell()
