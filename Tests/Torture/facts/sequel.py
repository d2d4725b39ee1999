"""What the random history lacks: a journey, a story and the workspace's control group."""
import time

from history import now

# Of all users, in percent.
CONTROL_SHARE = 40


class Sequel:
    def __init__(self, history):
        self.history, self.server = history, history.server
        self.story = self.withholding = self.journey = None

    def run(self):
        self.send_story()
        self.run_journey()
        # The last, for its members get nothing from then on.
        self.withhold()

    def phones(self):
        return [phone for phone in self.history.phones if phone.person and phone.person.name]

    def finished(self, before):
        """The number of the send that was made after another, when it is over."""
        return self.wait("a push is finished", lambda: self.server.rows(
            "SELECT max(id) FROM sends WHERE id > ? AND state = 'finished'", before)[0][0])

    def wait(self, what, probe):
        deadline = time.monotonic() + 240
        while time.monotonic() < deadline:
            found = probe()
            if found:
                return found
            time.sleep(0.05)
        raise SystemExit(f"waited in vain: {what}")

    def newest(self):
        return self.server.rows("SELECT coalesce(max(id), 0) FROM sends")[0][0]

    def send_story(self):
        before = self.newest()
        self.server.ask("/messages/send", {"broadcast": True, "messages": {
            platform: {"alert": "Teas", "title": "Teas", "push_story": [
                {"image_url": f"https://example.com/{page}.png"} for page in range(3)]}
            for platform in ("apple_push", "android_push")}})
        self.story = self.finished(before)
        for phone in self.phones():
            for page in self.history.random.sample([1, 2, 3], self.history.random.randrange(3)):
                self.history.tell(phone, self.history.record(
                    "push", now(), phone.user, push={
                        "kind": "opened", "push_no": self.story, "page": page,
                        "dispatch": "00000000-0000-0000-0000-000000000000"}))

    def run_journey(self):
        self.journey = self.server.ask("/journeys/create", {
            "name": "Tasting",
            "entry": {"type": "event", "event": {"kind": {"custom": {"name": "tasted"}}}},
            "reentry": {"after": 0}, "goal": {"event": {"kind": {"custom": {"name": "liked"}}},
                                              "window": 86_400},
            "is_exempt_from_caps": True,
            "exits": [{"event": {"kind": {"custom": {"name": "left"}}}}],
            "steps": [
                {"name": "A moment", "type": "wait", "duration": 60},
                {"name": "Liked", "type": "wait_for_event", "limit": 60,
                 "event": {"kind": {"custom": {"name": "tasted_again"}}}, "late": "end"},
                {"name": "Thanks", "type": "push", "variants": [
                    {"name": "A", "message": {"common": {"message": {"body": "Thank you"}}}}]},
            ]})["journey_id"]
        self.server.ask("/journeys/publish", {"journey_id": self.journey, "migration": "keep"})
        phones = self.history.random.sample(self.phones(), len(self.phones()) * 2 // 3)
        for phone in phones:
            self.tell(phone, "tasted", now())
        self.wait("everybody has entered", lambda: self.figures()["entered"] >= len(
            {phone.person for phone in phones}))
        for phone in phones:
            chance = self.history.random.random()
            if chance < 0.3:
                self.tell(phone, "left", now())
            elif chance < 0.7:
                self.tell(phone, "liked", now())
        self.wait("somebody has gone on", lambda: any(
            step["passed"] for step in self.figures()["steps"]))
        for phone in phones[::3]:
            self.tell(phone, "tasted_again", now())
        self.wait("somebody is late", lambda: any(
            step["late"] for step in self.figures()["steps"]))
        for phone in phones[::2]:
            self.tell(phone, "tasted", now())
        # What nobody moves any more says the same to everybody.
        self.server.ask("/journeys/pause", {"journey_id": self.journey})

    def tell(self, phone, name, at):
        self.history.tell(phone, self.history.record(
            "event", at, phone.user, name=name, properties={}))

    def figures(self):
        return self.server.ask(f"/journeys/figures?journey_id={self.journey}")

    def withhold(self):
        self.server.ask("/workspace/control_group/update", {"share": CONTROL_SHARE})
        before = self.newest()
        self.server.ask("/campaigns/trigger/send", {
            "campaign_id": self.history.campaign, "broadcast": True})
        self.withholding = self.finished(before)
