"""Valid requests made from the REST API's own description, so that new endpoints are met too."""

import json
import uuid

from .inputs import JSONBody, Request, quote


class Description:
    """`/openapi.json` of the server under test."""

    def __init__(self, site):
        self.document = json.loads(site.call(Request("nobody", "GET", "/openapi.json")).body)
        self.operations = []
        for path, methods in sorted(self.document["paths"].items()):
            for method, operation in sorted(methods.items()):
                if isinstance(operation, dict) and "responses" in operation:
                    self.operations.append((method.upper(), path, operation))

    @property
    def lists(self):
        """Paths that answer without any parameter."""
        return [
            path
            for method, path, operation in self.operations
            if method == "GET"
            and "{" not in path
            and not any(one.get("required") for one in operation.get("parameters", []))
        ]

    def schema(self, operation):
        content = operation.get("requestBody", {}).get("content", {})
        return content.get("application/json", {}).get("schema")

    def resolve(self, schema):
        while isinstance(schema, dict) and "$ref" in schema:
            target = self.document
            for part in schema["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            schema = target
        return schema


# What a schema does not say: values with which a request is rather taken than refused.
PREFERRED = {
    "at_optimal_time": [False],
    "length": [1, 7, 30],
    "page": [0, 1],
    "limit": [1, 10, 50],
    "offset": [0, 1],
    "unit": ["day", "hour"],
    "cursor": [0],
    "send_to_existing_only": [True],
    "quantity": [1, 2],
    "price": [480, 9.5],
    "schedule.time": ["2035-01-01T00:00:00Z"],
    "title": ["Tea"],
    "subscription_state": ["subscribed", "unsubscribed"],
    "ending_at": ["2026-12-01T00:00:00Z"],
    "end_time": ["2036-01-01T00:00:00Z"],
    "type": ["modal", "slideup", "full"],
    "alert": ["Tea {{${first_name}}}"],
    "sort_direction": ["asc", "desc"],
    "include_archived": ["true", "false"],
    "broadcast": [True],
    "message": ["Hello {{${first_name}}}"],
    "themes": [None],
    "state": ["active", "draft"],
}


class Maker:
    """Makes valid values; what a name stands for comes from the pool."""

    def __init__(self, description, pool, random):
        self.description, self.pool, self.random = description, pool, random

    def request(self, method, path, operation):
        query, headers, place = [], [], path
        needed = {self.random.choice(names) for names in operation.get("x-one-of", [])}
        for parameter in operation.get("parameters", []):
            name, where = parameter["name"], parameter["in"]
            is_needed = parameter.get("required") or where == "path" or name in needed
            if not is_needed and self.random.random() < 0.5:
                continue
            value = self.value(parameter.get("schema", {}), name, 3)
            for one in value if isinstance(value, list) else [value]:
                text = one if isinstance(one, str) else json.dumps(one)
                if where == "path":
                    place = place.replace("{" + name + "}", quote(text))
                elif where == "query":
                    query.append((name, text))
                elif text.isascii() and text.isprintable():
                    headers.append((name, text))
        schema = self.description.schema(operation)
        body = None if schema is None else JSONBody(self.value(schema, "", 0))
        return Request("key", method, place, query, body, headers, template=path)

    def value(self, schema, name, depth, parent=""):
        schema = self.description.resolve(schema)
        random = self.random
        if not isinstance(schema, dict):
            return {}
        preferred = PREFERRED.get(f"{parent}.{name}") or PREFERRED.get(name)
        is_plain = not ({"properties", "items", "anyOf", "$ref"} & set(schema))
        if preferred and is_plain and random.random() < 0.9:
            return random.choice(preferred)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return random.choice(schema["enum"])
        if "anyOf" in schema and "type" not in schema:
            return self.value(random.choice(schema["anyOf"]), name, depth, parent)
        known = self.pool.of(name)
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = random.choice([one for one in kind if one != "null" or random.random() < 0.2])
        if known and kind in (None, "string") and random.random() < 0.95:
            return str(random.choice(known))
        if schema.get("examples") and random.random() < 0.6:
            return self.example(schema, name, depth)
        if kind == "object" or "properties" in schema:
            return self.object(schema, name, depth)
        if kind == "array":
            most = min(schema.get("maxItems", 3), 3)
            count = random.randint(min(schema.get("minItems", 1), most), most)
            return [
                self.value(schema.get("items", {}), name.removesuffix("s"), depth + 1)
                for _ in range(count)
            ]
        if kind == "integer":
            return random.randint(
                max(schema.get("minimum", 0), -1_000), min(schema.get("maximum", 100), 1_000)
            )
        if kind == "number":
            return random.choice([0, 1, 2.5, 480, -3])
        if kind == "boolean":
            return random.random() < 0.5
        if kind == "null":
            return None
        return self.text(schema, name)

    def example(self, schema, name, depth):
        """The description's example; one for several operations may lack what this one needs."""
        example = json.loads(json.dumps(self.random.choice(schema["examples"])))
        if isinstance(example, dict):
            for key in schema.get("required", []):
                if key not in example:
                    example[key] = self.value(
                        schema["properties"].get(key, {}), key, depth + 1, name
                    )
        return example

    def object(self, schema, name, depth):
        made = {}
        required = list(schema.get("required", []))
        if "anyOf" in schema:
            # Members that stand for each other: one of them is needed.
            required += self.random.choice(schema["anyOf"])["required"]
        properties = schema.get("properties", {})
        optional = [key for key in properties if key not in required]
        self.random.shuffle(optional)
        some = optional[: self.random.randint(0, 4 if depth else 6)] if depth < 6 else []
        for key in [*required, *some]:
            made[key] = self.value(properties.get(key, {}), key, depth + 1, name)
        # Custom attributes and properties have any name.
        if not properties or name in ("attribute", "attributes"):
            made = {**free_object(self.random, name), **made}
        return made

    def text(self, schema, name):
        if schema.get("format") == "uuid":
            return str(uuid.UUID(int=self.random.randrange(1, 8)))
        if name == "time" or name.endswith(("_at", "_time", "_date")):
            return "2026-07-04T18:30:00Z"
        made = self.random.choice(["tea", "Hello {{${first_name}}}", "1", name or "text", "a b"])
        return made[: schema.get("maxLength", 100)] or "a"


def free_object(random, name):
    """An object whose members its schema leaves open."""
    if "audience" in name:
        return connected_audience(random)
    members = {
        "plan": "pro",
        "score": 3,
        "visits": {"inc": 1},
        "tags": {"add": ["c"]},
        "is_vip": True,
        "joined": {"$time": "2026-01-31T08:30:00Z"},
        "address": {"zip": "700"},
        "amount": 5,
        "orders": [{"total": 1}],
        "price": 9.5,
        "title": "Tea",
        "old": None,
    }
    keys = random.sample(sorted(members), random.randint(0, 4))
    return {key: members[key] for key in keys}


COMPARISONS = {
    "equals": "pro",
    "not_equal": "pro",
    "does_not_equal": 3,
    "matches_regex": "^p",
    "exists": None,
    "does_not_match_regex": "^p",
    "does_not_exist": None,
    "includes_value": "a",
    "does_not_include_value": "a",
    "greater_than": 3,
    "greater_than_or_equal_to": 3,
    "less_than": 3,
    "less_than_or_equal_to": 3,
    "after": "2026-01-31T00:00:00Z",
    "before": "2026-01-31T00:00:00Z",
    "less_than_x_days_ago": 3,
    "greater_than_x_days_ago": 3,
    "less_than_x_days_in_the_future": 3,
    "greater_than_x_days_in_the_future": 3,
}


def connected_audience(random, depth=0):
    """A filter in the form of the REST API's connected audiences."""
    if depth < 4 and random.random() < 0.35:
        return {
            random.choice(["AND", "OR"]): [
                connected_audience(random, depth + 1) for _ in range(random.randint(1, 3))
            ]
        }
    kind = random.random()
    if kind < 0.75:
        comparison = random.choice(sorted(COMPARISONS))
        made = {
            "custom_attribute_name": random.choice(
                ["plan", "score", "joined", "tags", "address.zip"]
            ),
            "comparison": comparison,
        }
        if COMPARISONS[comparison] is not None:
            made["value"] = COMPARISONS[comparison]
        return {"custom_attribute": made}
    if kind < 0.85:
        return {
            "last_used_app": {
                "comparison": random.choice(["after", "before"]),
                "value": "2026-01-31T00:00:00.000+02:00",
            }
        }
    name = random.choice(["push_subscription_status", "email_subscription_status"])
    return {
        name: {
            "comparison": random.choice(["is", "is_not"]),
            "value": random.choice(["opted_in", "subscribed", "unsubscribed"]),
        }
    }
