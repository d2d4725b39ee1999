"""JSON as bytes: deep, long, broken, twice the same key, at endpoints that store it."""

import json

from .. import extremes, trees
from ..inputs import BytesBody, Request
from ..surface import Surface

TARGETS = [
    (
        "key",
        "POST",
        "/users/track",
        {"attributes": [{"external_id": "ada", "plan": "pro", "n": 1}]},
    ),
    (
        "key",
        "POST",
        "/users/track",
        {
            "events": [
                {
                    "external_id": "ada",
                    "name": "viewed_item",
                    "time": "2026-07-04T18:30:00Z",
                    "properties": {"price": 1.5, "tags": ["a"], "deep": {"b": [1]}},
                }
            ]
        },
    ),
    (
        "key",
        "POST",
        "/users/track",
        {
            "purchases": [
                {
                    "external_id": "ada",
                    "product_id": "tea",
                    "currency": "JPY",
                    "price": 1,
                    "quantity": 1,
                    "time": "2026-07-04T18:30:00Z",
                }
            ]
        },
    ),
    (
        "sdk",
        "POST",
        "/sdk/v1/batch",
        {
            "device": {"id": "11111111-1111-4111-8111-111111111111", "platform": "web"},
            "records": [],
        },
    ),
    (
        "key",
        "POST",
        "/messages/send",
        {
            "external_user_ids": ["ada"],
            "messages": {
                "apple_push": {
                    "alert": {"title": "a", "body": "b"},
                    "extra": {"k": "v"},
                    "badge": 1,
                }
            },
        },
    ),
    ("key", "POST", "/catalogs/teas/items", {"items": [{"id": "T-9", "price": 1}]}),
    ("key", "POST", "/content_blocks/create", {"name": "b", "content": "c"}),
    ("key", "POST", "/users/export/ids", {"external_ids": ["ada"]}),
    (
        "key",
        "POST",
        "/in_app_messages/create",
        {"name": "w", "message": {"type": "modal", "message": "m"}},
    ),
]
# What any reader of JSON has to take or to refuse.
TEXTS = [
    "",
    " ",
    "null",
    "true",
    "0",
    '""',
    "[]",
    "{}",
    "[[]]",
    "{",
    "}",
    "[",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    "[1,]",
    "[,1]",
    '{"a":1 "b":2}',
    '{"a":1}{"b":2}',
    '{"a":1}x',
    "\ufeff{}",
    "{}\x00",
    "/**/{}",
    "{'a':1}",
    '{"a":1,"a":2}',
    "nul",
    "truee",
    '"\\u12"',
    '"\\q"',
    '{"\\u0000":1}',
    "[1e5000]",
    "-",
    "[0123]",
]


class Bodies(Surface):
    def make(self):
        random = self.random
        who, method, path, tree = random.choice(TARGETS)
        kind = random.random()
        if kind < 0.1:
            data = random.choice(TEXTS).encode()
        elif kind < 0.35:
            data = trees.mutate_bytes(random, json.dumps(tree, ensure_ascii=False).encode())
        elif kind < 0.45:
            data = self.deep(tree)
        else:
            tree = trees.copy(tree)
            for _ in range(random.choice([1, 1, 2, 3])):
                tree = trees.mutate(random, tree)
            data = trees.encode(tree)
        content_type = "application/json"
        if random.random() < 0.02:
            content_type = extremes.text(random)[:50].encode("ascii", "ignore").decode()
            content_type = "".join(one for one in content_type if one.isprintable())
        return Request(who, method, path, body=BytesBody(data, content_type))

    def deep(self, tree):
        """A value of the tree at the bottom of many brackets, closed or not."""
        random = self.random
        depth = random.choice(
            [2, 63, 64, 65, 127, 128, 129, 200, 512, 513, 1_000, 5_000, 10_000, 100_000]
        )
        opening, closing = random.choice([("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
        inner = random.choice(["1", '"a"', "", "null"])
        text = opening * depth + inner + closing * random.choice([depth, depth, depth - 1, 0])
        tree = trees.copy(tree)
        container, where, _ = random.choice(list(trees.places(tree)))
        container[where] = trees.Raw(text)
        return trees.encode(tree)
