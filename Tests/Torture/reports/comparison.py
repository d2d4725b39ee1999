"""What the server says, as JSON and as CSV, beside what it has to say."""
import csv
import io
import json


def compare(server, console, answers, kind, question):
    """What is wrong, and how many figures were compared."""
    while True:
        expected = getattr(answers, kind)(question)
        wrong, figures = judge(server, console, expected, kind, question)
        # Where an hour or a day has begun meanwhile, both are asked again.
        if not wrong or getattr(answers, kind)(question) == expected:
            return wrong, figures


def judge(server, console, expected, kind, question):
    found = json.loads(server.text(f"/reports/{kind}", question))
    found.pop("message")
    if kind == "control_group":
        found = {"share": found["share"], "measures": [
            {"measure": measure["measure"], "groups": [
                {name: group[name] for name in ("id", "users", "total", "per_user")}
                for group in measure["groups"]]}
            for measure in found["measures"]]}
    wrong = []
    figures = differences(found, expected, "json", wrong)
    text = server.text(f"/reports/{kind}", question, accept="text/csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    if kind == "control_group":
        rows = [{name: row[name] for name in ("measure", "group", "users", "total", "per_user")}
                for row in rows]
    expected = ways(question, expected) if kind == "paths" else table(kind, expected)
    figures += differences(rows, expected, "csv", wrong)
    # A saved report ends now; who matches now is no saved report.
    if kind != "users" and "ending_at" not in question:
        other, more = console.compare(kind, question, found, text)
        wrong += other
        figures += more
    return wrong, figures


def differences(found, expected, place, wrong):
    """Notes where two values differ; how many figures there are."""
    if isinstance(expected, dict):
        if not isinstance(found, dict) or found.keys() != expected.keys():
            wrong.append(f"{place}: {found} for {expected}")
            return 1
        return sum(differences(found[key], expected[key], f"{place}.{key}", wrong)
                   for key in expected)
    if isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            wrong.append(f"{place}: {found} for {expected}")
            return 1
        return sum(differences(one, other, f"{place}.{number}", wrong)
                   for number, (one, other) in enumerate(zip(found, expected)))
    if found != expected:
        wrong.append(f"{place}: {found} for {expected}")
    return 1


def number(value):
    if value is None:
        return ""
    return str(int(value)) if value == int(value) else repr(value)


def group(name):
    text = name.get("value", "")
    # Spreadsheets would calculate it.
    return {"group_kind": name["kind"], "group": "'" + text if text[:1] in "=+-@" and text else text}


EVERYBODY = {"kind": "all"}


def table(kind, answer):
    """The same as rows of texts."""
    if kind == "control_group":
        return [{"measure": measure["measure"], "group": group["id"],
                 "users": str(group["users"]), "total": number(group["total"]),
                 "per_user": number(group["per_user"])}
                for measure in answer["measures"] for group in measure["groups"]]
    parts = [(EVERYBODY, answer)] + [(one, one) for one in answer.get("groups", [])]
    if kind == "funnel":
        rows = [{**group(EVERYBODY), "step": str(place + 1), "users": str(step["users"]),
                 "average_seconds": number(step["average_seconds"]),
                 "median_seconds": number(step["median_seconds"])}
                for place, step in enumerate(answer["steps"])]
        return rows + [
            {**group(one), "step": str(place + 1), "users": str(users), "average_seconds": "",
             "median_seconds": ""}
            for one in answer.get("groups", []) for place, users in enumerate(one["users"])]
    if kind == "users":
        return [{**group(name), "users": str(one["users"])} for name, one in parts]
    if kind == "retention":
        cells = [{**group(EVERYBODY), "start": one["start"], "users": str(one["users"]),
                  **intervals(one["returned"])} for one in answer["cohorts"]]
        parts[0] = (EVERYBODY, answer["total"])
        return cells + [{**group(name), "start": "", "users": str(curve["users"]),
                         **intervals(curve["returned"])} for name, curve in parts]
    rows = []
    for name, line in parts:
        for place, one in enumerate(line["data"]):
            row = {**group(name), "start": one["time"], "value": number(one["value"])}
            if "previous" in line:
                before = line["previous"]["data"][place]
                row.update(previous_start=before["time"], previous_value=number(before["value"]))
            rows.append(row)
    return rows


def ways(question, answer):
    """Paths as rows of texts, one for each way from step to step."""
    start = question["start"]
    before = [{"kind": next(kind for kind in ("event", "purchase", "session") if kind in start),
               "event": start.get("event", "")}]
    rows = []
    for place, step in enumerate(answer["steps"]):
        for link in step["links"]:
            origin, to = before[link["from"]], step["nodes"][link["to"]]
            rows.append({"step": str(place + 1), "from_kind": origin["kind"],
                         "from": origin.get("event", ""), "to_kind": to["kind"],
                         "to": to.get("event", ""), "users": str(link["users"])})
        before = step["nodes"]
    return rows


def intervals(counts):
    return {f"interval_{place}": "" if count is None else str(count)
            for place, count in enumerate(counts)}
