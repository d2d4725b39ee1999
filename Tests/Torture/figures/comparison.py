"""What the server says in its API, console, files and commands beside what it has to say."""
import collections
import datetime
import json
import time
import urllib.parse
import zoneinfo

from history import DAY, EVENTS, UNSEEN, VARIANTS, now
from people import conversions, influenced
from server import ZONE

DAYS = 45
OVERVIEW_DAYS = 30


class Comparison:
    def __init__(self, history, server):
        self.history, self.server = history, server
        self.zone = zoneinfo.ZoneInfo(ZONE)
        self.faults, self.compared = [], 0
        # Of removed messages of a campaign "half of the opens after" is known to the minute.
        self.knows_minutes = False

    def judge(self, what, is_good, figures=1, is_detail=False):
        self.compared += figures
        if not is_good:
            self.faults.append(what)
        if not is_good or not is_detail:
            print(("ok     " if is_good else "FAILED ") + what, flush=True)

    def all(self, when):
        self.pushes(when)
        self.overview(when)
        self.activity(when)
        self.news(when)
        self.in_app_message(when)
        self.campaign(when)
        self.funnels(when)
        self.users(when)

    # What each of those who have a name got and did

    def users(self, when):
        rows, influences = collections.defaultdict(list), collections.Counter()
        for push in self.history.pushes.values():
            for person, mine in push.by_person().items():
                rows[person] += mine
                influences[person] += influenced(person, mine) is not None
        converted = collections.Counter(
            one[0] for one in conversions(self.history.of_campaign(), DAY) if not one[4])
        people = [person for person in self.history.people if person.name]
        wrong = []
        for person in people:
            query = urllib.parse.urlencode({"external_id": person.name})
            said = self.server.ask(f"/users/figures?{query}")
            mine = rows[person]
            direct = sum(bool(row.taps) for row in mine)
            done = collections.Counter(kind for kind, _, variant, _ in person.in_app
                                       if variant not in UNSEEN)
            paid = sum(round(price * quantity * 1e6) for _, price, quantity in person.purchases)
            expected = {
                "sessions": len(person.sessions),
                "push": {
                    "delivered": sum(row.accepted is not None for row in mine),
                    "received": sum(row.is_received for row in mine), "direct_opens": direct,
                    "influenced_opens": influences[person],
                    "total_opens": direct + influences[person],
                    "dismissed": sum(row.is_dismissed for row in mine),
                },
                "in_app_message": {
                    "impressions": done["impression"], "clicks": done["click"],
                    "button_clicks": done["button"], "dismissals": done["dismissed"],
                },
                "purchase_quantity": sum(quantity for _, _, quantity in person.purchases),
                "revenue": {"JPY": paid / 1e6} if person.purchases else {},
                "conversions": converted[person],
            }
            if any(said[name] != value for name, value in expected.items()):
                wrong.append((person.name, said, expected))
        self.judge(f"figures of {len(people)} users {when}"
                   + (f", {len(wrong)} not so (said, expected): {wrong[:1]}" if wrong else ""),
                   not wrong, 14 * len(people))

    # Pushes

    def pushes(self, when):
        lines = self.server.output("export", "sends").splitlines()
        exported = {row["push_no"]: row for row in map(json.loads, lines)}
        shown = self.history.console.pushes()
        totals = collections.Counter()
        for number, push in self.history.pushes.items():
            rows, indirect = push.everyone(), len(push.influenced())
            direct = sum(bool(row.taps) for row in rows)
            accepted = sum(row.accepted is not None for row in rows)
            expected = {
                "planned": len(rows), "delivered": accepted, "rejected": len(rows) - accepted,
                "received": sum(row.is_received for row in rows), "direct_opens": direct,
                "influenced_opens": indirect,
                "dismissed": sum(row.is_dismissed for row in rows), "unknown": 0,
            }
            said = {name: int(shown[number][name]) for name in expected}
            self.judge(f"push {number} in the console {when}: {said}, expected {expected}",
                       said == expected, len(expected), is_detail=True)
            as_file = {
                "pushes": len(rows), "accepted": accepted, "received": expected["received"],
                "direct_opens": direct, "opened": direct + indirect,
            }
            said = {name: exported[number][name] for name in as_file}
            self.judge(f"push {number} exported {when}: {said}, expected {as_file}",
                       said == as_file, len(as_file), is_detail=True)
            totals.update(expected)
        self.judge(f"{len(self.history.pushes)} pushes {when}: {dict(totals)}", not self.faults, 0)

    def overview(self, when):
        """The first page, of the last thirty days."""
        first = self.day(now()) - datetime.timedelta(days=OVERVIEW_DAYS - 1)

        def count(times):
            return sum(self.day(at) >= first for at in times)

        pushes = self.history.pushes.values()
        expected = {
            "Users": len(self.history.people),
            "Reachable devices": len([one for one in self.history.phones if one.person]),
            "Sessions": count(at for person in self.history.people for at in person.sessions),
            "Delivered": count(row.accepted for push in pushes for row in push.everyone()
                               if row.accepted is not None),
            "Opens": count(min(row.taps) for push in pushes for row in push.everyone()
                            if row.taps) + count(at for push in pushes
                                                 for at in push.influenced()),
        }
        deadline = time.monotonic() + 20
        # The page is fed by what is announced, which takes a moment.
        while True:
            shown = self.history.console.figures("")
            said = {label: shown.get(label) for label in expected}
            if said == expected or time.monotonic() > deadline:
                break
            time.sleep(0.5)
        self.judge(f"overview {when}: {said}, expected {expected}", said == expected,
                   len(expected))

    # Activity

    def activity(self, when):
        people = self.history.people
        sessions = [at for person in people for at in person.sessions]
        self.series(when, "sessions", "/sessions/data_series", {}, "sessions",
                    self.by_day((at, 1) for at in sessions))
        for name in EVENTS:
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
        self.series(when, "new users", "/kpi/new_users/data_series", {}, "new_users",
                    self.by_day((person.heard_of, 1) for person in people))

    def news(self, when):
        shown = self.history.console.get("/news")
        for item in self.history.news:
            reads = [person.reads[item] for person in self.history.people if item in person.reads]
            self.series(when, f"news {item} first read", "/feed/data_series",
                        {"card_id": item}, "unique_impressions",
                        self.by_day((at, 1) for at in reads))
            self.judge(f"news {item} read by {len(reads)} in the console {when}",
                       f"{len(reads):,}" in shown)

    def in_app_message(self, when):
        answer = self.server.ask(
            f"/in_app_messages/details?in_app_message_id={self.history.in_app}")

        def expected(variants):
            done, recipients, buttons = collections.Counter(), set(), collections.Counter()
            for person in self.history.people:
                for kind, button, variant, _ in person.in_app:
                    if variant in variants:
                        done[kind] += 1
                        if kind == "impression":
                            recipients.add(person)
                        if kind == "button":
                            buttons[button] += 1
            return {
                "impressions": done["impression"], "unique_recipients": len(recipients),
                "clicks": done["click"], "dismissals": done["dismissed"],
                "first_button_clicks": buttons["0"], "second_button_clicks": buttons["1"],
                "button_clicks": dict(buttons),
            }

        parts = [("in-app message", answer["figures"], ["0", "1"])]
        parts += [(f"in-app message, variant {variant}", answer["variants"].get(variant),
                   [variant]) for variant in VARIANTS + ["withheld"]]
        for name, said, variants in parts:
            wanted = expected(variants)
            self.judge(f"{name} {when}: {said}" + ("" if said == wanted else f", not {wanted}"),
                       said == wanted, len(wanted))

        self.in_app_groups(when)

    def in_app_groups(self, when):
        """Each person in the group of what was shown first, who of them tapped and who bought something
        within a day of a showing."""
        answer = self.server.ask(
            f"/in_app_messages/experiment?in_app_message_id={self.history.in_app}")
        said = {("control" if group["number"] is None else str(group["number"])):
                (group["users"], group["clicked"], group["converted"])
                for group in answer["groups"]}
        users, clicked, bought = (collections.Counter() for _ in range(3))
        for person in self.history.people:
            shown = [(at, variant) for kind, _, variant, at in person.in_app
                     if kind == "impression" and variant != "withheld"]
            if shown:
                variant = min(shown)[1]
                users[variant] += 1
                clicked[variant] += any(kind in ("click", "button") and other not in UNSEEN
                                        for kind, _, other, _ in person.in_app)
                bought[variant] += person.bought_after(shown)
        expected = {variant: (users[variant], clicked[variant], bought[variant])
                    for variant in VARIANTS}
        self.judge(f"groups of the in-app message {when}: {said}, expected {expected}",
                   said == expected, 3 * len(expected))
        said = answer["withheld"]
        expected = self.withheld()
        self.judge(f"withheld of the in-app message {when}: {said}, expected {expected}",
                   said == expected, len(expected))

        answer = self.server.ask(
            f"/in_app_messages/funnel?in_app_message_id={self.history.in_app}")
        said = {step["step"]: step["users"] for step in answer["steps"]}
        said |= {f"control {name}": count for name, count in answer["control"].items()}
        said |= {"withheld": answer["withheld"], "withheld converted": answer["withheld_converted"]}
        withheld = self.withheld()
        expected = collections.Counter({"withheld": withheld["users"],
                                        "withheld converted": withheld["converted"]})
        for person in self.history.people:
            shown = [(at, variant) for kind, _, variant, at in person.in_app
                     if kind == "impression"]
            seen = [one for one in shown if one[1] not in UNSEEN]
            kept = [one for one in shown if one[1] == "control"]
            expected["shown"] += bool(seen)
            expected["clicked"] += any(kind in ("click", "button") and variant not in UNSEEN
                                       for kind, _, variant, _ in person.in_app)
            expected["converted"] += person.bought_after(seen)
            expected["control users"] += bool(kept)
            expected["control converted"] += person.bought_after(kept)
        self.judge(f"funnel of the in-app message {when}: {said}, expected {dict(expected)}",
                   said == expected, len(expected))

    def withheld(self):
        """Who is in the workspace's control group and would have seen it, without those who saw it or
        were in its own control group."""
        users = converted = 0
        for person in self.history.people:
            shown = [(at, variant) for kind, _, variant, at in person.in_app
                     if kind == "impression"]
            if shown and all(variant == "withheld" for _, variant in shown):
                users += 1
                converted += person.bought_after(shown)
        return {"users": users, "converted": converted}

    # The campaign

    def campaign(self, when):
        pushes = self.history.of_campaign()
        campaign = {"campaign_id": self.history.campaign}
        rows = [row for push in pushes.values() for row in push.everyone()]
        found = list(conversions(pushes, DAY))
        measured = [one for one in found if not one[4]]
        path = "/campaigns/data_series"
        self.series(when, "conversions", path, campaign, "conversions",
                    self.by_day((at, 1) for _, _, at, _, _ in measured))
        self.series(when, "conversions by message", path, campaign, "conversions_by_send_time",
                    self.by_day((sent, 1) for _, sent, _, _, _ in measured))
        self.series(when, "revenue of conversions", path, campaign, "revenue",
                    self.by_day((at, amount) for _, _, at, amount, _ in measured))
        recipients = collections.defaultdict(set)
        for push in pushes.values():
            for row in push.everyone():
                if row.accepted is not None:
                    # Those who are gone cannot be told apart.
                    person = row.person if row.person in self.living() else None
                    recipients[self.day(row.accepted)].add(person)
        self.series(when, "unique recipients", path, campaign, "unique_recipients",
                    {day: len(people) for day, people in recipients.items()})
        self.variants(when, rows)

        control = [one for one in found if one[4]]
        page = "/campaigns/1"
        figures = self.history.console.figures(page)
        everyone = set().union(*recipients.values())
        self.judge(f"reached by the campaign {when}: {figures.get('Recipients')}, expected"
                   f" {len(everyone)}", figures.get("Recipients") == len(everyone))
        said = self.history.console.table(page, "Conversions")[0][1:]
        wanted = [f"{len({one[0] for one in part}):,}" for part in (measured, control)]
        earned = sum(amount for _, _, _, amount, _ in measured)
        self.judge(f"converted users, of the control group, and revenue {when}: {said}, expected"
                   f" {wanted} and {earned:.2f}",
                   said[:2] == wanted and abs(float(said[2].replace(",", "")) - earned) < 0.006, 3)

    # How far messages came

    def funnels(self, when):
        for number, push in self.history.pushes.items():
            reach = push.reach()
            control = push.control if push.is_of_campaign else {}
            control = [one for one in control if one not in reach["targeted"]]
            self.funnel(f"push {number} {when}", f"/messages/funnel?dispatch_id={number}",
                        {step: len(people) for step, people in reach.items()},
                        len(control), None, [push])
        pushes = self.history.of_campaign()
        whole, control = collections.defaultdict(set), set()
        for push in pushes.values():
            reach = push.reach()
            for step, people in reach.items():
                whole[step] |= people
            control |= {one for one in push.control if one not in reach["targeted"]}
        found = list(conversions(pushes, DAY))
        expected = {step: len(people) for step, people in whole.items()}
        expected["converted"] = len({one[0] for one in found if not one[4]})
        self.funnel(f"the campaign {when}", f"/campaigns/funnel?campaign_id={self.history.campaign}",
                    expected, len(control), len({one[0] for one in found if one[4]}),
                    pushes.values(), is_detail=False)

    def funnel(self, what, path, expected, control, converted, pushes, is_detail=True):
        answer = self.server.ask(path)
        said = {step["step"]: step["users"] for step in answer["steps"]}
        if control:
            said["control"] = answer["control"]
            expected = {**expected, "control": {"users": control, "converted": converted}}
        self.judge(f"funnel of {what}: {said}, expected {expected}", said == expected,
                   len(expected), is_detail)
        delays = [delay for push in pushes for delay in push.delays()]
        curve = answer["opens"]
        if curve is None:
            self.judge(f"opens of {what}", not delays, 1, is_detail)
            return
        unit = curve["unit_seconds"] * 1000
        wrong = [(step, opens) for step, opens in enumerate(curve["opens"])
                 if not sum(most <= step * unit for _, most in delays) <= opens
                 <= sum(least <= step * unit for least, _ in delays)]
        is_good = not wrong and curve["total"] == len(delays)
        if delays:
            middle = (len(delays) - 1) // 2
            first = sorted(least for least, _ in delays)[middle] // 1000
            last = sorted(most for _, most in delays)[middle] // 1000
            if self.knows_minutes:
                last += -last % 60
            is_good = is_good and first <= curve["half_seconds"] <= last
        self.judge(f"opens of {what}: {curve}, expected {len(delays)}"
                   + (f", not so: {wrong[:3]}" if wrong else ""), is_good, len(curve["opens"]) + 2,
                   is_detail)

    def living(self):
        return set(self.history.people)

    def variants(self, when, rows):
        """By platform and variant; which device an influenced open is noted at is not compared."""
        query = urllib.parse.urlencode({"length": 3, "campaign_id": self.history.campaign})
        said = collections.Counter()
        for day in self.server.ask(f"/campaigns/data_series?{query}")["data"]:
            for channel, variants in day["messages"].items():
                for variant in variants:
                    for name in ("sent", "direct_opens", "bounces", "received"):
                        said[channel, variant["variation_name"], name] += variant[name]
                    said["all", "all", "total_opens"] += variant["total_opens"]
        expected = collections.Counter()
        for row in rows:
            key = (f"{row.platform}_push", "AB"[row.variant])
            expected[*key, "sent"] += row.accepted is not None
            expected[*key, "direct_opens"] += bool(row.taps)
            expected[*key, "bounces"] += row.accepted is None
            expected[*key, "received"] += row.is_received
            expected["all", "all", "total_opens"] += bool(row.taps)
        pushes = self.history.of_campaign().values()
        expected["all", "all", "total_opens"] += sum(len(push.influenced()) for push in pushes)
        wrong = {key: (said[key], expected[key]) for key in {**said, **expected}
                 if said[key] != expected[key]}
        self.judge(f"{len(expected)} figures of platforms and variants {when}"
                   + (f", not so (said, expected): {wrong}" if wrong else ""), not wrong,
                   len(expected))

    # Days

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
        self.judge(f"{name} {when}: {sum(expected.values()) / scale:g} on {DAYS} days"
                   + (f", not so (said, expected): {wrong[:3]}" if wrong else ""), not wrong,
                   DAYS)
