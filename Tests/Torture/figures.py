#!/usr/bin/env python3
"""The figures of docs/figures.md for a random history, against an independent calculation.

  figures.py BINARY [--users 2000] [--seed 1]

A server and Apple's simulator run on this machine. Thousands of people sign up on phones that they
share, log out, begin sessions, buy, get pushes, report late and out of order, are merged, renamed
and deleted. All of it is told over HTTP; only the moment at which a push was accepted, which the
server decides, is read from its database. What the server says of every push and of every day has
to be what is computed here from what was told; and again after `analytics rebuild`.
"""
import argparse
import collections
import datetime
import http.cookiejar
import json
import os
import random
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import uuid
import zoneinfo

ZONE = "America/New_York"
DAY = 86_400_000
DAYS = 45
faults = []


def judge(what, is_good):
    if not is_good or not what.startswith("push "):
        print(("ok     " if is_good else "FAILED ") + what, flush=True)
    if not is_good:
        faults.append(what)


def now():
    return int(time.time() * 1000)


class Server:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.environment = dict(os.environ, TZ=ZONE)
        self.path = f"{folder}/figures.sqlite"
        self.options = ["--database", f"sqlite:{self.path}"]
        self.key = self.command("apikey", "create", "--name", "figures", "--permissions", "*")
        self.password = self.command("member", "create", "--email", "ada@example.org",
                                     "--name", "Ada")
        self.sdk = self.command("app", "create", "--name", "Tea", "--bundle-id", "example.tea")
        authority = f"{folder}/authority.pem"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.apns = subprocess.Popen(
            [binary, "simulate", "apns", "--listen", f"127.0.0.1:{port}", "--accept-anything",
             "--authority-file", authority],
            stdout=subprocess.DEVNULL,
        )
        signing = f"{folder}/AuthKey_ABCDE12345.p8"
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-out", signing], check=True, stderr=subprocess.DEVNULL,
        )
        self.command("credentials", "apns", "--app", "example.tea", "--p8", signing,
                     "--key-id", "ABCDE12345", "--team-id", "TEAM123456")
        while not os.path.exists(authority):
            time.sleep(0.05)
        self.process = subprocess.Popen(
            [binary, "serve", *self.options, "--listen", "127.0.0.1:0", "--log-level", "error",
             "--apns-server", f"127.0.0.1:{port}", "--apns-authority", authority,
             "--sdk-limit", "10000000", "--track-limit", "10000000",
             "--request-limit", "10000000", "--synchronous", "normal"],
            stdout=subprocess.PIPE, text=True, env=self.environment,
        )
        line = self.process.stdout.readline()
        if ":" not in line:
            self.stop()
            raise SystemExit("the server did not start")
        self.port = int(line.strip().rsplit(":", 1)[1])

    def command(self, *words):
        done = subprocess.run([self.binary, *words, *self.options], capture_output=True, text=True,
                              env=self.environment)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(words)}: {done.stderr}")
        return (done.stdout.strip().splitlines() or [""])[-1]

    def output(self, *words):
        return subprocess.run([self.binary, *words, *self.options], capture_output=True, text=True,
                              env=self.environment, check=True).stdout

    def ask(self, path, body=None, key=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {key or self.key}",
                     "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as problem:
            raise SystemExit(f"{path}: {problem.code} {problem.read().decode()}")

    def rows(self, sql, *values):
        database = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=30)
        try:
            return database.execute(sql, values).fetchall()
        finally:
            database.close()

    def stop(self):
        for process in (self.process, self.apns):
            process.terminate()
            process.wait(20)


class Console:
    """A browser that is signed in."""

    def __init__(self, server):
        self.address = f"http://127.0.0.1:{server.port}/console"
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        token = re.search(r'name="token" value="([^"]+)"', self.get("/login"))[1]
        self.send("/login", email="ada@example.org", password=server.password, token=token)

    def get(self, path):
        return self.opener.open(self.address + path, timeout=60).read().decode()

    def send(self, path, **fields):
        data = urllib.parse.urlencode(fields).encode()
        return self.opener.open(self.address + path, data, timeout=60).read().decode()

    def post(self, path, page, **fields):
        token = re.search(r'name="csrf" value="([^"]+)"', self.get(page))[1]
        return self.send(path, csrf=token, **fields)


class Person:
    def __init__(self):
        self.name = None
        self.sessions, self.events, self.purchases = [], [], []


class Phone:
    def __init__(self, number):
        self.number = number
        self.device = str(uuid.uuid4())
        self.token = f"{number:064x}"
        self.user = {"anonymous_id": str(uuid.uuid4())}
        self.person = None


class Row:
    """A push to a phone, for who had it then."""

    def __init__(self, phone, person, accepted, is_unreported):
        self.phone, self.person, self.accepted = phone, person, accepted
        self.is_unreported = is_unreported
        self.receipts, self.is_opened, self.is_received = [], False, False


class History:
    def __init__(self, server, users, seed):
        self.server, self.random = server, random.Random(seed)
        self.phones = [Phone(number) for number in range(users * 3 // 4)]
        self.users, self.made = users, 0
        # Who is known by which name or identifier.
        self.known = {}
        self.people = []
        self.pushes = collections.OrderedDict()
        # Pushes of the people who are gone, by push: [opened directly, influenced].
        self.gone = collections.defaultdict(lambda: [0, 0])
        self.gone_rows = collections.defaultdict(list)
        # Pushes of the campaign, as lists of who they were for.
        self.messages = {}
        console = Console(server)
        console.post("/campaigns/save", "/campaigns/new", **{
            "name": "Tea", "v0.message": "Still there?", "audience": "everyone", "delivery": "api",
            "again": "after", "againDays": "0", "conversionEvent": "purchase",
            "conversionDays": "1", "quietHours": "ignore", "ignoresCaps": "yes"})
        review = console.get("/campaigns/1/activate")
        version = re.search(r'name="version" value="([^"]+)"', review)[1]
        console.post("/campaigns/1/activate", "/campaigns/1", version=version)
        identifier, state = server.rows("SELECT api_id, state FROM campaigns")[0]
        if state != "active":
            raise SystemExit(f"the campaign is {state}")
        self.campaign = str(uuid.UUID(bytes=bytes(identifier)))

    # What is told

    def record(self, kind, at, user, **more):
        return {"id": str(uuid.uuid4()), "seq": 1, "time_ms": at, "user": user, "type": kind,
                **more}

    def tell(self, phone, *records):
        answer = self.server.ask(
            "/sdk/v1/batch",
            {"device": {"id": phone.device, "platform": "ios", "time_zone": ZONE},
             "records": list(records)},
            self.server.sdk,
        )
        if answer.get("rejected"):
            raise SystemExit(f"refused: {answer['rejected']}")

    def past(self):
        return now() - self.random.randrange(1, 40 * DAY)

    def person(self, user):
        key = json.dumps(user)
        if key not in self.known:
            self.known[key] = Person()
            self.people.append(self.known[key])
        return self.known[key]

    def acts(self, phone, user, person, at):
        """Something that a person does, as a record."""
        kind = self.random.randrange(4)
        if kind < 2:
            person.sessions.append(at)
            return self.record("session_started", at, user)
        if kind == 2:
            name = self.random.choice(["viewed", "poured"])
            person.events.append((name, at))
            return self.record("event", at, user, name=name, properties={"n": 1})
        price = self.random.randrange(1, 9999) / 100
        quantity = self.random.randrange(1, 4)
        person.purchases.append((at, price, quantity))
        return self.record("purchase", at, user, product=self.random.choice(["tea", "cup"]),
                           currency="JPY", price=price, quantity=quantity, properties={})

    def token(self, phone, at):
        return self.record("push_token", at, phone.user, token={
            "token": phone.token, "provider": "apns", "environment": "production",
            "authorization": "authorized"})

    def sign_up(self, phone):
        """An anonymous past, a name, and what came after: in batches of any order."""
        start = self.past()
        anonymous, name = phone.user, {"external_id": f"user-{self.made}"}
        self.made += 1
        person = self.person(anonymous)
        person.name = name["external_id"]
        self.known[json.dumps(name)] = person
        batches = [
            [self.acts(phone, anonymous, person, start + step) for step in range(3)],
            [self.record("user_changed", start + 10, name, previous=anonymous)],
            [self.acts(phone, name, person, start + 20 + step) for step in range(2)],
        ]
        if self.random.random() < 0.3:
            self.random.shuffle(batches)
        for records in batches:
            self.tell(phone, *records)
        phone.user, phone.person = name, person
        self.tell(phone, self.token(phone, start + 30))

    def log_in(self, phone):
        """Somebody who is known takes the phone, or somebody new does."""
        previous = phone.user
        if self.random.random() < 0.5 and self.made < self.users:
            name = {"external_id": f"user-{self.made}"}
            self.made += 1
            person = self.person(name)
            person.name = name["external_id"]
        else:
            person = self.random.choice([one for one in self.people if one.name])
            name = {"external_id": person.name}
        if name == previous:
            return
        at = self.past()
        phone.user, phone.person = name, person
        self.tell(phone, self.record("user_changed", at, name, previous=previous),
                  self.token(phone, at + 1))

    def live(self, phone):
        at = self.past() if self.random.random() < 0.5 else now()
        self.tell(phone, self.acts(phone, phone.user, phone.person, at))

    def send(self):
        is_mutable = self.random.random() < 0.5
        answer = self.server.ask("/messages/send", {
            "broadcast": True,
            "messages": {"apple_push": {"alert": "Tea is ready", "mutable_content": is_mutable}},
        })
        number, accepted = self.sent(answer)
        self.pushes[number] = [
            Row(phone, phone.person, accepted[uuid.UUID(phone.device).bytes], not is_mutable)
            for phone in self.phones if phone.person
        ]
        judge(f"push {number} went to {len(accepted)} phones",
              len(accepted) == len(self.pushes[number]) and None not in accepted.values())

    def sent(self, answer):
        """The newest push, when all of it is sent: when it was accepted for each device."""
        deadline = time.monotonic() + 300
        while True:
            newest = self.server.rows("SELECT id, state FROM sends ORDER BY id DESC LIMIT 1")
            if newest and newest[0][1] == "finished" and newest[0][0] not in self.pushes \
                    and newest[0][0] not in self.messages:
                break
            if time.monotonic() > deadline:
                raise SystemExit(f"the push {answer} is not finished: {newest}")
            time.sleep(0.05)
        number = newest[0][0]
        return number, {
            bytes(device): at for device, at in self.server.rows(
                "SELECT installation_id, accepted_at FROM dispatches JOIN devices"
                " ON devices.id = device_id WHERE send_id = ?", number)
        }

    def trigger(self):
        """The campaign for some, some of whom buy then."""
        reached = [phone for phone in self.phones if phone.person]
        some = {phone.person for phone in self.random.sample(reached, min(40, len(reached)))}
        answer = self.server.ask("/campaigns/trigger/send", {
            "campaign_id": self.campaign,
            "recipients": [{"external_user_id": person.name} for person in some]})
        number, accepted = self.sent(answer)
        self.messages[number] = [
            [phone.person, accepted[uuid.UUID(phone.device).bytes]]
            for phone in self.phones if phone.person in some]
        for phone in self.phones:
            if phone.person in some and self.random.random() < 0.4:
                at, price = now(), self.random.randrange(1, 9999) / 100
                phone.person.purchases.append((at, price, 1))
                self.tell(phone, self.record(
                    "purchase", at, phone.user, product="tea", currency="JPY", price=price,
                    quantity=1, properties={}))

    def report(self):
        number, rows = self.random.choice(list(self.pushes.items()))
        row = self.random.choice(rows)
        at = now() if self.random.random() < 0.3 else self.past()
        is_open = self.random.random() < 0.2
        self.tell(row.phone, self.record(
            "push", at, row.phone.user,
            push={"kind": "opened" if is_open else "received", "push_no": number,
                  "dispatch": "00000000-0000-0000-0000-000000000000"}))
        row.is_received = True
        if is_open:
            row.is_opened = True
        else:
            row.receipts.append(at)

    def merge(self):
        source, target = self.random.sample([one for one in self.people if one.name], 2)
        self.server.ask("/users/merge", {"merge_updates": [{
            "identifier_to_merge": {"external_id": source.name},
            "identifier_to_keep": {"external_id": target.name}}]})
        target.sessions += source.sessions
        target.events += source.events
        target.purchases += source.purchases
        self.people.remove(source)
        for key, person in list(self.known.items()):
            if person is source:
                self.known[key] = target
        for phone in self.phones:
            if phone.person is source:
                phone.person, phone.user = target, {"external_id": target.name}
        for rows in self.pushes.values():
            for row in rows:
                if row.person is source:
                    row.person = target
        for messages in self.messages.values():
            for message in messages:
                if message[0] is source:
                    message[0] = target

    def rename(self):
        person = self.random.choice([one for one in self.people if one.name])
        name = f"renamed-{uuid.uuid4()}"
        self.server.ask("/users/external_ids/rename", {"external_id_renames": [
            {"current_external_id": person.name, "new_external_id": name}]})
        person.name = name
        self.known[json.dumps({"external_id": name})] = person
        for phone in self.phones:
            if phone.person is person:
                phone.user = {"external_id": name}

    def delete(self):
        person = self.random.choice([one for one in self.people if one.name])
        # Whoever is gone leaves the rows as they are.
        for number, rows in self.pushes.items():
            mine = [row for row in rows if row.person is person]
            if mine:
                self.gone[number][0] += sum(row.is_opened for row in mine)
                self.gone[number][1] += influenced(person, mine)
                self.gone_rows[number] += mine
        self.server.ask("/users/delete", {"external_ids": [person.name]})
        self.people.remove(person)
        for number, messages in self.messages.items():
            self.messages[number] = [one for one in messages if one[0] is not person]
        for number in self.pushes:
            self.pushes[number] = [row for row in self.pushes[number] if row.person is not person]
        # Their phones are new installations to the server.
        for phone in [phone for phone in self.phones if phone.person is person]:
            self.phones.remove(phone)
            for number, rows in self.pushes.items():
                for row in rows:
                    if row.phone is phone:
                        row.phone = None
        for key, known in list(self.known.items()):
            if known is person:
                del self.known[key]

    def run(self):
        for phone in self.phones:
            if self.made < self.users:
                self.sign_up(phone)
        for step in range(8):
            self.send()
            for turn in range(self.users // 2):
                if turn % max(1, self.users // 10) == 0:
                    self.trigger()
                chance = self.random.random()
                phone = self.random.choice(self.phones)
                if chance < 0.12:
                    self.log_in(phone)
                elif chance < 0.5:
                    self.live(phone)
                elif chance < 0.98:
                    self.report_if_possible()
                elif chance < 0.99:
                    self.merge()
                elif chance < 0.995:
                    self.rename()
                else:
                    self.delete()

    def report_if_possible(self):
        state = self.random.getstate()
        number, rows = self.random.choice(list(self.pushes.items()))
        if rows and self.random.choice(rows).phone is not None:
            self.random.setstate(state)
            self.report()


def windows(sessions):
    """Each session with how long before it a push may have come, in milliseconds."""
    sessions = sorted(sessions)
    for index, at in enumerate(sessions):
        window = 1_800_000
        if index > 1:
            window = max(window, (sessions[index - 1] - sessions[0]) // (2 * (index - 1)))
        yield at, window


def influenced(person, rows):
    if any(row.is_opened for row in rows):
        return 0
    arrivals = [at for row in rows for at in row.receipts]
    arrivals += [row.accepted for row in rows if row.is_unreported]
    return int(any(at - window <= arrival <= at
                   for at, window in windows(person.sessions) for arrival in arrivals))


class Comparison:
    def __init__(self, history, server):
        self.history, self.server = history, server
        self.zone = zoneinfo.ZoneInfo(ZONE)

    def all(self, when):
        self.pushes(when)
        people = self.history.people
        sessions = [at for person in people for at in person.sessions]
        self.series(when, "sessions", "/sessions/data_series", {}, "sessions",
                    self.by_day((at, 1) for at in sessions))
        for name in ("viewed", "poured"):
            times = [at for person in people for kind, at in person.events if kind == name]
            self.series(when, f"event {name}", "/events/data_series", {"event": name}, "count",
                        self.by_day((at, 1) for at in times))
        purchases = [one for person in people for one in person.purchases]
        self.series(when, "quantity", "/purchases/quantity_series", {}, "purchase_quantity",
                    self.by_day((at, quantity) for at, _, quantity in purchases))
        self.series(when, "revenue", "/purchases/revenue_series", {"currency": "JPY"}, "revenue",
                    self.by_day((at, round(price * quantity * 1e6)) for at, price, quantity
                                in purchases), 1e6)
        active = collections.defaultdict(set)
        for person in people:
            for at in person.sessions:
                active[self.day(at)].add(person)
        self.series(when, "daily active users", "/kpi/dau/data_series", {}, "dau",
                    {day: len(users) for day, users in active.items()})
        month = {}
        for day in self.days():
            range_ = [day - datetime.timedelta(days=back) for back in range(30)]
            month[day] = len(set().union(*(active[one] for one in range_)))
        self.series(when, "monthly active users", "/kpi/mau/data_series", {}, "mau", month)
        conversions = self.conversions()
        campaign = {"campaign_id": self.history.campaign}
        self.series(when, "conversions", "/campaigns/data_series", campaign, "conversions",
                    self.by_day((at, 1) for at, _ in conversions))
        self.series(when, "revenue of conversions", "/campaigns/data_series", campaign, "revenue",
                    self.by_day(conversions))

    def conversions(self):
        """Each purchase for the latest message of the day before it, each message once."""
        sent = collections.defaultdict(dict)
        for number, messages in self.history.messages.items():
            for person, at in messages:
                sent[person][number] = min(at, sent[person].get(number, at))
        found = []
        for person, messages in sent.items():
            converted = set()
            for at, price, quantity in sorted(person.purchases, key=lambda one: one[0]):
                before = [(moment, number) for number, moment in messages.items()
                          if moment <= at <= moment + DAY]
                if before and max(before)[1] not in converted:
                    converted.add(max(before)[1])
                    found.append((at, price * quantity))
        return found

    def pushes(self, when):
        lines = self.server.output("export", "sends").splitlines()
        found = {row["push_no"]: row for row in map(json.loads, lines)}
        totals = collections.Counter()
        for number, rows in self.history.pushes.items():
            everyone = rows + self.history.gone_rows[number]
            direct = sum(row.is_opened for row in rows) + self.history.gone[number][0]
            by_person = collections.defaultdict(list)
            for row in rows:
                by_person[row.person].append(row)
            indirect = sum(influenced(*one) for one in by_person.items())
            indirect += self.history.gone[number][1]
            expected = {
                "accepted": len(everyone), "received": sum(row.is_received for row in everyone),
                "direct_opens": direct, "opened": direct + indirect,
            }
            said = {name: found[number][name] for name in expected}
            judge(f"push {number} {when}: {said}, expected {expected}", said == expected)
            totals.update(expected)
        judge(f"pushes {when}: {dict(totals)}", not faults)

    def day(self, at):
        return datetime.datetime.fromtimestamp(at / 1000, self.zone).date()

    def days(self):
        today = self.day(now())
        return [today - datetime.timedelta(days=back) for back in range(DAYS)]

    def by_day(self, values):
        days = collections.Counter()
        for at, value in values:
            days[self.day(at)] += value
        return days

    def series(self, when, name, path, parameters, field, expected, scale=1):
        query = urllib.parse.urlencode({"length": DAYS, **parameters})
        said = {row["time"][:10]: row[field]
                for row in self.server.ask(f"{path}?{query}")["data"]}
        wrong = []
        for day in self.days():
            value = expected.get(day, 0) / scale
            if abs(said.get(day.isoformat(), 0) - value) > 1e-6 * max(1, abs(value)):
                wrong.append((day.isoformat(), said.get(day.isoformat()), value))
        judge(f"{name} {when}: {sum(expected.values()) / scale:g} on {DAYS} days"
              + (f", not so (said, expected): {wrong[:3]}" if wrong else ""), not wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--users", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(options.binary, folder)
        try:
            history = History(server, options.users, options.seed)
            history.run()
            comparison = Comparison(history, server)
            comparison.all("as facts came")
            server.command("analytics", "rebuild")
            comparison.all("after the rebuild")
        finally:
            server.stop()
    if faults:
        sys.exit(f"{len(faults)} figures are wrong")


main()
