"""The console's pages, crawled: their forms and links are what is fuzzed, so new ones are too."""

import html.parser
import re
import urllib.parse

from .inputs import FormBody, Request


class Form:
    """A form as a browser would send it."""

    def __init__(self, page, method, action, has_files):
        self.page, self.method, self.action, self.has_files = page, method, action, has_files
        # (name, value, other values that may be chosen)
        self.fields = []
        self.files = []

    @property
    def shape(self):
        names = tuple(sorted({name for name, _, _ in self.fields} | set(self.files)))
        return self.method, template(self.action), names

    def defaults(self):
        return [(name, value) for name, value, _ in self.fields if name != "csrf"]


class Reader(html.parser.HTMLParser):
    """Forms and links of one page."""

    def __init__(self, address):
        super().__init__(convert_charrefs=True)
        self.address = address
        self.forms, self.links = [], []
        self.form = self.select = self.area = None
        # Fields may name their form by id, outside of it.
        self.by_id = {}

    def handle_starttag(self, tag, attributes):
        fields = {name: value or "" for name, value in attributes}
        for name in ("href", "data-href", "data-later", "data-suggest", "data-palette"):
            if fields.get(name, "").startswith("/"):
                self.links.append(fields[name])
        if tag == "form":
            action = urllib.parse.urljoin(self.address, fields.get("action") or self.address)
            self.form = Form(
                self.address,
                fields.get("method", "get").upper(),
                action,
                "multipart" in fields.get("enctype", ""),
            )
            self.forms.append(self.form)
            if "id" in fields:
                self.by_id[fields["id"]] = self.form
            for name, value in fields.items():
                # What the page's scripts post the form to: previews, counts, tests.
                if name.startswith("data-") and value.startswith("/console"):
                    also = Form(self.address, "POST", value, False)
                    also.fields = self.form.fields
                    self.forms.append(also)
        form = self.by_id.get(fields.get("form"), self.form)
        if "formaction" in fields and form is not None:
            also = Form(self.address, "POST", fields["formaction"], form.has_files)
            also.fields, also.files = form.fields, form.files
            self.forms.append(also)
        name = fields.get("name")
        if form is None or not name:
            return
        if tag in ("input", "button"):
            kind = fields.get("type", "text")
            if kind == "file":
                form.files.append(name)
            elif kind in ("radio", "checkbox"):
                self.choice(form, name, fields.get("value", "on"), "checked" in fields)
            else:
                form.fields.append((name, fields.get("value", ""), []))
        elif tag == "select":
            self.select = [name, None, []]
            form.fields.append((name, "", self.select[2]))
            self.select.append(len(form.fields) - 1)
            self.select.append(form)
        elif tag == "textarea":
            self.area = [form, name, ""]

    def choice(self, form, name, value, is_checked):
        for index, (known, chosen, others) in enumerate(form.fields):
            if known == name and others:
                others.append(value)
                if is_checked:
                    form.fields[index] = (name, value, others)
                return
        form.fields.append((name, value if is_checked else "", [value]))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_data(self, data):
        if self.area:
            self.area[2] += data

    def handle_endtag(self, tag):
        if tag == "form":
            self.form = None
        elif tag == "textarea" and self.area:
            form, name, text = self.area
            form.fields.append((name, text, []))
            self.area = None
        elif tag == "select":
            self.select = None

    def unknown_decl(self, data):
        pass


class Options(Reader):
    """The same, with what a select offers."""

    def handle_starttag(self, tag, attributes):
        if tag == "option" and self.select:
            fields = dict(attributes)
            value = fields.get("value") or ""
            self.select[2].append(value)
            name, _, others, index, form = self.select
            if "selected" in fields or len(others) == 1:
                form.fields[index] = (name, value, others)
        super().handle_starttag(tag, attributes)


def read(address, text):
    reader = Options(address)
    reader.feed(text)
    return reader.forms, reader.links


def template(address):
    """An address without its numbers and query: pages of one kind look alike."""
    path = address.split("?")[0].split("#")[0]
    path = re.sub(r"/\d+(?=/|$)", "/{number}", path)
    path = re.sub(r"/[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}(?=/|$)", "/{id}", path)
    return re.sub(r"(/catalogs/)[^/]+(.*)", r"\1{name}\2", path)


class Crawl:
    """Pages found from the console's first one; of each kind only some are opened."""

    # Signing out ends the session; the list of changes is a stream without an end.
    avoided = ("/console/logout", "/console/login", "/console/push/changes", "/sdk/", "/assets/")

    def __init__(self, site, who="admin", of_each=3):
        self.site, self.who, self.of_each = site, who, of_each
        self.forms, self.pages, self.answers = {}, [], []

    def run(self, limit=150, first=("/console",)):
        waiting, known, counts = list(first), set(first), {}
        while waiting and len(self.pages) < limit:
            address = waiting.pop(0)
            kind = template(address) + ("?" if "?" in address else "")
            counts[kind] = counts.get(kind, 0) + 1
            if counts[kind] > self.of_each:
                continue
            request = get(address, self.who)
            answer = self.site.call(request)
            self.pages.append(address)
            self.answers.append((request, answer))
            if answer.failure:
                break
            if not answer.headers.get("Content-Type", "").startswith("text/html"):
                continue
            forms, links = read(address, answer.text)
            for form in forms:
                if form.action.startswith("/console") and not form.action.startswith(self.avoided):
                    self.forms[form.shape] = form
            for link in links:
                link = link.split("#")[0]
                if (
                    link not in known
                    and link.startswith("/console")
                    and not link.startswith(self.avoided)
                ):
                    known.add(link)
                    waiting.append(link)
        return self


def get(address, who="admin"):
    """A request for an address as a page has it, with its query."""
    path, _, query = address.partition("?")
    pairs = urllib.parse.parse_qsl(query, keep_blank_values=True)
    return Request(who, "GET", path, pairs, template=template(path))


def submit(form, fields, files=(), who="admin"):
    """The request of a form with these fields."""
    path, _, query = form.action.partition("?")
    pairs = urllib.parse.parse_qsl(query, keep_blank_values=True)
    if form.method == "GET":
        return Request(who, "GET", path, pairs + list(fields), template=template(path))
    body = FormBody(fields, files, form.has_files)
    return Request(who, "POST", path, pairs, body, template=template(path))
