"""A random history: what is told to the server, and what of it is to be found in the figures."""
import collections
import datetime
import json
import random
import re
import time
import uuid

from people import Person, Phone, Push, Row
from server import REFUSED_EVERY, ZONE, Console

DAY = 86_400_000
NONE = "00000000-0000-0000-0000-000000000000"
EVENTS = ["viewed", "poured"]
VARIANTS = ["0", "1", "control"]
# What nobody saw: the message's control group, and the workspace's.
UNSEEN = ["control", "withheld"]


def now():
    return int(time.time() * 1000)


class History:
    def __init__(self, server, users, seed):
        self.server, self.random = server, random.Random(seed)
        self.console = Console(server)
        self.phones = [Phone(number) for number in range(users * 3 // 4)]
        self.users, self.made = users, 0
        # Who is known by which name or identifier.
        self.known = {}
        self.people = []
        self.pushes = collections.OrderedDict()
        self.campaign = self.make_campaign()
        self.news = [self.make_news(title) for title in ("Monday", "Tuesday")]
        self.in_app = self.make_in_app_message()

    def of_campaign(self):
        return {number: push for number, push in self.pushes.items() if push.is_of_campaign}

    # What there is to be measured

    def make_campaign(self):
        """Two texts, a control group, and purchases as conversions."""
        self.console.post("/campaigns/save", "/campaigns/new", **{
            "name": "Tea", "v0.name": "A", "v0.message": "Still there?", "v0.weight": "2",
            "v1.name": "B", "v1.message": "Tea?", "v1.weight": "1", "controlShare": "15",
            "audience": "everyone", "delivery": "api", "again": "after", "againDays": "0",
            "conversionEvent": "purchase", "conversionDays": "1", "quietHours": "ignore",
            "ignoresCaps": "yes"})
        review = self.console.get("/campaigns/1/activate")
        version = re.search(r'name="version" value="([^"]+)"', review)[1]
        self.console.post("/campaigns/1/activate", "/campaigns/1", version=version)
        identifier, state = self.server.rows("SELECT api_id, state FROM campaigns")[0]
        if state != "active":
            raise SystemExit(f"the campaign is {state}")
        return str(uuid.UUID(bytes=bytes(identifier)))

    def make_news(self, title):
        self.console.post("/news/new", "/news/new", title=title, text="We are open",
                          publication="now")
        return self.server.rows("SELECT max(id) FROM news")[0][0]

    def make_in_app_message(self):
        return self.server.ask("/in_app_messages/create", {
            "name": "Tasting", "state": "active",
            "message": {"type": "modal", "header": "Tasting", "message": "How was it?",
                        "buttons": [{"id": button, "text": text, "click_action": {"type": "none"}}
                                    for button, text in (("0", "Good"), ("1", "Bad"))],
                        "rules": {"triggers": [{"type": "event", "name": "poured"}]}},
            "experiment": {"control_share": 10, "weights": [1, 1], "others": [
                {"type": "modal", "header": "Tasting", "message": "Well?"}]},
            "goal": {"event": {"kind": "purchase"}, "window": DAY // 1000},
        })["in_app_message_id"]

    def import_people(self, count):
        """People whom another server has heard of on some day."""
        path = f"{self.server.folder}/people.ndjson"
        with open(path, "w") as file:
            for _ in range(count):
                person = self.person({"external_id": f"user-{self.made}"}, self.past())
                person.name = f"user-{self.made}"
                self.made += 1
                at = datetime.datetime.fromtimestamp(person.heard_of / 1000, datetime.timezone.utc)
                file.write(json.dumps({
                    "braze_id": str(uuid.uuid4()), "external_id": person.name, "session_count": 0,
                    "created_at": at.isoformat(timespec="milliseconds")}) + "\n")
        self.server.command("import", "users", path)

    # What is told

    def record(self, kind, at, user, **more):
        return {"id": str(uuid.uuid4()), "seq": 1, "time_ms": at, "user": user, "type": kind,
                **more}

    def tell(self, phone, *records):
        answer = self.server.ask(
            "/sdk/v1/batch",
            {"device": {"id": phone.device, "platform": phone.platform, "time_zone": ZONE},
             "records": list(records)},
            self.server.sdk[phone.platform],
        )
        if answer.get("rejected"):
            raise SystemExit(f"refused: {answer['rejected']}")

    def past(self):
        return now() - self.random.randrange(1, 40 * DAY)

    def person(self, user, heard_of=None):
        key = json.dumps(user)
        if key not in self.known:
            self.known[key] = Person(now() if heard_of is None else heard_of)
            self.people.append(self.known[key])
        return self.known[key]

    def someone(self):
        """Whoever has a name."""
        while True:
            person = self.random.choice(self.people)
            if person.name:
                return person

    def acts(self, phone, user, person, at):
        """Something that a person does, as a record."""
        kind = self.random.randrange(7)
        if kind < 3:
            person.sessions.append(at)
            return self.record("session_started", at, user)
        if kind == 3:
            name = self.random.choice(EVENTS)
            person.events.append((name, at))
            return self.record("event", at, user, name=name, properties={"n": 1})
        if kind == 4:
            item = self.random.choice(self.news)
            person.reads[item] = min(at, person.reads.get(item, at))
            return self.record("event", at, user, name="news_read",
                               properties={"news_id": str(item)})
        if kind == 5:
            done = self.random.choice(["impression", "impression", "click", "button", "dismissed"])
            button = self.random.choice(["0", "1"]) if done == "button" else None
            variant = self.random.choice(VARIANTS + ["withheld"])
            if variant in UNSEEN:
                done, button = "impression", None
            person.in_app.append((done, button, variant, at))
            report = {"kind": done, "message": self.in_app, "variant": variant}
            return self.record("in_app_message", at, user, in_app_message={
                **report, **({} if button is None else {"button": button})})
        return self.buys(user, person, at, self.random.randrange(1, 4))

    def buys(self, user, person, at, quantity):
        price = self.random.randrange(1, 9999) / 100
        person.purchases.append((at, price, quantity))
        return self.record("purchase", at, user, product=self.random.choice(["tea", "cup"]),
                           currency="JPY", price=price, quantity=quantity, properties={})

    def token(self, phone, at):
        provider = "fcm" if phone.platform == "android" else "apns"
        token = {"token": phone.token, "provider": provider, "authorization": "authorized"}
        if provider == "apns":
            token["environment"] = "production"
        return self.record("push_token", at, phone.user, token=token)

    def new_name(self):
        self.made += 1
        return {"external_id": f"user-{self.made - 1}"}

    def sign_up(self, phone):
        """An anonymous past, a name, and what came after: in batches of any order."""
        start = self.past()
        anonymous, name = phone.user, self.new_name()
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
        if "anonymous_id" in previous and self.random.random() < 0.5 and self.made < self.users:
            return self.sign_up(phone)
        if self.random.random() < 0.5 and self.made < self.users and phone.person.name:
            name = self.new_name()
            person = self.person(name)
            person.name = name["external_id"]
        else:
            person = self.someone()
            name = {"external_id": person.name}
        if name == previous:
            return
        at = self.past()
        phone.user, phone.person = name, person
        self.tell(phone, self.record("user_changed", at, name, previous=previous),
                  self.token(phone, at + 1))

    def log_out(self, phone):
        """Nobody is known to have the phone any more: somebody new and nameless."""
        if "anonymous_id" in phone.user:
            return
        previous, phone.user = phone.user, {"anonymous_id": str(uuid.uuid4())}
        phone.person = self.person(phone.user)
        at = self.past()
        self.tell(phone, self.record("user_changed", at, phone.user, previous=previous),
                  self.token(phone, at + 1))

    def live(self, phone):
        at = self.past() if self.random.random() < 0.5 else now()
        self.tell(phone, self.acts(phone, phone.user, phone.person, at))

    # What is sent

    def send(self):
        is_mutable = self.random.random() < 0.5
        self.server.ask("/messages/send", {
            "broadcast": True,
            "messages": {"apple_push": {"alert": "Tea is ready", "mutable_content": is_mutable},
                         "android_push": {"alert": "Tea is ready", "title": "Tea"}},
        })
        self.sent([phone for phone in self.phones if phone.person], is_mutable)

    def trigger(self, is_for_all):
        """The campaign for all or for some, some of whom buy then."""
        reached = [phone for phone in self.phones if phone.person]
        body = {"campaign_id": self.campaign, "broadcast": True}
        if not is_for_all:
            named = [phone for phone in reached if phone.person.name]
            some = {phone.person for phone in self.random.sample(named, min(40, len(named)))}
            reached = [phone for phone in reached if phone.person in some]
            body = {"campaign_id": self.campaign,
                    "recipients": [{"external_user_id": person.name} for person in some]}
        self.server.ask("/campaigns/trigger/send", body)
        self.sent(reached, is_mutable=True, is_of_campaign=True)
        for phone in reached:
            if self.random.random() < (0.1 if is_for_all else 0.4):
                self.tell(phone, self.buys(phone.user, phone.person, now(), 1))

    def sent(self, phones, is_mutable, is_of_campaign=False):
        """Waits for the newest push, and notes what the server decides: whom it is for by chance,
        and when it was accepted."""
        deadline = time.monotonic() + 900
        while True:
            newest = self.server.rows("SELECT id, state FROM sends ORDER BY id DESC LIMIT 1")
            if newest and newest[0][1] == "finished" and newest[0][0] not in self.pushes:
                break
            if time.monotonic() > deadline:
                raise SystemExit(f"a push is not finished: {newest}")
            time.sleep(0.02)
        number = newest[0][0]
        push = self.pushes[number] = Push(is_of_campaign)
        outcomes = {
            bytes(device): (at, variant) for device, at, variant in self.server.rows(
                "SELECT installation_id, accepted_at, variant FROM dispatches JOIN devices"
                " ON devices.id = device_id WHERE send_id = ?", number)}
        if is_of_campaign:
            for name, nameless, at in self.server.rows(
                    "SELECT external_id, anonymous_id, due_at FROM campaign_entries JOIN profiles"
                    " ON profiles.id = profile_id WHERE send_id = ? AND is_control", number):
                user = {"external_id": name} if name else {
                    "anonymous_id": str(uuid.UUID(bytes=bytes(nameless)))}
                push.control[self.known[json.dumps(user)]] = at
        for phone in phones:
            if phone.person in push.control:
                continue
            at, variant = outcomes.pop(uuid.UUID(phone.device).bytes)
            is_refused = phone.number % REFUSED_EVERY == 0
            if is_refused != (at is None):
                raise SystemExit(f"push {number} to phone {phone.number}: accepted at {at}")
            is_unreported = phone.platform == "ios" and not is_mutable
            push.rows.append(Row(phone, phone.person, at, is_unreported, variant))
        if outcomes:
            raise SystemExit(f"push {number} went to {len(outcomes)} phones of nobody")

    def report(self):
        push = self.random.choice(list(self.pushes.items()))
        if not push[1].rows:
            return
        row = self.random.choice(push[1].rows)
        if row.phone is None or row.accepted is None:
            return
        at = now() if self.random.random() < 0.3 else self.past()
        kind = self.random.choices(["received", "opened", "dismissed"], [7, 2, 1])[0]
        self.tell(row.phone, self.record(
            "push", at, row.phone.user,
            push={"kind": kind, "push_no": push[0], "dispatch": NONE}))
        row.is_received = True
        if kind == "opened":
            row.taps.append(at)
        elif kind == "dismissed":
            row.is_dismissed = True
        else:
            row.receipts.append(at)

    # What happens to people

    def merge(self):
        source, target = self.someone(), self.someone()
        if source is target:
            return
        self.server.ask("/users/merge", {"merge_updates": [{
            "identifier_to_merge": {"external_id": source.name},
            "identifier_to_keep": {"external_id": target.name}}]})
        target.absorb(source)
        self.people.remove(source)
        for key, person in list(self.known.items()):
            if person is source:
                self.known[key] = target
        for phone in self.phones:
            if phone.person is source:
                phone.person, phone.user = target, {"external_id": target.name}
        for push in self.pushes.values():
            push.merge(source, target)

    def rename(self):
        person = self.someone()
        name = f"renamed-{uuid.uuid4()}"
        self.server.ask("/users/external_ids/rename", {"external_id_renames": [
            {"current_external_id": person.name, "new_external_id": name}]})
        person.name = name
        self.known[json.dumps({"external_id": name})] = person
        for phone in self.phones:
            if phone.person is person:
                phone.user = {"external_id": name}

    def delete(self):
        """Whoever is gone leaves the rows of the ledger as they are."""
        person = self.someone()
        for push in self.pushes.values():
            push.forget(person)
        self.server.ask("/users/delete", {"external_ids": [person.name]})
        self.people.remove(person)
        # Their phones would be new installations to the server.
        for phone in [phone for phone in self.phones if phone.person is person]:
            self.phones.remove(phone)
            for push in self.pushes.values():
                for row in push.rows:
                    if row.phone is phone:
                        row.phone = None
        for key, known in list(self.known.items()):
            if known is person:
                del self.known[key]

    def run(self):
        self.import_people(self.users // 10)
        for phone in self.phones:
            self.sign_up(phone)
        turns = self.users // 2
        for step in range(8):
            self.send()
            self.trigger(is_for_all=True)
            for turn in range(turns):
                if turn % max(1, turns // 5) == 0:
                    self.trigger(is_for_all=False)
                self.turn()

    def turn(self):
        chance, phone = self.random.random(), self.random.choice(self.phones)
        for share, what in ((0.1, self.log_in), (0.04, self.log_out), (0.36, self.live)):
            if chance < share:
                return what(phone)
            chance -= share
        for share, what in ((0.48, self.report), (0.01, self.merge), (0.005, self.rename)):
            if chance < share:
                return what()
            chance -= share
        self.delete()
