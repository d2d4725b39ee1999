"""The recipes of docs/data-out.md, run as they stand there, beside what the server says."""
import collections
import datetime
import json
import os
import re
import time
import urllib.parse
import zoneinfo

import duckdb

from comparison import DAYS, OVERVIEW_DAYS
from history import DAY, EVENTS, now
from server import ZONE

DOCUMENT = os.path.join(os.path.dirname(__file__), "../../../docs/data-out.md")


class Recipes:
    def __init__(self, folder, history, sequel):
        self.history, self.server, self.folder = history, history.server, folder
        self.sequel = sequel
        self.faults, self.compared = [], 0
        with open(DOCUMENT) as file:
            text = file.read()
        self.texts = dict(re.findall(r"^### ([^\n]*)\n(?:(?!#)[^\n]*\n)*?```sql\n(.*?)```", text,
                                     re.MULTILINE | re.DOTALL))
        self.used = set()
        self.database = duckdb.connect()
        for statement in self.statements("setup"):
            self.execute(statement, files=folder.files)

    def statements(self, name):
        self.used.add(name)
        return [one for one in self.texts[name].split(";") if one.strip()]

    def execute(self, sql, **values):
        named = {name: value for name, value in values.items() if f"${name}" in sql}
        return self.database.execute(sql, named) if named else self.database.execute(sql)

    def rows(self, name, **values):
        for statement in self.statements(name):
            found = self.execute(statement, **values)
        columns = [column[0] for column in found.description]
        return [dict(zip(columns, row)) for row in found.fetchall()]

    def row(self, name, **values):
        return self.rows(name, **values)[0]

    def judge(self, what, said, computed):
        self.compared += len(said)
        wrong = {name: (value, computed.get(name)) for name, value in said.items()
                 if not self.equal(value, computed.get(name, 0))}
        if wrong:
            self.faults.append(f"{os.path.basename(self.folder.path)}, {what}: (said, computed) {wrong}")

    @staticmethod
    def equal(left, right):
        left, right = left or 0, right or 0
        return abs(left - right) <= 1e-6 * max(1, abs(left))

    def all(self):
        self.pushes()
        self.campaign()
        self.in_app()
        self.activity()
        self.overview()
        self.users()
        self.story()
        self.withheld()
        self.journey()
        for name in set(self.texts) - self.used:
            self.faults.append(f"the recipe '{name}' was not compared")

    def pushes(self):
        shown = self.history.console.pushes()
        for number in self.history.pushes:
            computed = self.row("push", push_no=number)
            self.judge(f"push {number}", {name: int(shown[number][name]) for name in computed}, computed)
            answer = self.server.ask(f"/messages/funnel?dispatch_id={number}")
            said = {step["step"]: step["users"] for step in answer["steps"]}
            self.judge(f"funnel of push {number}", said, self.row("funnel of a push", push_no=number))
            curve = answer["opens"] or {"total": 0, "half_seconds": 0}
            self.judge(f"opens of push {number}",
                       {name: curve[name] for name in ("total", "half_seconds")},
                       self.row("opens after delivery", push_no=number))

    def overview(self):
        zone = zoneinfo.ZoneInfo(ZONE)
        today = datetime.datetime.fromtimestamp(now() / 1000, zone).date()
        first = today - datetime.timedelta(days=OVERVIEW_DAYS - 1)
        begin = [str(datetime.datetime(day.year, day.month, day.day, tzinfo=zone)) for day in (
            first, today + datetime.timedelta(days=1))]
        computed = self.row("pushes of a period", since=begin[0], until=begin[1])
        deadline = time.monotonic() + 20
        # The page is fed by what is announced, which takes a moment.
        while True:
            shown = self.history.console.figures("")
            said = {"delivered": shown["Delivered"], "opened": shown["Opens"]}
            if said == computed or time.monotonic() > deadline:
                break
            time.sleep(0.5)
        self.judge("overview", said, computed)

    def series(self, what, path, parameters, fields, computed):
        """Days of the server's answer beside rows with the same fields."""
        query = urllib.parse.urlencode({"length": DAYS, **parameters})
        mine = {row["day"]: row for row in computed}
        for row in self.server.ask(f"{path}?{query}")["data"]:
            day = row["time"][:10]
            self.judge(f"{what} on {day}", {name: row[name] for name in fields}, mine.get(day, {}))

    def campaign(self):
        campaign = {"campaign_id": self.history.campaign}
        self.rows("conversions", window=DAY // 1000, **campaign)
        path = "/campaigns/data_series"
        self.series("the campaign", path, campaign,
                    ["conversions", "conversions_by_send_time", "revenue"],
                    self.rows("campaign by day", zone=ZONE))
        self.series("the campaign", path, campaign, ["unique_recipients"],
                    self.rows("unique recipients by day", zone=ZONE, **campaign))
        said = collections.Counter()
        query = urllib.parse.urlencode({"length": DAYS, **campaign})
        fields = ("sent", "direct_opens", "total_opens", "bounces", "received")
        for day in self.server.ask(f"{path}?{query}")["data"]:
            for channel, variants in day["messages"].items():
                for variant in variants:
                    for name in fields:
                        key = (channel, variant["variation_api_id"].lower(), name)
                        said[key] += variant[name]
        computed = {(f"{row['platform']}_push", row["message_variation_id"], name): row[name]
                    for row in self.rows("variants of a campaign", **campaign) for name in fields}
        self.judge("variants", said, computed)
        answer = self.server.ask(f"/campaigns/funnel?campaign_id={self.history.campaign}")
        said = {step["step"]: step["users"] for step in answer["steps"]}
        said |= {f"control_{name}": answer["control"][name] for name in ("users", "converted")}
        said["unique_recipients"] = self.history.console.figures("/campaigns/1")["Recipients"]
        self.judge("funnel of the campaign", said, self.row("funnel of a campaign", **campaign))

    def in_app(self):
        message = {"in_app_message_id": self.history.in_app}
        query = urllib.parse.urlencode(message)
        figures = self.server.ask(f"/in_app_messages/details?{query}")["figures"]
        computed = self.row("in-app message", **message)
        self.judge("in-app message", {name: figures[name] for name in computed}, computed)
        groups = self.server.ask(f"/in_app_messages/experiment?{query}")["groups"]
        computed = {row["variant"]: row for row in self.rows(
            "groups of an in-app message", window=DAY // 1000, **message)}
        for group in groups:
            name = "control" if group["number"] is None else str(group["number"])
            self.judge(f"group {name} of the in-app message",
                       {one: group[one] for one in ("users", "clicked", "converted")
                        if group[one] is not None}, computed.get(name, {}))
        answer = self.server.ask(f"/in_app_messages/funnel?{query}")
        said = {step["step"]: step["users"] for step in answer["steps"]}
        said |= {f"control_{name}": count for name, count in answer["control"].items()}
        self.judge("funnel of the in-app message", said,
                   self.row("funnel of an in-app message", window=DAY // 1000, **message))

    def activity(self):
        for event in EVENTS:
            days = self.rows("activity by day", zone=ZONE, event=event, currency="JPY")
            self.series(f"event {event}", "/events/data_series", {"event": event}, ["count"], days)
        self.series("sessions", "/sessions/data_series", {}, ["sessions"], days)
        self.series("quantity", "/purchases/quantity_series", {}, ["purchase_quantity"], days)
        self.series("revenue", "/purchases/revenue_series", {"currency": "JPY"}, ["revenue"], days)
        self.series("daily active users", "/kpi/dau/data_series", {}, ["dau"], days)
        today = datetime.datetime.fromtimestamp(now() / 1000, zoneinfo.ZoneInfo(ZONE)).date()
        self.series("monthly active users", "/kpi/mau/data_series", {}, ["mau"], self.rows(
            "monthly active users", zone=ZONE, last=str(today),
            first=str(today - datetime.timedelta(days=DAYS))))
        self.series("new users", "/kpi/new_users/data_series", {}, ["new_users"],
                    self.rows("new users by day", zone=ZONE))
        for item in self.history.news:
            self.series(f"news {item}", "/feed/data_series", {"card_id": item},
                        ["unique_impressions"],
                        self.rows("news first read by day", zone=ZONE, news_id=item))
        self.judge("users", {"users": len(self.history.people)}, self.row("users"))

    def users(self):
        names = dict(self.database.execute("""
            SELECT arg_max(external_id, number), person FROM facts JOIN identities USING (user_id)
            WHERE facts.user_id = person AND external_id IS NOT NULL GROUP BY person""").fetchall())
        people = [person for person in self.history.people if person.name]
        for person in self.history.random.sample(people, min(80, len(people))):
            query = urllib.parse.urlencode({"external_id": person.name})
            said = self.server.ask(f"/users/figures?{query}")
            in_app = said["in_app_message"]
            mine = {
                "sessions": said["sessions"], "purchase_quantity": said["purchase_quantity"],
                "impressions": in_app["impressions"], "clicks": in_app["clicks"],
                "button_clicks": in_app["button_clicks"],
                **{name: said["push"][name] for name in (
                    "delivered", "received", "direct_opens", "influenced_opens", "dismissed")},
            }
            if person.name not in names:
                self.faults.append(f"{person.name} is not there")
                continue
            self.judge(f"user {person.name}", mine, self.row("one user", user_id=names[person.name]))

    def story(self):
        number = self.sequel.story
        lines = self.server.output("export", "sends").splitlines()
        said = next(row for row in map(json.loads, lines) if row["push_no"] == number)
        said = {page + 1: opens for page, opens in enumerate(said["story_page_opens"])}
        if not any(said.values()):
            self.faults.append("nobody opened a page of the story")
        self.judge("opens by page", said, {
            row["page"]: row["opens"] for row in self.rows("opens by page", push_no=number)})

    def withheld(self):
        number = self.sequel.withholding
        said = self.server.ask(f"/messages/funnel?dispatch_id={number}")["withheld"]
        if said == 0:
            self.faults.append("nothing was withheld")
        self.judge("withheld", {"withheld": said}, self.row("withheld", push_no=number))

    def journey(self):
        said = self.sequel.figures()
        computed = self.row("journey", journey_id=self.sequel.journey)
        said["completed"] = said["ended"].get("completed", 0)
        self.judge("journey", {name: said[name] for name in computed}, computed)
        steps = {str(row["step_id"]): row for row in self.rows(
            "steps of a journey", journey_id=self.sequel.journey)}
        for step in said["steps"]:
            self.judge(f"the step {step['name']}", {
                "passed": step["passed"], "late": step["late"], "ended": step["left"],
            }, steps.get(step["step_id"], {}))
