"""A second interpreter of journeys, written from what the documentation says."""

import datetime
import uuid
import zoneinfo

DAY = 86400
MASK = (1 << 64) - 1


class Left(Exception):
    """A person's journey is over."""


def holds(match, event):
    return event["event"] == match["event"] and above(match.get("above"), event["properties"])


def above(conditions, properties):
    return all(
        name in properties and properties[name] > bound
        for name, bound in (conditions or {}).items()
    )


def drawn(weights, journey, step, person, entry):
    total = sum(weights)
    if total == 0:
        return None
    value = 0xCBF29CE484222325
    data = uuid.UUID(journey).bytes + uuid.UUID(step).bytes
    data += person.to_bytes(8, "big") + entry.to_bytes(8, "big")
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    point = (value ^ (value >> 31)) % total
    for index, weight in enumerate(weights):
        point -= weight
        if point < 0:
            return index


class Play:
    def __init__(self, world, ids):
        self.world = world
        self.ids = ids
        self.entries = []
        self.messages = []
        self.members = {}
        self.unread = []
        self.version = 0
        self.is_paused = False
        self.opens = None
        self.now = None

    def run(self):
        for act in self.world["acts"]:
            self.now = act["at"]
            self.perform(act)
            if not self.is_paused and self.version:
                self.read_events()
                self.move_due()

    # What happens

    def perform(self, act):
        kind = act["kind"]
        if kind == "event":
            if self.version:
                self.unread.append(act)
        elif kind == "member":
            people = self.members.setdefault(act["segment"], set())
            (people.add if act["joins"] else people.discard)(act["person"])
            for entry in self.entries:
                if entry["person"] == act["person"] and entry.get("awaits") == "match":
                    entry["look"] = True
        elif kind == "publish":
            self.publish(act)
        elif kind == "pause":
            self.is_paused = True
        elif kind == "resume":
            self.is_paused = False
            self.opens = self.now

    def publish(self, act):
        if not self.version:
            self.opens = self.now
        self.version = act["version"] + 1
        if "removed" not in act:
            return
        steps = {step["id"] for step in self.definition(self.version)["steps"]}
        for entry in self.inside():
            place = entry["step"]
            if place in steps:
                if entry["version"] != self.version:
                    entry["version"] = self.version
                    entry["due"] = self.now
                    if entry["awaits"] != "arrival":
                        entry["awaits"] = "settling"
            elif act["removed"].get(place) in steps:
                entry.update(
                    version=self.version,
                    step=act["removed"][place],
                    passage=entry["passage"] + 1,
                    arrived=self.now,
                    due=self.now,
                    awaits="arrival",
                )
            else:
                self.end(entry, "removed_step")

    def inside(self):
        return [entry for entry in self.entries if entry["end"] is None]

    def definition(self, version):
        return self.world["versions"][version - 1]

    # Events

    def read_events(self):
        events, self.unread = self.unread, []
        used = {entry["version"] for entry in self.inside()} | {self.version}
        window = max(
            [self.definition(v)["goal_window"] for v in used if self.definition(v)["goal"]],
            default=None,
        )
        candidates = [
            entry
            for entry in self.entries
            if entry["end"] is None
            or window is not None
            and entry["entered"] >= self.now - window - DAY
            and entry["converted"] is None
        ]
        # An event that no version in use asks for is not looked at: it moves nobody.
        names = {name for v in used for name in self.awaited(self.definition(v))}
        names.add(self.definition(self.version)["entry"]["event"])
        for event in events:
            if event["event"] not in names:
                continue
            for entry in [e for e in candidates if e["person"] == event["person"]]:
                version = entry["version"] if entry["version"] in used else self.version
                self.receive(event, entry, self.definition(version))
            self.let_in(event, candidates)

    @staticmethod
    def awaited(definition):
        waits = [step["match"] for step in definition["steps"] if step["kind"] == "event"]
        goals = [definition["goal"]] if definition["goal"] else []
        return [match["event"] for match in waits + definition["exit_events"] + goals]

    def receive(self, event, entry, definition):
        goal = definition["goal"]
        at = event["time"]
        if (
            goal
            and entry["converted"] is None
            and entry["entered"] <= at <= entry["entered"] + definition["goal_window"]
            and holds(goal, event)
        ):
            entry["converted"] = at
            if definition["ends_at_goal"] and entry["end"] is None:
                self.end(entry, "goal")
        if entry["end"] is not None:
            return
        if at >= entry["entered"] and any(holds(m, event) for m in definition["exit_events"]):
            self.end(entry, "exit_rule")
            return
        try:
            if entry["awaits"] == "arrival":
                self.take(entry, definition)
            step = self.step(entry, definition)
            if (
                entry["awaits"] != "arrival"
                and step["kind"] == "event"
                and entry["arrived"] <= at <= entry["arrived"] + step["seconds"]
                and holds(step["match"], event)
            ):
                self.go(entry, definition, step.get("next"))
        except Left:
            pass

    def let_in(self, event, candidates):
        definition = self.definition(self.version)
        if event["time"] < self.opens or event["time"] < self.now - DAY:
            return
        if not holds(definition["entry"], event):
            return
        person = event["person"]
        own = [entry for entry in self.entries if entry["person"] == person]
        if own:
            last = own[-1]
            pause = definition["reentry"]
            if last["end"] is None or pause is None:
                return
            if pause and pause % DAY == 0:
                days = (self.day(person, self.now) - self.day(person, last["entered"])).days
                if days < pause // DAY:
                    return
            elif self.now < last["entered"] + pause:
                return
        if definition["audience"] and not self.is_member(person, definition["audience"]):
            return
        entry = {
            "person": person,
            "number": len(own),
            "version": self.version,
            "entered": self.now,
            "properties": event["properties"],
            "end": None,
            "ended": None,
            "converted": None,
            "step": definition["steps"][0]["id"],
            "passage": 0,
            "arrived": self.now,
            "due": self.now,
            "awaits": "arrival",
        }
        self.entries.append(entry)
        candidates.append(entry)
        try:
            self.take(entry, definition)
        except Left:
            pass

    # Going on

    def move_due(self):
        while True:
            due = [
                entry
                for entry in self.inside()
                if entry["due"] <= self.now or entry.pop("look", False)
            ]
            if not due:
                return
            for entry in due:
                try:
                    self.advance(entry)
                except Left:
                    pass

    def advance(self, entry):
        definition = self.definition(entry["version"])
        step = self.step(entry, definition)
        if entry["awaits"] == "arrival":
            self.take(entry, definition)
        elif step["kind"] in ("duration", "clock", "event", "match", "quiet"):
            self.wait(entry, definition, step)
        elif step["kind"] in ("exit", "branch", "split"):
            self.take(entry, definition)
        else:
            self.go(entry, definition, step.get("next"))

    def step(self, entry, definition):
        return next(step for step in definition["steps"] if step["id"] == entry["step"])

    def go(self, entry, definition, target):
        self.arrive(entry, target)
        self.take(entry, definition)

    def arrive(self, entry, target):
        if target is None:
            self.end(entry, "completed")
            raise Left
        entry.update(
            step=target,
            passage=entry["passage"] + 1,
            arrived=self.now,
            due=self.now,
            awaits="arrival",
        )

    def end(self, entry, reason):
        entry.update(end=reason, ended=self.now, awaits=None)

    def take(self, entry, definition):
        if any(self.is_member(entry["person"], s) for s in definition["exit_segments"]):
            self.end(entry, "exit_rule")
            raise Left
        step = self.step(entry, definition)
        kind = step["kind"]
        target = step.get("next")
        if kind == "exit":
            self.end(entry, "exited")
            raise Left
        if kind in ("duration", "clock", "event", "match", "quiet"):
            self.wait(entry, definition, step)
            return
        if kind == "push":
            self.messages.append((self.now, entry["person"], step["id"]))
        elif kind == "update":
            self.arrive(entry, target)
            return
        elif kind == "branch":
            for path in step["paths"]:
                if "segment" in path:
                    is_met = self.is_member(entry["person"], path["segment"])
                else:
                    is_met = above(path["above"], entry["properties"])
                if is_met:
                    target = path["next"]
                    break
        elif kind == "split":
            index = drawn(
                [path["weight"] for path in step["paths"]],
                self.world["journey"],
                step["id"],
                self.ids[entry["person"]],
                entry["number"],
            )
            target = step["paths"][index]["next"]
        self.go(entry, definition, target)

    def wait(self, entry, definition, step):
        kind = step["kind"]
        arrived = entry["arrived"]
        person = entry["person"]
        target = step.get("next")
        awaits = "time"
        if kind == "clock":
            due = self.clock(person, arrived, step)
        elif kind == "quiet":
            due = self.quiet_end(person)
        else:
            due = arrived + step["seconds"]
        if kind == "match" and self.is_member(person, step["segment"]):
            due = self.now
        elif kind in ("event", "match"):
            awaits = kind
            target = step.get("late") if due <= self.now else target
        if due <= self.now:
            self.go(entry, definition, target)
        else:
            entry.update(due=due, awaits=awaits)

    # Facts

    def is_member(self, person, segment):
        return person in self.members.get(segment, ())

    def zone(self, person):
        return zoneinfo.ZoneInfo(self.world["people"][person]["zone"] or "Asia/Tokyo")

    def local(self, person, at):
        return datetime.datetime.fromtimestamp(at, self.zone(person))

    def day(self, person, at):
        return self.local(person, at).date()

    def moment(self, person, day, minutes):
        time = datetime.time(minutes // 60, minutes % 60)
        return datetime.datetime.combine(day, time, self.zone(person)).timestamp()

    def clock(self, person, arrived, step):
        day = self.day(person, arrived)
        while True:
            days = step.get("weekdays")
            moment = self.moment(person, day, step["minutes"])
            if moment > arrived and (not days or day.isoweekday() in days):
                return moment
            day += datetime.timedelta(days=1)

    def quiet_end(self, person):
        if not self.world["quiet"]:
            return self.now
        start, end = self.world["quiet"]
        local = self.local(person, self.now)
        minutes = local.hour * 60 + local.minute
        if end <= minutes < start:
            return self.now
        day = local.date()
        if minutes >= start:
            day += datetime.timedelta(days=1)
        return self.moment(person, day, end)
