"""The reading back: everything that is stored has to be readable after a restart."""

import csv
import io
import json
import time
import zipfile

from . import program
from .content import Pool
from .extremes import CANARIES
from .inputs import JSONBody, Request
from .pages import Crawl, get, template
from .schemas import Description, Maker
from .verdict import Fault, judge

csv.field_size_limit(1 << 27)
# A day that everything of the fuzzer's own falls on or before, for series.
LENGTH = [("length", "30"), ("unit", "day")]


def still(row):
    """What of an exported row has no reason to change by itself."""
    return {
        key: row[key]
        for key in (
            "external_id",
            "first_name",
            "custom_attributes",
            "plan",
            "name",
            "email",
            "user_aliases",
            "properties",
        )
        if key in row
    }


def fault_of(site, request, answer, reads=None):
    """What is wrong with reading this, or None."""
    place = f"{request.method} {request.template}"
    fault = site.ended(place, answer) or judge(answer, place)
    if fault is None and reads:
        try:
            reads(answer)
        except (ValueError, KeyError, zipfile.BadZipFile, csv.Error, RecursionError) as problem:
            fault = Fault("unreadable", place, f"{answer.status}: {problem!r} {answer.text[:200]}")
    if fault is not None:
        fault.check = request
        if fault.kind == "refused":
            fault.kind = "unreadable"
    return fault


def strict_json(answer):
    """JSON as every reader takes it: no NaN, no infinity."""

    def refuse(text):
        raise ValueError(f"{text} is no JSON")

    if answer.headers.get("Content-Type", "").startswith("application/json"):
        json.loads(answer.body, parse_constant=refuse)


class Sweep:
    """One reading; `limit` bounds its seconds, so that of details only some are read."""

    def __init__(self, site, random, limit):
        self.site, self.random = site, random
        self.deadline = time.monotonic() + limit
        self.faults = []
        self.read = 0

    @property
    def has_time(self):
        return time.monotonic() < self.deadline and self.site.program.is_alive

    def look(self, request, reads=strict_json):
        answer = self.site.call(request)
        self.read += 1
        fault = fault_of(self.site, request, answer, reads)
        if fault is not None and fault.name not in {known.name for known in self.faults}:
            self.faults.append(fault)
        return answer

    def run(self):
        self.look(Request("nobody", "GET", "/ready"))
        if self.site.program.is_alive:
            self.rest()
        if self.site.program.is_alive:
            self.exports()
        if self.site.program.is_alive:
            self.console()
        return self.faults

    def rest(self):
        """Every list and series of the REST API, with parameters from what the lists gave."""
        description, pool = Description(self.site), Pool()
        for path in description.lists:
            answer = self.look(Request("key", "GET", path))
            if answer.status == 200 and answer.body[:1] == b"{":
                pool.learn(json.loads(answer.body))
        maker = Maker(description, pool, self.random)
        reading = [one for one in description.operations if one[0] == "GET"]
        for method, path, operation in reading:
            request = maker.request(method, path, operation)
            if "series" in path or "summary" in path:
                names = {name for name, _ in request.query}
                request.query += [pair for pair in LENGTH if pair[0] not in names]
            self.look(request)
            # Lists have pages; the second shows what the first does not.
            if any(one["name"] == "page" for one in operation.get("parameters", [])):
                self.look(request.with_(query=[("page", "1")]))

    def exports(self):
        """Every user, event and send, one line each, and users as the REST API exports them."""
        for kind in ("users", "events", "sends"):
            place = f"noroshi-server export {kind}"
            code, output, errors = program.run(["export", kind], self.site.environment())
            said = errors.decode("utf-8", "replace")
            if code != 0:
                self.faults.append(Fault("unreadable", place, f"code {code}: {said[-1500:]}"))
                continue
            ids, seen = [], {}
            # Not by lines as Python has them: those end at U+2028 and others too.
            for line in output.decode("utf-8", "replace").split("\n"):
                if not line:
                    continue
                try:
                    row = json.loads(line)
                except ValueError as problem:
                    self.faults.append(Fault("unreadable", place, f"{problem!r} {line[:300]}"))
                    break
                name = row.get("external_id") if kind == "users" else row.get("name")
                if name in CANARIES and kind != "sends":
                    seen.setdefault(name, []).append(still(row))
                if kind == "users" and isinstance(row.get("external_id"), str):
                    ids.append(row["external_id"])
            self.canaries(kind, seen)
            if kind == "users":
                self.random.shuffle(ids)
                for start in range(0, min(len(ids), 1_000), 50):
                    some = ids[start : start + 50]
                    if self.has_time:
                        self.look(
                            Request(
                                "key",
                                "POST",
                                "/users/export/ids",
                                body=JSONBody({"external_ids": some}),
                            )
                        )

    def canaries(self, kind, seen):
        """What no input has named must be as it was before the first one."""
        if kind == "sends":
            return
        known = self.site.secrets.setdefault("canaries", {}).setdefault(kind, seen)
        for name in CANARIES:
            if seen.get(name) != known.get(name):
                detail = f"'{name}' was not named by any input.\nbefore: {known.get(name)}\nnow: {seen.get(name)}"
                self.faults.append(Fault("aliased", f"noroshi-server export {kind}", detail))

    def console(self):
        """The console's pages, the newest users and their timelines first."""
        crawl = Crawl(self.site, of_each=4)
        for who in ("admin",):
            if self.site.is_signed_out(self.site.call(get("/console", who))):
                self.site.sign_in(who)
        crawl.run(limit=120)
        for request, answer in crawl.answers:
            self.read += 1
            if any(fault.kind == "ended" for fault in self.faults):
                return
            fault = fault_of(self.site, request, answer)
            if fault is not None and fault.name not in {known.name for known in self.faults}:
                self.faults.append(fault)
        for address in ("/console/push/export.csv",):
            self.look(get(address), reads=as_rows)
        for page in sorted(set(crawl.pages)):
            if template(page) == "/console/users/{number}" and self.has_time:
                self.look(get(page.split("?")[0] + "/timeline"), reads=None)


def as_rows(answer):
    list(csv.reader(io.StringIO(answer.body.decode("utf-8"))))


def check_again(site, fault):
    """The fault that the request of a reading shows now, or None."""
    if fault.check is None:
        return None
    return fault_of(site, fault.check, site.call(fault.check), strict_json)
