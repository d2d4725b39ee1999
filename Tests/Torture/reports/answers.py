"""What DuckDB finds: docs/figures.md, once more."""
import collections
import datetime
import itertools
import time
import zoneinfo

import duckdb

from history import now
from server import APPS, ZONE

UTC = datetime.timezone.utc
LENGTHS = {"day": 86_400, "week": 7 * 86_400, "month": 30 * 86_400}


def written(value):
    """How a value is written; nothing for lists and what is not there."""
    if value is None or isinstance(value, list):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


class Answers:
    def __init__(self, history):
        self.database = duckdb.connect()
        self.run("CREATE TABLE people (person INTEGER, heard BIGINT, plan VARCHAR,"
                 " is_control BOOLEAN)")
        self.run("CREATE TABLE traits (person INTEGER, trait VARCHAR, value VARCHAR)")
        self.run("""CREATE TABLE acts (act INTEGER, person INTEGER, kind VARCHAR, name VARCHAR,
            t BIGINT, shelf VARCHAR, n VARCHAR, n_number DOUBLE, n_type VARCHAR, product VARCHAR,
            price DOUBLE, quantity INTEGER, currency VARCHAR)""")
        people, traits, acts = [], [], []
        for number, person in enumerate(history.people):
            values = person.attributes
            people.append((number, person.heard_of // 1000, values.get("plan"),
                           person.is_control))
            for name in ("plan", "level", "country", "language"):
                if name in values:
                    traits.append((number, name, written(values[name])))
            traits += [(number, "tags", tag) for tag in values.get("tags", [])]
            for platform in history.platforms(person):
                traits += [(number, "platform", platform), (number, "app", APPS[platform])]
        for number, (person, act) in enumerate(history.occurrences()):
            n = act.get("properties", {}).get("n")
            is_number = isinstance(n, (int, float)) and not isinstance(n, bool)
            acts.append((
                number, person, act["kind"], act.get("name"), act["at"] // 1000,
                act.get("properties", {}).get("shelf"), written(n),
                float(n) if is_number else None, type(n).__name__ if n is not None else None,
                act.get("product"), act.get("price"), act.get("quantity"), act.get("currency")))
        self.fill("people", people)
        self.fill("traits", traits)
        self.fill("acts", acts)

    def run(self, sql, *values):
        return self.database.execute(sql, values or None)

    def fill(self, table, rows):
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self.database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)

    def rows(self, sql, *values):
        return self.run(sql, *values).fetchall()

    # Parts of questions

    def audience(self, question):
        """The users who count, as a condition."""
        if "audience" not in question:
            return "true"
        plan = question["audience"]["AND"][0]["custom_attribute"]["value"]
        return f"person IN (SELECT person FROM people WHERE plan = '{plan}')"

    def condition(self, activity):
        parts = []
        if "event" in activity:
            parts.append(f"kind = 'event' AND name = '{activity['event']}'")
        elif "session" in activity:
            parts.append("kind = 'session'")
        else:
            parts.append("kind = 'purchase'")
            products = activity.get("purchase", activity.get("revenue"))
            if products:
                parts.append("product IN (" + ", ".join(f"'{one}'" for one in products) + ")")
        for test in activity.get("where", []):
            parts.append(self.test(**test))
        return " AND ".join(f"({part})" for part in parts)

    def test(self, property, test, value=None):
        if property == "price":
            return f"price >= {value}"
        if property == "shelf":
            return {"equal": f"shelf IS NOT DISTINCT FROM '{value}'",
                    "one_of": "shelf IS NOT NULL AND shelf IN ('cups', 'Äpfel')",
                    "exists": "shelf IS NOT NULL", "missing": "shelf IS NULL"}[test]
        if test == ">=":
            return f"coalesce(n_number >= {value}, false)"
        if test == "not_equal":
            return f"coalesce(n_number <> {value}, true)"
        kind = {"str": "str", "bool": "bool"}[type(value).__name__]
        return f"coalesce(n_type = '{kind}' AND n = '{written(value)}', false)"

    def column(self, property):
        """The text of a property; purchases and sessions have none of these."""
        return property if property in ("shelf", "n") else "NULL::VARCHAR"

    # Time

    def intervals(self, question, before=0, after=0):
        zone = zoneinfo.ZoneInfo(question.get("time_zone", ZONE))
        if "ending_at" in question:
            day = datetime.date.fromisoformat(question["ending_at"])
            end = datetime.datetime(day.year, day.month, day.day, 12, tzinfo=zone)
        else:
            end = datetime.datetime.fromtimestamp(now() / 1000, zone)
        numbers = range(1 - question["length"] - before, 2 + after)
        if question["unit"] == "hour":
            offset = int(end.utcoffset().total_seconds())
            local = int(end.timestamp()) + offset
            last = local // 3600 * 3600 - offset
            return [last + number * 3600 for number in numbers], zone
        return [self.start(question["unit"], end.date(), number, zone) for number in numbers], zone

    def start(self, unit, day, number, zone):
        if unit == "day":
            day += datetime.timedelta(days=number)
        elif unit == "week":
            day += datetime.timedelta(days=7 * number - day.weekday())
        else:
            months = day.year * 12 + day.month - 1 + number
            day = datetime.date(months // 12, months % 12 + 1, 1)
        midnight = datetime.datetime(day.year, day.month, day.day, tzinfo=zone)
        return int(midnight.timestamp())

    def name(self, question, start, zone):
        if question["unit"] == "hour":
            moment = datetime.datetime.fromtimestamp(start, UTC)
            return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        return datetime.datetime.fromtimestamp(start, zone).date().isoformat()

    # Breakdowns

    def shown(self, question, counts):
        """The groups that are shown, of how many users each value has: values and what is left."""
        limit = question["breakdown"].get("limit", 10)
        ordered = sorted(counts.items(), key=lambda item: (
            -item[1], item[0] is None, (item[0] or "").encode()))
        return [value for value, _ in ordered[:limit]], [value for value, _ in ordered[limit:]]

    def trait(self, question):
        """The name of what users are taken apart by; nothing for a property."""
        by = question["breakdown"]["by"]
        return None if by == "property" else question["breakdown"].get("name", by)

    def members(self, table, question):
        """Makes `grouped`: the rows of a table once for each value of their user."""
        trait = self.trait(question)
        self.run(f"""CREATE OR REPLACE TEMP TABLE grouped AS
            SELECT {table}.* EXCLUDE (value), traits.value FROM {table}
            LEFT JOIN traits ON traits.person = {table}.person AND traits.trait = '{trait}'"""
                 if trait else f"CREATE OR REPLACE TEMP TABLE grouped AS SELECT * FROM {table}")

    def split(self, question):
        """Gives `grouped` a number for the group; the groups as the server has to name them."""
        counts = dict(self.rows("SELECT value, count(DISTINCT person) FROM grouped GROUP BY 1"))
        shown, rest = self.shown(question, counts)
        self.run("CREATE OR REPLACE TEMP TABLE parts (part INTEGER, value VARCHAR)")
        self.fill("parts", list(enumerate(shown)) + [(len(shown), value) for value in rest])
        self.run("""CREATE OR REPLACE TEMP TABLE parted AS SELECT grouped.*, parts.part
            FROM grouped JOIN parts ON parts.value IS NOT DISTINCT FROM grouped.value""")
        names = [{"kind": "missing"} if value is None else {"kind": "value", "value": value}
                 for value in shown]
        return names + ([{"kind": "other"}] if rest else [])

    # Funnels

    def funnel(self, question):
        bounds, _ = self.intervals(question)
        steps, window = question["steps"], question["window_seconds"]
        held = question.get("hold_constant")
        constant = self.column(held) if held else "'-'"
        of_group = "NULL::VARCHAR"
        if question.get("breakdown", {}).get("by") == "property":
            of_group = self.column(question["breakdown"]["name"])

        def acts(activity, constant="'-'"):
            return (f"(SELECT person, t, {constant} AS constant, {of_group} AS value FROM acts"
                    f" WHERE {self.condition(activity)} AND {constant} IS NOT NULL)")

        def kind(activity):
            return activity.get("event") or ("session" if "session" in activity else "purchase")

        self.run(f"""CREATE OR REPLACE TEMP TABLE attempts AS
            SELECT DISTINCT person, constant, value, t AS t1, 1 AS reached
            FROM {acts(steps[0], constant)}
            WHERE t >= {bounds[0]} AND t < {bounds[-1]} AND {self.audience(question)}""")
        for number in range(2, len(steps) + 1):
            same = [f"o.t > a.t{one}" for one in range(1, number)
                    if kind(steps[one - 1]) == kind(steps[number - 1])]
            self.run(f"""CREATE OR REPLACE TEMP TABLE next AS
                SELECT a.*, (SELECT min(o.t) FROM {acts(steps[number - 1], constant)} o
                    WHERE o.person = a.person AND o.constant = a.constant
                    AND a.reached = {number - 1} AND o.t >= a.t{number - 1}
                    AND o.t <= a.t1 + {window} AND {' AND '.join(same or ['true'])}) AS t{number}
                FROM attempts a""")
            for exclusion in question.get("exclusions", []):
                if exclusion["after_step"] < number <= exclusion["before_step"]:
                    self.run(f"""UPDATE next SET t{number} = NULL WHERE EXISTS (
                        SELECT 1 FROM {acts(exclusion)} x WHERE x.person = next.person
                        AND x.t > next.t{number - 1} AND x.t < next.t{number})""")
            self.run(f"""CREATE OR REPLACE TEMP TABLE attempts AS
                SELECT * REPLACE (CASE WHEN t{number} IS NULL THEN reached ELSE {number} END
                    AS reached) FROM next""")
        # Texts are compared by their bytes.
        self.run("""CREATE OR REPLACE TEMP TABLE best AS SELECT * FROM attempts QUALIFY
            row_number() OVER (PARTITION BY person ORDER BY reached DESC, t1,
                encode(constant), value IS NULL, encode(coalesce(value, ''))) = 1""")
        answer = {"steps": []}
        for number in range(1, len(steps) + 1):
            users, average, median = self.rows(f"SELECT count(*) FROM best WHERE reached >="
                                               f" {number}")[0][0], None, None
            if number > 1 and users:
                times = sorted(row[0] for row in self.rows(
                    f"SELECT t{number} - t{number - 1} FROM best WHERE reached >= {number}"))
                average, median = sum(times) / users, times[(users - 1) // 2]
            answer["steps"].append(
                {"users": users, "average_seconds": average, "median_seconds": median})
        if "breakdown" in question:
            self.members("best", question)
            names = self.split(question)
            answer["groups"] = [
                {**name, "users": [
                    self.rows(f"SELECT count(DISTINCT person) FROM parted WHERE part = {part}"
                              f" AND reached >= {number}")[0][0]
                    for number in range(1, len(steps) + 1)]}
                for part, name in enumerate(names)]
        return answer

    # Retentions

    def retention(self, question):
        bounds, zone = self.intervals(question, after=question["intervals"])
        cohorts, present = question["length"], time.time()
        intervals = question["intervals"] + 1
        self.run("CREATE OR REPLACE TEMP TABLE bounds (number INTEGER, s BIGINT, e BIGINT)")
        self.fill("bounds", [(number, *pair) for number, pair in enumerate(zip(bounds, bounds[1:]))])
        value = "NULL::VARCHAR"
        if question.get("breakdown", {}).get("by") == "property":
            value = self.column(question["breakdown"]["name"])
        window = "person" if question["cohort"] == "first" else "person, cohort"
        self.run(f"""CREATE OR REPLACE TEMP TABLE starts AS
            SELECT person, cohort, t, value FROM (
                SELECT person, t, {value} AS value,
                    (SELECT number FROM bounds WHERE s <= t AND t < e) AS cohort FROM acts
                WHERE {self.condition(question['first'])} AND {self.audience(question)})
            WHERE {'true' if question['cohort'] == 'first' else f'cohort < {cohorts}'}
            QUALIFY row_number() OVER (PARTITION BY {window}
                ORDER BY t, value IS NULL, encode(coalesce(value, ''))) = 1""")
        self.run(f"DELETE FROM starts WHERE cohort IS NULL OR cohort >= {cohorts}")
        length = LENGTHS[question["unit"]]
        within = {
            "n_day": "r.t >= i.s AND r.t < i.e",
            "unbounded": "r.t >= i.s",
            "rolling": f"r.t >= a.t + (i.number - a.cohort) * {length}"
                       f" AND r.t < a.t + (i.number - a.cohort + 1) * {length}",
        }[question["mode"]]
        self.run(f"""CREATE OR REPLACE TEMP TABLE returns AS
            SELECT DISTINCT a.person, a.cohort, i.number - a.cohort AS interval FROM starts a
            JOIN bounds i ON i.number >= a.cohort AND i.number < a.cohort + {intervals}
            JOIN acts r ON r.person = a.person AND r.t >= a.t
            WHERE {within} AND r.act IN (SELECT act FROM acts
                WHERE {self.condition(question['returning'])})""")

        def begun(cohort, interval):
            start = (bounds[cohort] + interval * length if question["mode"] == "rolling"
                     else bounds[cohort + interval])
            return start <= present

        def over(cohort, interval):
            if question["mode"] == "unbounded":
                return False
            end = (bounds[cohort + 1] + (interval + 1) * length if question["mode"] == "rolling"
                   else bounds[cohort + interval + 1])
            return end <= present

        def table(source):
            sizes = dict(self.rows(f"SELECT cohort, count(DISTINCT person) FROM {source}"
                                   " GROUP BY 1"))
            counts = {(cohort, interval): count for cohort, interval, count in self.rows(
                f"""SELECT r.cohort, interval, count(DISTINCT r.person) FROM returns r
                    JOIN {source} s ON s.person = r.person AND s.cohort = r.cohort GROUP BY 1, 2""")}
            return sizes, counts

        def curve(sizes, counts):
            cells = [[counts.get((cohort, interval), 0) for cohort in range(cohorts)
                      if begun(cohort, interval)] for interval in range(intervals)]
            return {"users": sum(sizes.values()), "returned": [sum(cell) for cell in cells],
                    "of": [sum(sizes.get(cohort, 0) for cohort in range(cohorts)
                               if begun(cohort, interval)) for interval in range(intervals)]}

        sizes, counts = table("starts")
        answer = {"total": curve(sizes, counts), "cohorts": [
            {"start": self.name(question, bounds[cohort], zone), "users": sizes.get(cohort, 0),
             "returned": [counts.get((cohort, interval), 0) if begun(cohort, interval) else None
                          for interval in range(intervals)],
             "complete": sum(over(cohort, interval) for interval in range(intervals))}
            for cohort in range(cohorts)]}
        if "breakdown" in question:
            self.members("starts", question)
            answer["groups"] = []
            for part, name in enumerate(self.split(question)):
                self.run(f"CREATE OR REPLACE TEMP TABLE of_part AS SELECT DISTINCT person, cohort"
                         f" FROM parted WHERE part = {part}")
                answer["groups"].append({**name, **curve(*table("of_part"))})
        return answer

    # Paths

    @staticmethod
    def kind(activity):
        """What an activity is as a step of a path, whatever its conditions."""
        if "event" in activity:
            return "event", activity["event"]
        return ("session" if "session" in activity else "purchase"), ""

    def paths(self, question):
        bounds, _ = self.intervals(question)
        backwards = question.get("direction") == "before"
        self.run(f"""CREATE OR REPLACE TEMP TABLE begun AS
            SELECT person, {'max' if backwards else 'min'}(t) AS t FROM acts
            WHERE {self.condition(question['start'])} AND {self.audience(question)}
            AND t >= {bounds[0]} AND t < {bounds[-1]} GROUP BY person""")
        order = "DESC" if backwards else "ASC"
        distance = "b.t - a.t" if backwards else "a.t - b.t"
        done = self.rows(f"""SELECT b.person, a.kind,
                CASE a.kind WHEN 'event' THEN a.name ELSE '' END, a.t = b.t
            FROM begun b LEFT JOIN acts a ON a.person = b.person
                AND {distance} BETWEEN 0 AND {question['window_seconds']}
            ORDER BY b.person, a.t {order},
                CASE a.kind WHEN 'session' THEN 0 WHEN 'event' THEN 1 ELSE 2 END {order},
                encode(coalesce(a.name, '')) {order}""")
        start = self.kind(question["start"])
        silent = {self.kind(activity) for activity in question.get("leave_out", [])}
        found = collections.Counter()
        for _, acts in itertools.groupby(done, key=lambda act: act[0]):
            path = [start]
            for _, kind, name, is_at_once in acts:
                what = (kind, name)
                if what in silent or (is_at_once and what == start) or what == path[-1]:
                    continue
                path.append(what)
            found[tuple(path[1:question["steps"] + 1])] += 1
        return {"users": sum(found.values()), "steps": self.steps(question, found),
                "paths": [{"steps": [self.named(kind) for kind in path], "users": users}
                          for path, users in sorted(
                              found.items(),
                              key=lambda one: (-one[1], [self.place(kind) for kind in one[0]]))][:20]}

    @staticmethod
    def place(kind):
        return ["session", "event", "purchase"].index(kind[0]), kind[1].encode()

    @staticmethod
    def named(kind):
        return {"kind": kind[0], **({"event": kind[1]} if kind[0] == "event" else {})}

    def steps(self, question, found):
        steps, before = [], None
        for number in range(question["steps"]):
            here = collections.Counter()
            for path, users in found.items():
                if len(path) > number:
                    here[path[number]] += users
            order = sorted(here, key=lambda kind: (-here[kind], self.place(kind)))
            shown = order[:question.get("limit", 5)]
            nodes = [{**self.named(kind), "users": here[kind]} for kind in shown]
            rest = sum(here[kind] for kind in order[len(shown):])
            if rest:
                nodes.append({"kind": "other", "users": rest})
            ended = sum(users for path, users in found.items() if len(path) == number)
            if ended:
                nodes.append({"kind": "end", "users": ended})

            def number_of(kind, names=tuple(shown)):
                return names.index(kind) if kind in names else len(names)

            links = collections.Counter()
            for path, users in found.items():
                if len(path) >= number:
                    origin = before(path[number - 1]) if before else 0
                    ends = len(path) == number
                    links[origin, len(nodes) - 1 if ends else number_of(path[number])] += users
            steps.append({"nodes": nodes, "links": [
                {"from": origin, "to": to, "users": users}
                for (origin, to), users in sorted(links.items())]})
            before = number_of
        return steps

    # Users

    def users(self, question):
        self.run(f"CREATE OR REPLACE TEMP TABLE counted AS SELECT person, NULL AS value FROM people"
                 f" WHERE {self.audience(question)}")
        self.members("counted", question)
        return {
            "users": self.rows("SELECT count(*) FROM counted")[0][0],
            "groups": [{**name, "users": self.rows(
                f"SELECT count(DISTINCT person) FROM parted WHERE part = {part}")[0][0]}
                for part, name in enumerate(self.split(question))]}

    # The control group

    def control_group(self, question):
        """Of each measure and group the users and what they did; intervals are the matter of the
        torture of experiments."""
        bounds, _ = self.intervals(question)
        start, end = bounds[0], bounds[-1]
        condition = f"{self.condition(question['activity'])} AND t >= {start} AND t < {end}"
        currency = question.get("currency")
        paid = f"kind = 'purchase' AND currency = '{currency}'" if currency else "false"

        def group(is_control, measure):
            column = "did" if measure == "rate" else "paid"
            users, total = self.rows(
                f"SELECT count(*), sum({column}) FROM (SELECT person,"
                f" count(act) > 0 AS did, coalesce(sum(round(price * quantity * 1000000)::HUGEINT)"
                f" FILTER (WHERE {paid}), 0) AS paid FROM people LEFT JOIN"
                f" (SELECT * FROM acts WHERE {condition}) USING (person)"
                f" WHERE heard < {end} AND is_control = {is_control} AND {self.audience(question)}"
                f" GROUP BY person)")[0]
            total = float(total or 0) / (1 if measure == "rate" else 1_000_000)
            return {"id": "control" if is_control else "others", "users": users, "total": total,
                    "per_user": total / users if users else None}

        return {"share": 30, "measures": [
            {"measure": measure, "groups": [group(True, measure), group(False, measure)]}
            for measure in ["rate"] + (["revenue"] if currency else [])]}

    # Series

    def series(self, question):
        before = question["length"] if question["compare"] else 0
        bounds, zone = self.intervals(question, before=before)
        series = question["series"]
        self.run("CREATE OR REPLACE TEMP TABLE bounds (number INTEGER, s BIGINT, e BIGINT)")
        self.fill("bounds", [(number, *pair) for number, pair in enumerate(zip(bounds, bounds[1:]))])
        value = "NULL::VARCHAR"
        if question.get("breakdown", {}).get("by") == "property":
            value = self.column(question["breakdown"]["name"])
        if "new_users" in series:
            source = f"SELECT person, heard AS t, 1 AS amount, NULL AS value FROM people"
            condition = self.audience(question)
        else:
            amount = "coalesce(quantity, 1)"
            if "revenue" in series:
                amount = "round(price * quantity * 1000000)::HUGEINT"
            source = f"SELECT person, t, {amount} AS amount, {value} AS value FROM acts"
            condition = f"{self.condition(series)} AND {self.audience(question)}"
            if "revenue" in series:
                condition += f" AND currency = '{series['currency']}'"
        self.run(f"""CREATE OR REPLACE TEMP TABLE counted AS
            SELECT c.person, c.amount, c.value, b.number FROM ({source} WHERE {condition}) c
            JOIN bounds b ON b.s <= c.t AND c.t < b.e""")
        scale = 1_000_000 if "revenue" in series else 1

        def amount(total, users):
            total = float(total or 0) / scale
            value = {"total": total, "users": users,
                     "per_user": total / users if users else None}[question["measure"]]
            return {"value": value, "total": total, "users": users}

        def line(table, first, last):
            # An occurrence counts once in a group, however many of its user's values are there.
            found = {number: rest for number, *rest in self.rows(
                f"SELECT number, sum(amount), count(DISTINCT person) FROM {table} GROUP BY 1")}
            whole = self.rows(f"SELECT sum(amount), count(DISTINCT person) FROM {table}"
                              f" WHERE number >= {first} AND number < {last}")[0]
            return {"data": [{"time": self.name(question, bounds[number], zone),
                              **amount(*found.get(number, (0, 0)))}
                             for number in range(first, last)], "whole": amount(*whole)}

        def lines(table):
            found = line(table, before, len(bounds) - 1)
            return {**found, "previous": line(table, 0, before)} if before else found

        answer = lines("counted")
        if "revenue" in series:
            answer["currency"] = series["currency"]
        if "breakdown" in question:
            self.run("CREATE OR REPLACE TEMP TABLE counted AS"
                     " SELECT row_number() OVER () AS id, * FROM counted")
            self.members("counted", question)
            answer["groups"] = []
            for part, name in enumerate(self.split(question)):
                self.run(f"CREATE OR REPLACE TEMP TABLE of_part AS SELECT DISTINCT id, person,"
                         f" amount, number FROM parted WHERE part = {part}")
                answer["groups"].append({**name, **lines("of_part")})
        return answer
