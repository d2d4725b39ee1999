"""Random questions, as the REST API takes them."""
import datetime
import random

from history import EVENTS, PRODUCTS

ZONES = ["Etc/UTC", "Asia/Tokyo", "America/New_York", "Europe/Berlin", "Asia/Kathmandu",
         "Australia/Lord_Howe", "America/Sao_Paulo"]
TRAITS = ["platform", "app", "country", "language", "custom_attribute", "property"]
CONDITIONS = [
    {"property": "shelf", "test": "equal", "value": "tea"},
    {"property": "shelf", "test": "one_of", "value": ["cups", "Äpfel"]},
    {"property": "shelf", "test": "exists"},
    {"property": "shelf", "test": "missing"},
    {"property": "n", "test": ">=", "value": 2},
    {"property": "n", "test": "equal", "value": "1"},
    {"property": "n", "test": "equal", "value": True},
    {"property": "n", "test": "not_equal", "value": 1},
]


class Questions:
    def __init__(self, seed):
        self.random = random.Random(seed * 1_000_003)

    def chance(self, share):
        return self.random.random() < share

    def next(self):
        kind = self.random.choice(["funnel", "funnel", "retention", "series", "series", "paths", "users",
                                   "control_group"])
        return kind, getattr(self, kind)()

    def common(self, units):
        unit = self.random.choice(units)
        most = {"hour": 200, "day": 40, "week": 9, "month": 4}[unit]
        question = {"unit": unit, "length": self.random.randrange(1, most)}
        if self.chance(0.6):
            day = datetime.date.today() - datetime.timedelta(days=self.random.randrange(0, 30))
            question["ending_at"] = day.isoformat()
        if self.chance(0.5):
            question["time_zone"] = self.random.choice(ZONES)
        if self.chance(0.2):
            question["audience"] = self.pay(self.random.choice(["pro", "free"]))
        if self.chance(0.5):
            question["breakdown"] = self.breakdown()
        return question

    @staticmethod
    def pay(plan):
        return {"AND": [{"custom_attribute": {
            "custom_attribute_name": "plan", "comparison": "equals", "value": plan}}]}

    def breakdown(self):
        trait = {"by": self.random.choice(TRAITS)}
        if trait["by"] == "custom_attribute":
            trait["name"] = self.random.choice(["plan", "level", "tags", "nothing"])
        elif trait["by"] == "property":
            trait["name"] = self.random.choice(["shelf", "n", "nothing"])
        if self.chance(0.7):
            trait["limit"] = self.random.randrange(1, 5)
        return trait

    def activity(self):
        chance = self.random.random()
        if chance < 0.1:
            return {"session": True}
        if chance < 0.3:
            products = self.random.choice([[], ["tea"], PRODUCTS, ["none"]])
            found = {"purchase": products}
            if self.chance(0.2):
                found["where"] = [{"property": "price", "test": ">=", "value": 50}]
            return found
        found = {"event": self.random.choice(EVENTS)}
        if self.chance(0.25):
            found["where"] = self.random.sample(CONDITIONS, self.random.choice([1, 1, 2]))
        return found

    def funnel(self):
        steps = self.random.randrange(2, 6)
        question = self.common(["hour", "day", "week", "month"])
        question["steps"] = [self.activity() for _ in range(steps)]
        question["window_seconds"] = self.random.choice(
            [1, 60, 3_600, 86_400, 7 * 86_400, 40 * 86_400])
        if self.chance(0.35):
            question["exclusions"] = []
            for _ in range(self.random.choice([1, 1, 2])):
                after = self.random.randrange(1, steps)
                question["exclusions"].append({
                    **self.activity(), "after_step": after,
                    "before_step": self.random.randrange(after + 1, steps + 1)})
        if self.chance(0.2):
            question["hold_constant"] = self.random.choice(["shelf", "n"])
        return question

    def retention(self):
        question = self.common(["day", "week", "month"])
        question.update(
            intervals=self.random.randrange(1, 15),
            cohort=self.random.choice(["first", "recurring"]),
            mode=self.random.choice(["n_day", "unbounded", "rolling"]),
            first=self.activity(), returning=self.activity())
        return question

    def paths(self):
        question = self.common(["hour", "day", "week", "month"])
        question.pop("breakdown", None)
        question.update(
            start=self.activity(), steps=self.random.randrange(1, 9),
            window_seconds=self.random.choice([1, 60, 3_600, 86_400, 7 * 86_400, 40 * 86_400]))
        if self.chance(0.7):
            question["direction"] = self.random.choice(["after", "before"])
        if self.chance(0.4):
            question["leave_out"] = [self.activity() for _ in range(self.random.choice([1, 2]))]
        if self.chance(0.6):
            question["limit"] = self.random.randrange(1, 5)
        return question

    def users(self):
        question = {"breakdown": self.breakdown()}
        if question["breakdown"]["by"] == "property":
            question["breakdown"] = {"by": "language"}
        if self.chance(0.5):
            question["audience"] = self.pay(self.random.choice(["pro", "free"]))
        return question

    def control_group(self):
        question = self.common(["hour", "day", "week", "month"])
        question.pop("breakdown", None)
        question["activity"] = self.activity()
        if "purchase" in question["activity"] and self.chance(0.7):
            question["currency"] = self.random.choice(["JPY", "USD"])
        return question

    def series(self):
        question = self.common(["hour", "day", "week", "month"])
        chance = self.random.random()
        if chance < 0.15:
            question["series"] = {"new_users": True}
            if question.get("breakdown", {}).get("by") == "property":
                del question["breakdown"]
            if question["unit"] == "hour":
                question.update(unit="day", length=5)
        elif chance < 0.35:
            question["series"] = {"revenue": self.random.choice([[], ["tea"]]),
                                  "currency": self.random.choice(["JPY", "USD"])}
        else:
            question["series"] = self.activity()
        question["measure"] = self.random.choice(["total", "users", "per_user"])
        question["compare"] = self.chance(0.5)
        return question


