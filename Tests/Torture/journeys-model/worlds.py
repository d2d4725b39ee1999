"""Makes up worlds: a journey in some versions, people, and what happens in a few weeks."""

import copy
import random
import uuid

ZONES = [None, "Asia/Tokyo", "Europe/Lisbon", "America/Sao_Paulo", "America/New_York", "UTC"]
EVENTS = ["alpha", "beta", "gamma"]
SEGMENTS = ["north", "south"]
HOUR, DAY = 3600, 86400


def identity(chance):
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def match(chance):
    found = {"event": chance.choice(EVENTS)}
    if chance.random() < 0.3:
        found["above"] = {"total": chance.randrange(100)}
    return found


def seconds(chance):
    return chance.choice([60, 90, HOUR, 5 * HOUR, DAY, 2 * DAY, 5 * DAY])


def step(chance, targets, back):
    """`targets` are steps further on, `back` those before it."""

    def target():
        return None if not targets or chance.random() < 0.1 else chance.choice(targets[:3])

    kind = chance.choice(
        ["push"] * 5
        + ["update", "duration", "duration", "clock", "event", "event", "match", "quiet"]
        + ["branch", "branch", "split", "jump", "exit"]
    )
    made = {"id": identity(chance), "kind": kind}
    made["next"] = None if kind in ("exit", "split") else target()
    if kind == "duration":
        made["seconds"] = seconds(chance)
        if back and chance.random() < 0.2:
            made["next"] = chance.choice(back)
    elif kind == "clock":
        made["minutes"] = chance.randrange(0, 1440, 15)
        if chance.random() < 0.5:
            made["weekdays"] = chance.sample(range(1, 8), chance.randrange(1, 4))
    elif kind == "event":
        made.update(match=match(chance), seconds=seconds(chance), late=target())
    elif kind == "match":
        made.update(segment=chance.choice(SEGMENTS), seconds=seconds(chance), late=target())
    elif kind == "branch":
        made["paths"] = []
        for _ in range(chance.randrange(1, 4)):
            path = {"next": target()}
            if chance.random() < 0.5:
                path["segment"] = chance.choice(SEGMENTS)
            else:
                path["above"] = {"total": chance.randrange(100)}
            made["paths"].append(path)
    elif kind == "split":
        made["paths"] = [
            {"weight": chance.randrange(0, 4), "next": target()}
            for _ in range(chance.randrange(2, 5))
        ]
        made["paths"][0]["weight"] += 1
    return made


def ways(made):
    paths = [path.get("next") for path in made.get("paths", [])]
    return [made.get("next"), made.get("late")] + paths


def reachable(steps):
    known = {made["id"]: made for made in steps}
    seen, left = {steps[0]["id"]}, [steps[0]["id"]]
    while left:
        for way in ways(known[left.pop()]):
            if way is not None and way not in seen:
                seen.add(way)
                left.append(way)
    return [made for made in steps if made["id"] in seen]


def steps(chance):
    made = []
    for _ in range(chance.randrange(3, 12)):
        made.insert(0, step(chance, [s["id"] for s in made], []))
    for index, one in enumerate(made):
        if one["kind"] == "duration" and index > 0 and chance.random() < 0.2:
            one["next"] = made[chance.randrange(index)]["id"]
    return reachable(made)


def definition(chance):
    return {
        "entry": match(chance),
        "audience": chance.choice([None, None, None, "north"]),
        "reentry": chance.choice([None, 0, 0, HOUR, DAY, 3 * DAY]),
        "exit_events": [match(chance)] if chance.random() < 0.3 else [],
        "exit_segments": ["south"] if chance.random() < 0.2 else [],
        "goal": match(chance) if chance.random() < 0.5 else None,
        "goal_window": chance.choice([HOUR, DAY, 5 * DAY]),
        "ends_at_goal": chance.random() < 0.5,
        "steps": steps(chance),
    }


def edited(chance, old):
    new = copy.deepcopy(old)
    for _ in range(chance.randrange(1, 4)):
        what = chance.random()
        one = chance.choice(new["steps"])
        if what < 0.4 and "seconds" in one:
            one["seconds"] = seconds(chance)
        elif what < 0.6:
            # Another kind at the same place, which keeps its identity.
            one_index = new["steps"].index(one)
            rest = [s["id"] for s in new["steps"][one_index + 1 :]]
            changed = step(chance, rest, [])
            changed["id"] = one["id"]
            new["steps"][one_index] = changed
        elif len(new["steps"]) > 1:
            gone = new["steps"].pop(chance.randrange(len(new["steps"])))
            instead = gone.get("next")
            if instead == gone["id"] or instead not in {s["id"] for s in new["steps"]}:
                instead = None

            def heal(holder, key):
                if holder.get(key) == gone["id"]:
                    holder[key] = instead

            for left in new["steps"]:
                heal(left, "next")
                heal(left, "late")
                for path in left.get("paths", []):
                    heal(path, "next")
    new["steps"] = reachable(new["steps"])
    if chance.random() < 0.2:
        new["entry"] = match(chance)
    return new


def circles(found):
    """Whether somebody could come back to a step at one moment, which no version may have."""
    known = {made["id"]: made for made in found["steps"]}
    waits = ("duration", "clock", "event")
    for start in found["steps"]:
        if start["kind"] in waits:
            continue
        seen, left = set(), [start["id"]]
        while left:
            for way in ways(known[left.pop()]):
                if way == start["id"]:
                    return True
                if way is not None and way not in seen and known[way]["kind"] not in waits:
                    seen.add(way)
                    left.append(way)
    return False


def world(seed, people):
    chance = random.Random(seed)
    versions = []
    while not versions:
        first = definition(chance)
        if not circles(first):
            versions.append(first)
    # From a spring to an autumn in which clocks change somewhere.
    now = 1_772_400_000 + chance.randrange(0, 200) * DAY + chance.randrange(DAY)
    crowd = [
        {"name": f"p{seed}-{number}", "zone": chance.choice(ZONES)} for number in range(people)
    ]
    acts = [{"at": now, "kind": "publish", "version": 0}]
    is_paused = False
    for _ in range(chance.randrange(20, 60)):
        now += chance.choice([1, 30, 60, 600, HOUR, 6 * HOUR, DAY, 2 * DAY])
        act = {"at": now, "person": chance.randrange(people)}
        kind = chance.random()
        if kind < 0.55:
            late = chance.choice([0, 0, 0, 0, 60, HOUR, 20 * HOUR, 30 * HOUR])
            act.update(
                kind="event",
                event=chance.choice(EVENTS),
                time=now - late,
                properties={"total": chance.randrange(100)} if chance.random() < 0.8 else {},
            )
        elif kind < 0.7:
            act.update(
                kind="member", segment=chance.choice(SEGMENTS), joins=chance.random() < 0.6
            )
        elif kind < 0.78:
            found = edited(chance, versions[-1])
            if circles(found):
                continue
            act.update(kind="publish", version=len(versions))
            if chance.random() < 0.7:
                ids = [made["id"] for made in found["steps"]]
                gone = {made["id"] for each in versions for made in each["steps"]} - set(ids)
                act["removed"] = {
                    one: chance.choice(ids) for one in sorted(gone) if chance.random() < 0.5
                }
            versions.append(found)
        elif kind < 0.84:
            act["kind"] = "resume" if is_paused else "pause"
            is_paused = not is_paused
        else:
            act["kind"] = "tick"
        acts.append(act)
    if is_paused:
        acts.append({"at": now + 60, "kind": "resume"})
    acts.append({"at": now + 20 * DAY, "kind": "tick"})
    return {
        "journey": identity(chance),
        "quiet": chance.choice([None, [22 * 60, 7 * 60]]),
        "versions": versions,
        "people": crowd,
        "acts": acts,
    }
