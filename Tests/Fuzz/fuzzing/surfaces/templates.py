"""Liquid: templates in previews, pushes, content blocks and in-app messages."""

import json
import os

from .. import extremes, trees
from ..inputs import FormBody, JSONBody, Request
from ..surface import Surface

FILTERS = [
    "abs",
    "append",
    "at_least",
    "at_most",
    "base64_decode",
    "base64_encode",
    "capitalize",
    "ceil",
    "compact",
    "concat",
    "count_words",
    "date",
    "default",
    "divided_by",
    "downcase",
    "escape",
    "escape_once",
    "first",
    "floor",
    "hmac_sha1_hex",
    "hmac_sha256",
    "join",
    "json_escape",
    "json_parse",
    "last",
    "lstrip",
    "map",
    "md5",
    "minus",
    "modulo",
    "newline_to_br",
    "number_with_delimiter",
    "number_to_currency",
    "plus",
    "prepend",
    "property_accessor",
    "remove",
    "remove_first",
    "replace",
    "replace_first",
    "reverse",
    "round",
    "rstrip",
    "sha1",
    "sha2",
    "size",
    "slice",
    "sort",
    "sort_natural",
    "split",
    "strip",
    "strip_html",
    "strip_newlines",
    "sum",
    "times",
    "time_zone",
    "truncate",
    "truncatewords",
    "uniq",
    "upcase",
    "url_decode",
    "url_encode",
    "url_escape",
    "url_param_escape",
    "where",
    "as_json_string",
    "uuid",
    "nothing",
]
VALUES = [
    "${first_name}",
    "{{${first_name}}}",
    "custom_attribute.${score}",
    "custom_attribute.${tags}",
    "custom_attribute.${orders}",
    "event_properties.${sku}",
    "api_trigger_properties.${a}",
    "'now'",
    "'text'",
    "nil",
    "true",
    "empty",
    "blank",
    "x",
    "x[0]",
    "x.size",
    "(1..3)",
    "campaign.${name}",
    "${user_id}",
    "${random_bucket_number}",
    "${time_zone}",
    "${language}",
    "targeted_device.${id}",
]
FORMATS = [
    "%Y-%m-%d",
    "%s",
    "%N",
    "%10000d",
    "%^%",
    "%",
    "%-",
    "%:z",
    "%::::z",
    "%U %W %V %G",
    "%c%+",
    "%Q",
]
CASES = os.path.join(os.path.dirname(__file__), "../../../Core/LiquidTests/Cases")


class Templates(Surface):
    def prepare(self):
        self.known = []
        for folder, _, names in os.walk(CASES):
            for name in sorted(names):
                if name.endswith(".json"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        self.collect(json.load(file))

    def collect(self, value):
        """The templates in a file of cases."""
        if isinstance(value, dict):
            if isinstance(value.get("template"), str):
                self.known.append(value["template"])
            for inner in value.values():
                self.collect(inner)
        elif isinstance(value, list):
            for inner in value:
                self.collect(inner)

    def make(self):
        random = self.random
        if self.known and random.random() < 0.3:
            text = random.choice(self.known)
        else:
            text = "".join(self.piece(0) for _ in range(random.randint(1, 3)))
        for _ in range(random.choice([0, 1, 1, 2])):
            text = trees.bend(random, text)
        return self.sent(text[:60_000])

    def sent(self, text):
        random = self.random
        kind = random.random()
        if kind < 0.5:
            fields = [
                ("title", "Tea"),
                ("message", text),
                ("audience", "everyone"),
                ("badge", "unchanged"),
                ("previewUser", random.choice(["ada", "bob", ""])),
            ]
            if random.random() < 0.3:
                fields[0] = ("title", text)
            return Request("marketer", "POST", "/console/push/preview", body=FormBody(fields))
        if kind < 0.65:
            fields = [
                ("name", "w"),
                ("type", "modal"),
                ("message", text),
                ("previewUser", "ada"),
                ("audience", "everyone"),
                ("trigger", "session_start"),
            ]
            return Request("marketer", "POST", "/console/in-app/preview", body=FormBody(fields))
        if kind < 0.85:
            message = {"alert": {"title": "Tea", "body": text}}
            if random.random() < 0.3:
                message["extra"] = {"k": text}
            body = {"external_user_ids": ["ada", "bob"], "messages": {"apple_push": message}}
            return Request("key", "POST", "/messages/send", body=JSONBody(body))
        body = {"name": f"block{random.randrange(30)}", "content": text}
        return Request("key", "POST", "/content_blocks/create", body=JSONBody(body))

    def number(self):
        return extremes.number_text(self.random)

    def value(self):
        random = self.random
        kind = random.random()
        if kind < 0.3:
            return self.number()
        if kind < 0.45:
            return "'" + random.choice(extremes.TIMES) + "'"
        if kind < 0.6:
            return "'" + extremes.text(random).replace("'", "")[:500] + "'"
        return random.choice(VALUES)

    def filters(self):
        random = self.random
        made = ""
        for _ in range(random.choice([0, 1, 1, 2, 4])):
            name = random.choice(FILTERS)
            made += f" | {name}"
            arguments = [self.value() for _ in range(random.choice([0, 1, 1, 2]))]
            if name == "date" and random.random() < 0.7:
                arguments = [f"'{random.choice(FORMATS)}'"]
            if name == "time_zone":
                arguments = [f"'{random.choice(extremes.ZONES)}'".replace("\x00", "")]
            if arguments:
                made += ": " + ", ".join(arguments)
        return made

    def piece(self, depth):
        random = self.random
        inner = lambda: self.piece(depth + 1) if depth < 3 else "a"
        first = f"(1..{self.number()})"
        return random.choice(
            [
                lambda: "{{ " + self.value() + self.filters() + " }}",
                lambda: "{{ " + self.value() + self.filters() + " }}",
                lambda: "{{ " + self.value() + self.filters() + " }}",
                lambda: "{% assign x = " + self.value() + self.filters() + " %}{{ x }}",
                lambda: "{% for i in "
                + random.choice([first, "x", "custom_attribute.${tags}"])
                + random.choice(
                    ["", f" limit: {self.number()}", f" offset: {self.number()}", " reversed"]
                )
                + " %}"
                + inner()
                + "{% endfor %}",
                lambda: "{% tablerow i in (1..3) cols: "
                + self.number()
                + " %}"
                + inner()
                + "{% endtablerow %}",
                lambda: "{% if "
                + self.value()
                + random.choice([" == ", " > ", " contains ", " <= "])
                + self.value()
                + " %}"
                + inner()
                + "{% else %}b{% endif %}",
                lambda: "{% case "
                + self.value()
                + " %}{% when "
                + self.value()
                + " %}"
                + inner()
                + "{% endcase %}",
                lambda: "{% capture x %}" + inner() + "{{ x }}{{ x }}{% endcapture %}{{ x }}",
                lambda: "{% cycle " + self.value() + ", 'b' %}",
                lambda: "{% increment x %}",
                lambda: "{% raw %}{{ }}{% endraw %}",
                lambda: "{% comment %}" + inner() + "{% endcomment %}",
                lambda: "{% abort_message(" + self.value() + ") %}",
                lambda: "{% break %}",
                lambda: "{{content_blocks.${"
                + random.choice(["greeting", "footer", "block1", "x"])
                + "}}}",
                lambda: "{% catalog_items teas T-1, " + self.value() + " %}{{ items[0].price }}",
                lambda: "{% connected_content http://127.0.0.1:9/ :save x %}{{ x }}",
                lambda: "{% "
                + random.choice(["if", "for i in", "nothing", "liquid", "else", "endfor"])
                + " %}",
                lambda: "{% if a %}" * random.choice([10, 100, 1_000]) + inner(),
                lambda: "{{ " + "a" + ".b" * random.choice([10, 1_000]) + " }}",
            ]
        )()
