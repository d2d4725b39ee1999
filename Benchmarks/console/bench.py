"""How long the console's pages take until their first byte, with 100,000 users.

    ./noroshi bench console [--users 100000] [--requests 60] [--keep FOLDER]

Fills a database, starts the server on it and asks for every page again and again over one
connection, one request at a time. The bound is on the 99th percentile of each page. The last column
is the server's processor time for a request, which does not depend on what else the machine does.
"""
import argparse
import contextlib
import html
import http.client
import json
import os
import pathlib
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tests" / "Browser"))
from pages import PAGES  # noqa: E402

BOUND = 0.050
DAY = 86_400_000
CITIES = ["Tokyo", "Kyoto", "Osaka", "São Paulo", "Recife", "Berlin", "Paris", "Lagos"]
PLANS = ["free", "plus", "pro"]
EVENTS = ["menu_viewed", "cart_abandoned", "table_reserved", "coupon_used", "order_placed",
          "review_written", "shared", "searched"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def command(binary, *arguments):
    done = subprocess.run([binary, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip().splitlines()[-1]


def fill(path, users, now):
    """Writes what a workspace of this size has after some months."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA cache_size = -200000")
    workspace = database.execute("SELECT min(id) FROM workspaces").fetchone()[0]
    app = database.execute("SELECT min(id) FROM apps").fetchone()[0]

    def profile(number):
        city, plan = CITIES[number % len(CITIES)], PLANS[number % len(PLANS)]
        standard = {"first_name": f"Name{number}", "last_name": f"Family{number % 997}",
                    "email": f"user{number}@example.com", "country": "JP",
                    "language": ("ja", "ja", "en", "pt-BR", "ko")[number % 5]}
        custom = {"city": city, "plan": plan, "points": number % 1000, "is_member": number % 2 == 0,
                  "tags": ["tea", city]}
        created = now - (number * 37 % 180) * DAY
        seen = now - number * 7919 % (30 * DAY)
        return (number, workspace, uuid.UUID(int=number).bytes, f"user-{number}",
                standard["email"], standard["first_name"], standard["last_name"], "subscribed",
                json.dumps(standard), json.dumps(custom), number % 40, created, seen, created, seen)

    def device(number):
        return (number, workspace, app, uuid.UUID(int=users + number).bytes, number, "ios",
                "iPhone15,2", "18.2", "2.4.1", "1.0.0", "ja_JP", "Asia/Tokyo", "apns",
                f"{number:064x}", "production", "authorized", now - number % DAY, now - number % DAY)

    with database:
        database.executemany(
            "INSERT INTO profiles (id, workspace_id, public_id, external_id, email, first_name,"
            " last_name, push_subscription, standard, custom, session_count, first_session_at,"
            " last_session_at, created_at, updated_at)"
            " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", map(profile, range(1, users + 1)))
        database.executemany(
            "INSERT INTO devices (id, workspace_id, app_id, installation_id, profile_id, platform,"
            " model, os_version, app_version, sdk_version, locale, time_zone, push_provider,"
            " push_token, push_environment, push_authorization, push_registered_at, updated_at)"
            " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", map(device, range(1, users + 1)))
        names = EVENTS + ["$session_start", "$session_end"] + [f"event_{n}" for n in range(60)]
        database.executemany("INSERT INTO event_names (id, workspace_id, name) VALUES (?, ?, ?)",
                             [(i + 1, workspace, name) for i, name in enumerate(names)])
        database.executemany(
            "INSERT INTO events (name_id, time, profile_id, properties) VALUES (?,?,?,?)",
            ((n * 31 % len(names) + 1, now - n * 6_700_417 % (90 * DAY), n * 7919 % users + 1,
              '{"shop":"Kyoto"}' if n % 3 == 0 else None) for n in range(10 * users)))
        sends(database, workspace, users, now)
        news(database, workspace, users, now)
        database.executemany(
            "INSERT INTO audit_log (workspace_id, at, origin, author, action, subject, detail)"
            " VALUES (?, ?, 'console', ?, 'push_sent', ?, 'Saturday only')",
            [(workspace, now - (5000 - n) * 60_000, f"Member {n % 7}", f"#{n}")
             for n in range(5000)])
    database.execute("PRAGMA optimize")
    database.execute("ANALYZE")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def sends(database, workspace, users, now):
    """200 pushes: the newest one to everybody, the others to a hundredth each."""
    template = {
        "audience": {"everyone": {}}, "author": "Ada", "options": {"priority": "immediate"},
        "triggerProperties": {},
        "message": {"title": "", "subtitle": "", "body": "Hi {{${first_name}}}, tea is ready.",
                    "useWebView": False, "keyValuePairs": {"screen": "menu"},
                    "badge": {"unchanged": {}}, "buttons": [], "isMutable": True,
                    "isSilent": False}}
    for number in range(1, 201):
        template["message"]["title"] = f"Push {number}"
        created = now - (200 - number) * DAY // 4
        state = "finished" if number > 3 else "cancelled"
        database.execute(
            "INSERT INTO sends (public_id, workspace_id, content, state, scheduled_at, created_at,"
            " started_at, finished_at) VALUES (randomblob(16), ?, ?, ?, ?, ?, ?, ?)",
            (workspace, json.dumps(template), state, created, created, created, created + 60_000))
        send = database.execute("SELECT max(id) FROM sends").fetchone()[0]
        step = 1 if number == 200 else 100
        database.executemany(
            "INSERT INTO dispatches (send_id, device_id, profile_id, state, attempts, due_at,"
            " reason, accepted_at, received_at, opened_at, influenced_at, updated_at)"
            " VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)",
            ((send, user, user, 3 if user % 50 == 0 else 2, created,
              "Unregistered" if user % 50 == 0 else None,
              None if user % 50 == 0 else created + user % 60_000,
              None if user % 10 == 0 else created + 1000 + user % 60_000,
              created + 9000 + user % 3_600_000 if user % 11 == 0 else None,
              created + 9000 + user % 3_600_000 if user % 23 == 0 else None,
              created + user % 60_000)
             for user in range(number % step or step, users + 1, step)))

    template["message"]["title"] = "Reserved"
    database.execute(
        "INSERT INTO sends (public_id, workspace_id, content, state, scheduled_at, created_at)"
        " VALUES (randomblob(16), ?, ?, 'scheduled', ?, ?)",
        (workspace, json.dumps(template), now + 30 * DAY, now))

    # The sums over the ledger that the server keeps.
    database.execute("INSERT OR REPLACE INTO send_counts SELECT send_id, state,"
                     " coalesce(reason, ''), count(*) FROM dispatches GROUP BY 1, 2, 3")
    database.execute("INSERT OR REPLACE INTO send_receipts SELECT send_id, count(received_at),"
                     " count(opened_at), count(CASE WHEN opened_at IS NULL THEN influenced_at END),"
                     " count(dismissed_at) FROM dispatches GROUP BY send_id")


def news(database, workspace, users, now):
    for number in range(1, 301):
        content = {"attributes": {}, "category": "Shop", "imageURL": "", "isDraft": False,
                   "tags": [], "tenant": "", "text": "Come by.", "title": f"News {number}",
                   "url": ""}
        database.execute(
            "INSERT INTO news (public_id, workspace_id, title, text, content, is_draft,"
            " release_from, author, created_at, updated_at)"
            " VALUES (randomblob(16), ?, ?, ?, ?, 0, ?, 'Ada', ?, ?)",
            (workspace, content["title"], content["text"], json.dumps(content),
             now - number * DAY, now, now))
    database.executemany(
        "INSERT OR IGNORE INTO news_reads SELECT max(id) - ?, ?, ? FROM news",
        ((user % 20, user, now) for user in range(1, users + 1)))


class Browser:
    """One connection that keeps its cookies."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.cookies = {}

    def ask(self, path, form=None):
        headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items()),
                   "Accept-Language": "ja"}
        body = None
        if form is not None:
            body = urllib.parse.urlencode(form)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        start = time.perf_counter()
        self.connection.request("POST" if form is not None else "GET", path, body, headers)
        answer = self.connection.getresponse()
        first = time.perf_counter() - start
        text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, value = cookie.split(";")[0].split("=", 1)
            self.cookies[name] = value
        return answer.status, first, text

    def log_in(self, email, password):
        _, _, page = self.ask("/console/login")
        token = re.search(r'name="token" value="([^"]*)"', page).group(1)
        status, _, _ = self.ask("/console/login",
                                {"email": email, "password": password, "token": token})
        assert status == 303, status


# Where the things are that have no number that is known beforehand.
THINGS = {"campaign": "/console/campaigns/1", "segment": "/console/segments/1",
          "block": "/console/blocks/00000000-0000-0000-0000-000000000001",
          "catalog": "/console/catalogs/menu",
          "in-app": "/console/in-app/00000000-0000-0000-0000-000000000001",
          "journey": "/console/journeys/1",
          "journey step": "/console/journeys/1/steps/00000000-0000-0000-0000-000000000001"}


def pages(users, things=None):
    """An address for every page of the console: those that show something by a name of their own,
    the others as the browser's tests list them."""
    middle = users // 2
    things = THINGS | (things or {})
    named = {
        "overview": "/console",
        "push history": "/console/push",
        "push history, page 5": "/console/push?page=5",
        "push history, search": "/console/push?text=Push+19",
        "push to everybody": "/console/push/200",
        "push to 1 %": "/console/push/100",
        "recipients": "/console/push/200/recipients",
        "recipients, failed": "/console/push/200/recipients?reason=Unregistered",
        "composer": "/console/push/new",
        "composer, reserved": "/console/push/201/edit",
        "composer, copy": "/console/push/199/duplicate",
        "campaigns": "/console/campaigns",
        "campaign": things["campaign"],
        "campaign, wizard": things["campaign"] + "/edit",
        "campaign, copy": things["campaign"] + "/duplicate",
        "campaign, activation": things["campaign"] + "/activate",
        "campaign, rehearsal": things["campaign"] + "/rehearsal",
        "new campaign": "/console/campaigns/new",
        "content blocks": "/console/blocks",
        "content block": things["block"],
        "new content block": "/console/blocks/new",
        "catalogs": "/console/catalogs",
        "catalog": things["catalog"],
        "in-app messages": "/console/in-app",
        "in-app message": things["in-app"],
        "in-app, edit": things["in-app"] + "/edit",
        "in-app, copy": things["in-app"] + "/duplicate",
        "in-app, activation": things["in-app"] + "/activate",
        "in-app, users": things["in-app"] + "/users",
        "new in-app message": "/console/in-app/new",
        "journeys": "/console/journeys",
        "journey": things["journey"],
        "journey, rehearsal": things["journey"] + "/rehearsal",
        "files": "/console/files",
        "journey, people": things["journey step"],
        "journey, person": things["journey"] + f"/users/{middle}",
        "news": "/console/news",
        "news item": "/console/news/299",
        "new news item": "/console/news/new",
        "segments": "/console/segments",
        "uploaded lists": "/console/segments/lists",
        "segment": things["segment"],
        "new segment": "/console/segments/new",
        "users": "/console/users",
        "users, page 50": "/console/users?page=50",
        "users, search": "/console/users?text=user-9",
        "user": f"/console/users/{middle}",
        "user, form": f"/console/users/{middle}/edit",
        "why, form": "/console/why",
        "why, push": f"/console/why?user=user-{middle}&about=push:200",
        "why, campaign": f"/console/why?user=user-{middle}&about=campaign:"
                         + things["campaign"].rpartition("/")[2],
        "member": "/console/settings/team/1",
        "events": "/console/events",
        "attributes": "/console/attributes",
        "attribute": "/console/attributes/details?name=city",
        "funnel": "/console/reports?step=session&step=purchase",
        "retention": "/console/reports/retention",
        "series": "/console/reports/series",
        "palette": "/console/palette?text=user-77",
    }
    paths = {address.partition("?")[0] for address in named.values()}
    return named | {name: address for name, (route, address, _) in PAGES.items()
                    if route.startswith("/console") and ":" not in route and route not in paths}


def furnish(port, email, password, database):
    """Makes what is easier made by the console than by SQL, unless it is there; the addresses."""
    browser = Browser(int(port))
    browser.log_in(email, password)

    def make(list_address, form_address, address, fields):
        # The first row: the page has links to other pages of its kind, too.
        link = re.compile(r'(?<=<tr data-href=")' + re.escape(list_address) + r'/[\w-]+(?=")')
        found = link.search(browser.ask(list_address)[2])
        if not found:
            _, _, form = browser.ask(form_address)
            token = html.unescape(re.search(r'name="csrf" value="([^"]*)"', form).group(1))
            status, _, text = browser.ask(address, {"csrf": token} | fields)
            assert status == 303, (address, status, text)
            found = link.search(browser.ask(list_address)[2])
        return found.group(0)

    things = {
        "campaign": make("/console/campaigns", "/console/campaigns/new", "/console/campaigns/save", {
            "name": "Saturday", "v0.message": "Hi {{${first_name}}}", "audience": "everyone",
            "delivery": "api", "again": "always", "conversionEvent": "order_placed",
            "conversionDays": "3", "step": "save"}),
        "segment": make("/console/segments", "/console/segments/new", "/console/segments/new", {
            "name": "Tokyo", "condition": 'city = "Tokyo"'}),
        "block": make("/console/blocks", "/console/blocks/new", "/console/blocks/new", {
            "name": "hours", "content": "Open from 8 to 20."}),
        "catalog": make("/console/catalogs", "/console/catalogs", "/console/catalogs", {
            "name": "menu", "fieldName": "price", "fieldKind": "number"}),
        "in-app": make("/console/in-app", "/console/in-app/new", "/console/in-app/save", {
            "name": "Welcome", "v0.kind": "modal", "v0.header": "Hi {{${first_name}}}",
            "v0.text": "The first cup is on us.", "v0.b0.text": "Menu", "v0.b0.action": "url",
            "v0.b0.url": "teahouse://menu", "t0.kind": "session_start", "audience": "everyone",
            "step": "activate"}),
    }
    things["journey"], things["journey step"] = journey(browser)
    show(database, things["in-app"].rpartition("/")[2])
    launch(database, things["campaign"].rpartition("/")[2])
    return things


def journey(browser):
    """Publishes a journey from a template, unless there is one; its address and that of a step."""
    link = re.compile(r'/console/journeys/\d+(?=")')
    found = link.search(browser.ask("/console/journeys")[2])
    if not found:
        fields = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)"')
        _, _, form = browser.ask("/console/journeys/new")
        token = dict(fields.findall(form))["csrf"]
        status, _, text = browser.ask(
            "/console/journeys/new", {"csrf": html.unescape(token), "template": "cart"})
        assert status == 303, (status, text)
        draft = re.compile(r"/console/journeys/drafts/[0-9A-F-]+")
        draft = draft.search(browser.ask("/console/journeys")[2]).group(0)
        _, _, review = browser.ask(draft + "/review")
        form = review[review.index('action="/console/journeys/publish"'):]
        values = {name: html.unescape(value)
                  for name, value in fields.findall(form[:form.index("</form>")])}
        status, _, text = browser.ask("/console/journeys/publish", values | {"action": "publish"})
        assert status == 303, (status, text)
        found = link.search(browser.ask("/console/journeys")[2])
    address = found.group(0)
    step = re.search(address + r"/steps/[0-9a-f-]+", browser.ask(address)[2])
    return address, step.group(0)


def launch(database, campaign):
    """Makes the newest pushes launches of a campaign, one of them to everybody."""
    change(database, f"""
        UPDATE sends SET campaign_id = {int(campaign)}
            WHERE NOT EXISTS (SELECT 1 FROM campaign_entries) AND id IN (
                SELECT id FROM sends WHERE state = 'finished' AND campaign_id IS NULL
                ORDER BY id DESC LIMIT 5);
        UPDATE dispatches SET variant = 0
            WHERE NOT EXISTS (SELECT 1 FROM campaign_entries)
                AND send_id IN (SELECT id FROM sends WHERE campaign_id = {int(campaign)});
        INSERT INTO campaign_entries
                (profile_id, send_id, campaign_id, variant, is_control, counts_for_caps, due_at)
            SELECT profile_id, send_id, {int(campaign)}, 0, 0, 1, due_at FROM dispatches
            WHERE NOT EXISTS (SELECT 1 FROM campaign_entries)
                AND send_id IN (SELECT id FROM sends WHERE campaign_id = {int(campaign)});
        """)


def show(database, message):
    """Writes what users did with an in-app message: everybody saw it, some tapped it."""
    kinds = ", ".join(f"({number}, '{kind}', {button}, {every})" for number, (kind, button, every) in
                      enumerate([("impression", "NULL", 1), ("button", "'0'", 7),
                                 ("click", "NULL", 19), ("dismissed", "NULL", 3)]))
    change(database, f"""
        WITH kinds (place, kind, button, every) AS (VALUES {kinds})
        INSERT INTO in_app_message_interactions
                (workspace_id, message_id, profile_id, kind, button, time)
            SELECT workspace_id, '{message}', id, kind, button,
                {int(time.time() * 1000)} - id * 7919 % {30 * DAY}
            FROM kinds JOIN profiles ON id % every = 0
            WHERE NOT EXISTS (
                SELECT 1 FROM in_app_message_interactions WHERE message_id = '{message}')
            ORDER BY place, id;
        """)


def change(database, sql):
    """Runs statements in one transaction of a database that a server works on."""
    if database.startswith("sqlite:"):
        with contextlib.closing(sqlite3.connect(database.removeprefix("sqlite:"), timeout=60)) as file:
            file.executescript(f"BEGIN; {sql} COMMIT;")
    else:
        subprocess.run(["psql", "-X", "-q", "-1", "-v", "ON_ERROR_STOP=1", "-c", sql, database], check=True)


def processor_time(process):
    """Seconds of processor time that a process has used; 0 where the system does not tell."""
    try:
        parts = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def measure(port, email, password, place, users, requests, server):
    things = furnish(port, email, password, place)
    browser = Browser(port)
    browser.log_in(email, password)
    slow = []
    print(f"{'page':24} {'p50 ms':>8} {'p99 ms':>8} {'KB':>6} {'cpu ms':>8}")
    for name, path in pages(users, things).items():
        status, _, text = browser.ask(path)
        if status == 404:
            print(f"{name:24} {'not in this version':>24}")
            continue
        assert status == 200, (path, status)
        before = processor_time(server)
        times = sorted(browser.ask(path)[1] for _ in range(requests))
        used = (processor_time(server) - before) / requests * 1000
        p50 = times[len(times) // 2]
        p99 = times[min(len(times) - 1, int(len(times) * 0.99))]
        mark = ""
        if p99 > BOUND:
            slow.append(name)
            mark = "  over the bound"
        size = len(text.encode()) / 1024
        print(f"{name:24} {p50 * 1000:8.1f} {p99 * 1000:8.1f} {size:6.0f} {used:8.1f}{mark}",
              flush=True)
    return slow


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--server", required=True, help="the binary noroshi-server")
    options.add_argument("--users", type=int, default=100_000)
    options.add_argument("--requests", type=int, default=60)
    options.add_argument("--keep", help="a folder for the database, used again when it is there")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="noroshi-bench-") as temporary:
        folder = pathlib.Path(chosen.keep or temporary)
        email, password = database(chosen.server, folder, chosen.users)
        port = free_port()
        place = f"sqlite:{folder / 'noroshi.sqlite'}"
        server = subprocess.Popen(
            [chosen.server, "serve", "--database", place, "--listen", f"127.0.0.1:{port}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait(port)
            slow = measure(port, email, password, place, chosen.users, chosen.requests, server.pid)
        finally:
            server.terminate()
            server.wait()
    if slow:
        print(f"over {BOUND * 1000:.0f} ms: {', '.join(slow)}")
        sys.exit(1)


def database(binary, folder, users):
    """Fills a database in a folder unless there is one, and tells how to sign in."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    login = folder / "login.json"
    if not login.exists():
        prepare(binary, str(folder / "noroshi.sqlite"), login, users)
    return json.loads(login.read_text())


def prepare(binary, database, login, users):
    start = time.perf_counter()
    command(binary, "app", "create", "--database", f"sqlite:{database}", "--name", "Tea",
            "--bundle-id", "example.tea")
    password = command(binary, "member", "create", "--database", f"sqlite:{database}", "--name", "Ada",
                       "--email", "ada@example.com")
    fill(database, users, int(time.time() * 1000))
    command(binary, "analytics", "rebuild", "--database", f"sqlite:{database}")
    login.write_text(json.dumps(["ada@example.com", password]))
    print(f"{users} users written in {time.perf_counter() - start:.0f} s", flush=True)


def wait(port):
    """Until the server answers and has read all users."""
    for _ in range(600):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/ready")
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise SystemExit("the server did not start")


if __name__ == "__main__":
    main()
