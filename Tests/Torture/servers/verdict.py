"""What has to be so in the end, whatever was killed."""
import collections
import json
import time

# How many pushes a server may have claimed at a time (`DeliveryService.Settings.inFlight`).
IN_FLIGHT = 4_000


class Verdict:
    def __init__(self, site, crowd):
        self.site, self.crowd, self.faults, self.said = site, crowd, [], []

    def expect(self, what, is_so):
        if not is_so:
            self.faults.append(what)
            print(f"FAILED {what}", flush=True)

    def say(self, text):
        self.said.append(text)
        print(text, flush=True)

    def events(self, loads, failures, mode, lag):
        """What was acknowledged is there once; behind a standby that nobody waits for, but for the lag."""
        rows = self.site.cluster.ask("""SELECT properties FROM events
            JOIN event_names ON event_names.id = name_id WHERE name = 'tasted'""")
        names = [json.loads(row[0])["n"] for row in rows]
        self.expect("an event is there once", len(names) == len(set(names)))
        stored = set(names)
        lost = [(at, name) for load in loads for at, told in load.acknowledged
                for name in told if name not in stored]
        total = sum(len(told) for load in loads for _, told in load.acknowledged)
        self.say(f"{total} events acknowledged, {len(lost)} of them lost")
        if mode != "async":
            self.expect(f"no acknowledged event is lost, but {len(lost)} are", not lost)
            return
        outside = [name for at, name in lost
                   if not any(killed - lag - 1 <= at <= killed + 1 for killed in failures)]
        self.expect(f"only those of the lag are lost, but {len(outside)} others are", not outside)

    def pushes(self, sends, recipients, bound):
        """Every push is final, counts are those of the rows, and each phone got each of them."""
        ask = self.site.cluster.ask
        states = ask("SELECT state, count(*) FROM sends GROUP BY state")
        self.expect(f"{sends} sends are over, found {states}", states == [["finished", str(sends)]])
        rows = ask("SELECT state, count(*) FROM dispatches GROUP BY state")
        self.expect(f"every push is sent, found {rows}", rows == [["2", str(sends * recipients)]])
        pushes = collections.defaultdict(collections.Counter)
        with open(self.site.pushes) as file:
            for line in file:
                _, token, push, *_ = line.rstrip("\n").split("\t")
                pushes[token][push] += 1
        self.expect(f"{recipients} phones got it, found {len(pushes)}", len(pushes) == recipients)
        odd = sum(1 for ids in pushes.values() if len(ids) != sends)
        self.expect(f"a phone got each of {sends} pushes under one id, but {odd} phones did not", not odd)
        again = sum(count - 1 for ids in pushes.values() for count in ids.values())
        self.expect(f"at most {bound} pushes may have been on their way, {again} went out again",
                    again <= bound)
        self.say(f"{sends * recipients} pushes, {again} of them again under the same id (at most {bound})")

    def columns(self):
        """What each server has in its memory is what is stored."""
        for name, segment in self.crowd.segments().items():
            text = self.site.command("audience", "count", name)
            truth = int(text.split()[0].replace(",", ""))
            end, counts = time.monotonic() + 20, []
            while time.monotonic() < end and counts != [truth] * len(self.crowd.servers):
                counts = [server.count(segment) for server in self.crowd.servers]
            self.expect(f"each server counts {truth} in {name}, found {counts}",
                        counts == [truth] * len(self.crowd.servers))
            self.say(f"{name}: {counts} users on the servers, {truth} stored")

    def stored(self):
        """With no server at work."""
        found = self.site.command("doctor", may_fail=True)
        self.expect(f"the counts are those of the rows: {found}", "0 faults" in found)
        self.site.command("audience", "verify")


def visibility(crowd, tries, verdict):
    """How soon a commit on one server is counted by another one; told, and nothing fails by it."""
    segment = crowd.segments()["marked"]
    times = []
    for number in range(tries):
        writer = crowd.servers[number % len(crowd.servers)]
        reader = crowd.servers[(number + 1) % len(crowd.servers)]
        before = reader.count(segment)
        body = json.dumps({"attributes": [{"external_id": f"ring-{number}", "mark": "red"}]})
        status, answer = writer.ask("POST", "/users/track", body)
        verdict.expect(f"a quiet server takes it: {status} {answer}", status == 201)
        start = time.monotonic()
        while reader.count(segment) != before + 1 and time.monotonic() < start + 10:
            pass
        times.append((time.monotonic() - start) * 1000)
    times.sort()
    verdict.say(f"a commit is counted by another server after {times[len(times) // 2]:.0f} ms in the middle,"
                f" {times[-1]:.0f} ms at most (wanted: 300)")
