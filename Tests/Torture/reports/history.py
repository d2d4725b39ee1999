"""A random history: what is told to the server, and who did what in the end."""
import datetime
import json
import random
import time
import uuid

DAY = 86_400_000
EVENTS = ["viewed", "carted", "left", "shared"]
PRODUCTS = ["tea", "cup"]
SHELVES = ["tea", "cups", "Äpfel", "=1+1"]
# As JSON has them; `1` and `"1"` are written the same.
NUMBERS = [1, 2, 2.5, 3, "1", "x", True, [1], None]


def now():
    return int(time.time() * 1000)


MASK = 2**64 - 1


def mixed(bits):
    """SplitMix64's mixing function."""
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & MASK
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & MASK
    return bits ^ bits >> 31


def drawn(seed, number):
    """A number from 0 to 1 for a user of a control group; FNV-1a of the seed."""
    start = 0xCBF29CE484222325
    for byte in uuid.UUID(seed).bytes:
        start = (start ^ byte) * 0x100000001B3 & MASK
    user = mixed(number + 0x9E3779B97F4A7C15 & MASK)
    return (mixed(start ^ user) >> 11) / 2**53


class Person:
    def __init__(self, heard_of):
        self.name = self.anonymous_id = None
        self.is_control = False
        self.heard_of = heard_of
        self.attributes = {}
        self.acts = []


class Phone:
    def __init__(self, platform):
        self.platform, self.device = platform, str(uuid.uuid4())
        self.user = {"anonymous_id": str(uuid.uuid4())}
        self.person = None


class History:
    def __init__(self, server, users, seed):
        self.server, self.users, self.random = server, users, random.Random(seed)
        self.people, self.named, self.made = [], {}, 0
        self.phones = [Phone(self.random.choice(["ios", "ios", "android"]))
                       for _ in range(users)]

    def run(self):
        self.import_people(self.users // 8)
        self.server.serve()
        for phone in self.phones:
            self.sign_up(phone)
        for _ in range(self.users * 2):
            chance = self.random.random()
            if chance < 0.55:
                self.live(self.random.choice(self.phones))
            elif chance < 0.75:
                self.track()
            elif chance < 0.85:
                self.log_in(self.random.choice(self.phones))
            elif chance < 0.93:
                self.merge()
            elif chance < 0.96:
                self.delete()
            else:
                self.log_out(self.random.choice(self.phones))

        self.draw()

    def draw(self):
        """A control group: who is in it follows from its seed and the numbers of the users, which
        only the server knows."""
        self.server.ask("/workspace/control_group/update", {"share": 30})
        limits = self.server.rows("SELECT content FROM workspace_limits")[0][0]
        group = json.loads(limits)["controlGroup"]
        numbers = {name or str(uuid.UUID(bytes=nameless)): number
                   for number, name, nameless in self.server.rows(
                       "SELECT id, external_id, anonymous_id FROM profiles")}
        for person in self.people:
            number = numbers[person.name or person.anonymous_id]
            person.is_control = drawn(group["seed"], number) < group["share"] / 100

    # What people do

    def moment(self):
        """Some moment of the last weeks; many fall on few seconds."""
        return now() - self.random.randrange(1, 50 * DAY)

    def acts(self, count):
        """Some acts around a moment, as what they are and when."""
        start, found = self.moment(), []
        for _ in range(count):
            step = self.random.choice([0, 0, 1, 5, 600, 40_000, 300_000])
            at = start + step * 1000 + self.random.randrange(-900, 900)
            if self.random.random() < 0.1:
                at = self.moment()
            kind = self.random.choice(["event"] * 6 + ["purchase"] * 2 + ["session"])
            act = {"kind": kind, "at": min(at, now())}
            if kind == "event":
                act["name"] = self.random.choice(EVENTS)
                act["properties"] = {}
                if self.random.random() < 0.7:
                    act["properties"]["shelf"] = self.random.choice(SHELVES)
                if self.random.random() < 0.8:
                    act["properties"]["n"] = self.random.choice(NUMBERS)
            elif kind == "purchase":
                act["product"] = self.random.choice(PRODUCTS)
                act["price"] = self.random.randrange(1, 9_999) / 100
                act["quantity"] = self.random.choice([1, 1, 1, 2, 3])
                act["currency"] = self.random.choice(["JPY", "JPY", "USD"])
            found.append(act)
        return found

    def record(self, kind, at, user, **more):
        return {"id": str(uuid.uuid4()), "seq": 1, "time_ms": at, "user": user, "type": kind,
                **more}

    def records(self, user, acts):
        for act in acts:
            if act["kind"] == "event":
                yield self.record("event", act["at"], user, name=act["name"],
                                  properties=act["properties"])
            elif act["kind"] == "session":
                yield self.record("session_started", act["at"], user)
            else:
                yield self.record(
                    "purchase", act["at"], user, product=act["product"],
                    currency=act["currency"], price=act["price"], quantity=act["quantity"],
                    properties={})

    def tell(self, phone, *records):
        answer = self.server.ask(
            "/sdk/v1/batch",
            {"device": {"id": phone.device, "platform": phone.platform},
             "records": list(records)},
            self.server.sdk[phone.platform])
        if answer.get("rejected"):
            raise SystemExit(f"refused: {answer['rejected']}")

    def live(self, phone):
        acts = self.acts(self.random.randrange(1, 12))
        phone.person.acts += acts
        self.tell(phone, *self.records(phone.user, acts))

    def track(self):
        """A server tells what somebody did."""
        person = self.someone()
        if person is None:
            return
        acts = self.acts(self.random.randrange(1, 8))
        person.acts += acts
        body = {"events": [], "purchases": []}
        for act in acts:
            at = datetime.datetime.fromtimestamp(act["at"] / 1000, datetime.timezone.utc)
            one = {"external_id": person.name, "time": at.isoformat(timespec="milliseconds")}
            if act["kind"] == "purchase":
                one.update(product_id=act["product"], currency=act["currency"],
                           price=act["price"], quantity=act["quantity"])
                body["purchases"].append(one)
            elif act["kind"] == "event":
                one.update(name=act["name"], properties=act["properties"])
                body["events"].append(one)
            else:
                person.acts.remove(act)
        if body["events"] or body["purchases"]:
            self.server.ask("/users/track", body)

    # Who people are

    def person(self, name=None, heard_of=None):
        person = Person(heard_of or now())
        person.name = name
        self.people.append(person)
        if name:
            self.named[name] = person
        return person

    def someone(self):
        return self.random.choice(list(self.named.values())) if self.named else None

    def new_name(self):
        self.made += 1
        return f"user-{self.made}"

    def describe(self, person):
        """Gives somebody attributes, all of them anew."""
        values = {
            "plan": self.random.choice(["pro", "free", "free", "Ünlimited", None]),
            "level": self.random.choice([1, 2, 2.5, "2", True, None]),
            "tags": self.random.choice([["a"], ["a", "b"], ["c", "b", "a"], [], None]),
            "country": self.random.choice(["JP", "BR", "US"]),
            "language": self.random.choice(["ja", "pt", "en"]),
        }
        person.attributes = {name: value for name, value in values.items() if value is not None}
        self.server.ask("/users/track",
                        {"attributes": [{"external_id": person.name, **values}]})

    def import_people(self, count):
        """People whom another server has heard of on some day."""
        path = f"{self.server.folder}/people.ndjson"
        with open(path, "w") as file:
            for _ in range(count):
                person = self.person(self.new_name(), self.moment())
                at = datetime.datetime.fromtimestamp(person.heard_of / 1000, datetime.timezone.utc)
                file.write(json.dumps({
                    "braze_id": str(uuid.uuid4()), "external_id": person.name, "session_count": 0,
                    "created_at": at.isoformat(timespec="milliseconds")}) + "\n")
        self.server.command("import", "users", path)

    def sign_up(self, phone):
        """A nameless past, a name, and what came after, told in any order."""
        person = phone.person = self.person()
        anonymous = phone.user
        person.anonymous_id = anonymous["anonymous_id"]
        before, after = self.acts(self.random.randrange(1, 6)), self.acts(
            self.random.randrange(1, 10))
        change = self.moment()
        for act in before:
            act["at"] = min(act["at"], change - 1 - self.random.randrange(2_000))
        for act in after:
            act["at"] = max(act["at"], change + 1 + self.random.randrange(2_000))
        person.acts += before + after
        if self.random.random() < 0.1:
            return self.tell(phone, *self.records(anonymous, before + after))
        person.name = self.new_name()
        self.named[person.name] = person
        name = {"external_id": person.name}
        batches = [
            list(self.records(anonymous, before)),
            [self.record("user_changed", change, name, previous=anonymous)],
            list(self.records(name, after)),
        ]
        if self.random.random() < 0.3:
            self.random.shuffle(batches)
        for records in batches:
            self.tell(phone, *records)
        phone.user = name
        # Says once more whose the phone is.
        self.tell(phone, *self.records(name, self.lives(person)))
        if self.random.random() < 0.9:
            self.describe(person)

    def lives(self, person):
        act = {"kind": "session", "at": now()}
        person.acts.append(act)
        return [act]

    def log_in(self, phone):
        """Somebody who is known takes the phone."""
        person = self.someone()
        if phone.person is person:
            return
        previous, phone.user = phone.user, {"external_id": person.name}
        phone.person = person
        self.tell(phone, self.record("user_changed", now(), phone.user, previous=previous),
                  *self.records(phone.user, self.lives(person)))

    def log_out(self, phone):
        if "anonymous_id" in phone.user:
            return
        previous, phone.user = phone.user, {"anonymous_id": str(uuid.uuid4())}
        phone.person = self.person()
        phone.person.anonymous_id = phone.user["anonymous_id"]
        self.tell(phone, self.record("user_changed", now(), phone.user, previous=previous),
                  *self.records(phone.user, self.lives(phone.person)))

    def merge(self):
        source, target = self.someone(), self.someone()
        if source is target:
            return
        self.server.ask("/users/merge", {"merge_updates": [{
            "identifier_to_merge": {"external_id": source.name},
            "identifier_to_keep": {"external_id": target.name}}]})
        target.acts += source.acts
        target.heard_of = min(target.heard_of, source.heard_of)
        self.people.remove(source)
        del self.named[source.name]
        for phone in self.phones:
            if phone.person is source:
                phone.person, phone.user = target, {"external_id": target.name}
        self.describe(target)

    def delete(self):
        person = self.someone()
        self.server.ask("/users/delete", {"external_ids": [person.name]})
        self.people.remove(person)
        del self.named[person.name]
        # Their phones would be new installations to the server.
        self.phones = [phone for phone in self.phones if phone.person is not person]

    # What there is in the end

    def occurrences(self):
        return [(number, act) for number, person in enumerate(self.people) for act in person.acts]

    def platforms(self, person):
        return {phone.platform for phone in self.phones if phone.person is person}
