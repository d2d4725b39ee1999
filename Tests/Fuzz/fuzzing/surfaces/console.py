"""The console: forms and queries of all pages that a crawl finds."""

from .. import extremes, trees
from ..inputs import quote
from ..pages import Crawl, get, submit
from ..surface import Surface

# Parameters that pages read from their address, beside those of their forms and links.
PARAMETERS = [
    "page",
    "size",
    "sort",
    "text",
    "before",
    "from",
    "until",
    "state",
    "period",
    "about",
    "user",
]


# Those that are numbers.
NUMBERS = ["page", "page", "before", "size"]


class Console(Surface):
    def prepare(self):
        self.refresh()

    def refresh(self):
        """Looks at the pages as they are now."""
        for who in ("admin", "marketer", "viewer"):
            if self.site.is_signed_out(self.site.call(get("/console", who))):
                self.site.sign_in(who)
        crawl = Crawl(self.site, of_each=2).run(limit=90)
        self.forms = list(crawl.forms.values())
        self.pages = crawl.pages

    def make(self):
        if self.random.random() < 0.3 or not self.forms:
            return self.address()
        return self.form()

    def who(self):
        return self.random.choices(["admin", "marketer", "viewer"], [8, 1, 1])[0]

    def address(self):
        random = self.random
        request = get(random.choice(self.pages), self.who())
        for _ in range(self.times()):
            kind = random.random()
            parts = request.path.split("/")
            numbers = [
                index
                for index, part in enumerate(parts)
                if part.isdigit() or (index > 2 and len(part) > 30) or parts[2:3] == ["catalogs"]
            ]
            value = extremes.text(random)[:4_000]
            if kind < 0.3 and numbers and numbers[-1] > 1:
                parts[numbers[-1]] = quote(value) or "%00"
                request.path = "/".join(parts)
            elif kind < 0.6 and request.query:
                index = random.randrange(len(request.query))
                request.query[index] = (request.query[index][0], value)
            elif kind < 0.8:
                request.query.append((random.choice(NUMBERS), extremes.number_text(random)))
            else:
                request.query.append((random.choice(PARAMETERS), value))
        return request

    def form(self):
        random = self.random
        form = random.choice(self.forms)
        fields = []
        for name, value, others in form.fields:
            if name == "csrf":
                continue
            if others and random.random() < 0.3:
                value = random.choice(others)
            if value == "" and not others and random.random() < 0.5:
                value = random.choice(["a", "1", "Tea", "2026-01-31T08:30", "3", "ada@example.com"])
            fields.append((name, value))
        files = [
            (name, "file", trees.mutate_bytes(random, b"id\nada\n" * random.choice([1, 3])))
            for name in form.files
        ]
        for _ in range(self.times()):
            if not fields:
                break
            index = random.randrange(len(fields))
            name, value = fields[index]
            kind = random.random()
            if kind < 0.7:
                fields[index] = (name, extremes.text(random))
            elif kind < 0.8:
                fields[index] = (name, trees.bend(random, value))
            elif kind < 0.9:
                fields.append((name, extremes.text(random)))
            else:
                del fields[index]
        request = submit(form, fields, files, self.who())
        # Keys of the fuzzer itself are not to be revoked.
        if "revoke" in request.path and any(value.startswith("fuzz") for _, value in fields):
            return self.address()
        return request
