"""Braze's clients from PyPI, unchanged but for the host, against a server with data in it.

Each client has an environment of its own, because two of them have the same module name and some
want old versions of what others want new. The script in clients/ drives the client and compares
each answer with what was stored.
"""

import contextlib
import datetime
import html
import http.cookiejar
import json
import os
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from environments import RECENT, environment
from support import BIN, check, database, free_port, signing_key, simulator

HERE = os.path.dirname(os.path.abspath(__file__))
PASSED = "passed: "
TEAM, PUSH_KEY, TOPIC = "TEAM123456", "KEY1234567", "example.tea"


class Server:
    """A server over an empty database, with an app, a key and Apple's simulator."""

    def __init__(self, folder, apns, *arguments):
        self.folder = folder
        self.apns = apns
        self.sdk_key = self.run("app", "create", "--name", "Tea", "--bundle-id", TOPIC)
        path, public = signing_key(folder)
        apns.call("POST", "keys", {"team_id": TEAM, "key_id": PUSH_KEY, "public_key": public})
        self.run(
            "credentials", "apns", "--app", TOPIC, "--p8", path, "--key-id", PUSH_KEY,
            "--team-id", TEAM,
        )
        self.key = self.run("apikey", "create", "--name", "all", "--permissions", "*")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = open(os.path.join(folder, "server.log"), "wb")
        self.process = subprocess.Popen(
            [
                os.path.join(BIN, "noroshi-server"), "serve",
                "--listen", f"127.0.0.1:{self.port}", "--apns-server", f"127.0.0.1:{apns.port}",
                "--apns-authority", apns.authority, *arguments,
            ],
            env=self.environment(), stdout=self.log, stderr=self.log,
        )
        deadline = time.monotonic() + 30
        while True:
            check(self.process.poll() is None, "the server ended at once")
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{self.url}/ready", timeout=1).close()
                return
            check(time.monotonic() < deadline, "the server did not start")
            time.sleep(0.05)

    def environment(self):
        return {
            **os.environ, "NOROSHI_DATABASE": database(self.folder),
            "NOROSHI_LOG_LEVEL": "warning", "TZ": "UTC",
        }

    def run(self, *arguments):
        """Runs a command and returns the last line it prints."""
        done = subprocess.run(
            [os.path.join(BIN, "noroshi-server"), *arguments],
            env=self.environment(), capture_output=True, text=True,
        )
        check(done.returncode == 0, f"{arguments}: {done.stderr}")
        lines = done.stdout.strip().splitlines()
        return lines[-1] if lines else ""

    def call(self, path, body=None, key=None, method=None):
        request = urllib.request.Request(
            self.url + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Authorization": f"Bearer {key or self.key}", "Content-Type": "application/json",
            },
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as refusal:
            raise AssertionError(f"{path}: {refusal.code} {refusal.read().decode()}") from refusal

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


@contextlib.contextmanager
def server(*arguments):
    with simulator("apns") as (apns, _), tempfile.TemporaryDirectory() as folder:
        syncs = os.path.join(folder, "syncs")
        os.mkdir(syncs)
        running = Server(folder, apns, "--sync-folder", syncs, *arguments)
        try:
            yield running
        finally:
            running.stop()


class Console:
    """What a marketer does in the console, which has no client of its own."""

    def __init__(self, running):
        self.url = running.url + "/console"
        password = running.run("member", "create", "--name", "Ada", "--email", "ada@example.com")
        self.browser = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )
        token = self.field(self.open("/login"), "token")
        self.open(
            "/login", [("email", "ada@example.com"), ("password", password), ("token", token)]
        )

    def open(self, path, form=None):
        data = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            with self.browser.open(self.url + path, data, timeout=20) as page:
                return page.read().decode()
        except urllib.error.HTTPError as refusal:
            text = re.sub(r"<[^>]+>|\s+", " ", refusal.read().decode())
            raise AssertionError(f"{path}: {refusal.code} {text[-3000:]}") from refusal

    @staticmethod
    def field(page, name):
        found = re.search(rf'name="{name}" value="([^"]*)"', page)
        check(found, f"the page has no field {name}")
        return html.unescape(found[1])

    def segment(self, name, condition):
        csrf = self.field(self.open("/segments/new"), "csrf")
        self.open("/segments/new", [("csrf", csrf), ("name", name), ("condition", condition)])

    def campaign(self, name, delivery, message, *more):
        csrf = self.field(self.open("/campaigns/new"), "csrf")
        fields = [
            ("csrf", csrf), ("draft", str(uuid.uuid4())), ("step", "activate"), ("name", name),
            ("delivery", delivery),
            ("tags", "tea, season"), ("v0.name", "A"), ("v0.weight", "1"), ("v0.title", "Tea"),
            ("v0.message", message), ("audience", "everyone"), ("badge", "unchanged"),
            ("again", "after"), ("againDays", "0"), ("quietHours", "hold"),
            ("conversionEvent", "rated"), ("conversionDays", "3"), *more,
        ]
        # Nothing begins that was not reviewed.
        self.open("/campaigns/review", fields)
        self.open("/campaigns/save", fields)


def fill(running):
    """Stores users, events, purchases and sessions, and returns what there is now."""
    today = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    days = [today - datetime.timedelta(days=age) for age in range(3)]
    events, purchases = [], []
    for age, day in enumerate(days):
        for user in ["ada", "bob", "eve"][: age + 1]:
            events.append(
                {"external_id": user, "name": "viewed_item", "time": day.isoformat(),
                 "properties": {"sku": f"T-{age}"}}
            )
    events.append({"external_id": "ada", "name": "rated", "time": days[0].isoformat()})
    for product, price, quantity in [("tea", 480, 2), ("cup", 1200, 1)]:
        purchases.append(
            {"external_id": "ada", "product_id": product, "currency": "JPY", "price": price,
             "quantity": quantity, "time": days[1].isoformat()}
        )
    stored = running.call(
        "/users/track",
        {
            "attributes": [
                {"external_id": "ada", "first_name": "Ada", "email": "ada@example.com",
                 "plan": "pro", "visits": 3},
                {"external_id": "bob", "first_name": "Bob", "email": "bob@example.com"},
                {"external_id": "eve", "email": "eve@example.com"},
            ],
            "events": events,
            "purchases": purchases,
        },
    )
    check("errors" not in stored, stored)
    devices = {user: str(uuid.uuid4()) for user in ["ada", "bob"]}
    for user, device in devices.items():
        token = running.apns.call(
            "POST", "devices", {"topic": TOPIC, "environment": "production"}
        )["token"]
        records = [
            {"type": "session_started"},
            {"type": "push_token", "token": {
                "token": token, "provider": "apns", "environment": "production",
                "authorization": "authorized"}},
        ]
        running.call(
            "/sdk/v1/batch",
            {
                "device": {"id": device, "platform": "ios"},
                "records": [
                    {"id": str(uuid.uuid4()), "seq": number,
                     "time_ms": int(today.timestamp() * 1000), "user": {"external_id": user},
                     "session": str(uuid.uuid4()), **record}
                    for number, record in enumerate(records, start=1)
                ],
            },
            key=running.sdk_key,
        )
    group = running.run("subscription-group", "create", "--name", "Letter", "--channel", "email")
    running.call(
        "/subscription/status/set",
        {"subscription_group_id": group, "subscription_state": "subscribed",
         "external_id": ["ada"]},
    )
    facts = {
        "url": running.url, "key": running.key, "group": group,
        "today": days[0].date().isoformat(), "yesterday": days[1].date().isoformat(),
        "start": (today - datetime.timedelta(days=9)).date().isoformat(),
        "viewed": {day.date().isoformat(): age + 1 for age, day in enumerate(days)},
        "users": ["ada", "bob", "eve"], "sessions_today": 2,
        "revenue": {"tea": 960, "cup": 1200}, "pieces": {"tea": 2, "cup": 1},
        "devices": devices,
    }
    return {**facts, **messages(running), **contents(running)}


def contents(running):
    """Stores a catalog and an in-app message, and returns what there is now."""
    fields = [{"name": "id", "type": "string"}, {"name": "price", "type": "number"}]
    running.call("/catalogs", {"catalogs": [{"name": "teas", "fields": fields}]})
    items = [{"id": f"T-{number:03}", "price": number} for number in range(60)]
    running.call("/catalogs/teas/items", {"items": items[:50]})
    running.call("/catalogs/teas/items", {"items": items[50:]})
    made = running.call(
        "/in_app_messages/create",
        {
            "name": "Welcome", "state": "active",
            "message": {"type": "modal", "message": "Hello {{${first_name}}}",
                        "rules": {"triggers": [{"type": "session_start"}]}},
        },
    )
    running.call(
        "/catalogs/teas/selections",
        {"selection": {"name": "dear", "sort_field": "price", "sort_order": "desc"}},
    )
    center = running.call(
        "/preference_center/v1",
        {"name": "letters", "preference_center_page_html": "<p>Choose</p>",
         "confirmation_page_html": "<p>Thank you</p>"},
    )["preference_center_api_id"]
    key = running.call(
        "/app_group/sdk_authentication/create",
        {"app_id": running.sdk_key, "rsa_public_key_str": rsa_key(), "description": "The first"},
    )["id"]
    return {
        "items": len(items), "in_app_message": made["in_app_message_id"], "center": center,
        "sdk_authentication_key": key, "app": running.sdk_key, **syncs(running),
    }


def rsa_key():
    """A public key that could verify users' tokens."""
    private = subprocess.run(["openssl", "genrsa", "2048"], capture_output=True, check=True)
    return subprocess.run(
        ["openssl", "rsa", "-pubout"], input=private.stdout, capture_output=True, check=True
    ).stdout.decode()


def syncs(running):
    """Puts files ready that can be read in, and returns what they are called."""
    home = os.path.join(running.folder, "syncs", "1", "users")
    os.makedirs(home)
    for name, text in [
        ("loyalty", "external_id,points\nada,7\nbob,8\n"), ("broken", "external_id,points\nada\n")
    ]:
        with open(os.path.join(home, f"{name}.csv"), "w") as file:
            file.write(text)
    found = {
        row["integration_name"]: row["integration_id"]
        for row in running.call("/cdi/integrations")["results"]
    }
    return {"integration": found["loyalty"], "broken_integration": found["broken"]}


def messages(running):
    """Makes a segment, campaigns and a broadcast that waits, sends one, and returns them all."""
    block = running.call(
        "/content_blocks/create",
        {"name": "greeting", "content": "Hi {{${first_name} | default: 'there'}}",
         "tags": ["tea"]},
    )["content_block_id"]
    console = Console(running)
    console.segment("Pros", 'plan = "pro"')
    console.campaign("Autumn", "now", "{{content_blocks.${greeting}}}, leaves fall")
    console.campaign("Receipt", "api", "Paid: {{api_trigger_properties.${amount}}}")
    campaigns = {
        row["name"]: row["id"] for row in running.call("/campaigns/list")["campaigns"]
    }
    running.call(
        "/messages/schedule/create",
        {"broadcast": True, "schedule": {"time": "2035-01-01T00:00:00Z"},
         "messages": {"apple_push": {"alert": "Happy new year"}}},
    )
    running.call(
        "/campaigns/trigger/send",
        {"campaign_id": campaigns["Receipt"], "send_id": "first-receipt",
         "recipients": [{"external_user_id": "ada", "trigger_properties": {"amount": 5}}]},
    )
    deadline = time.monotonic() + 60
    while len(running.apns.accepted()) < 3:
        check(time.monotonic() < deadline, f"sent only {running.apns.accepted()}")
        time.sleep(0.1)
    # What was sent at once is over when the last answer of the provider is stored.
    while running.call(f"/campaigns/details?campaign_id={campaigns['Autumn']}")["enabled"]:
        check(time.monotonic() < deadline, "a campaign that was sent at once does not end")
        time.sleep(0.1)
    return {
        "block": block, "campaigns": campaigns, "sent": {"Autumn": 2, "Receipt": 1},
        "segment": running.call("/segments/list")["segments"][0]["id"],
        "send_id": "first-receipt",
    }


def client(name, packages, versions):
    """Runs clients/use_NAME.py in its environment against a server with data."""
    interpreter = environment(name, packages, versions)
    with server() as running:
        facts = fill(running)
        done = subprocess.run(
            [interpreter, os.path.join(HERE, "clients", f"use_{name}.py")],
            env={**os.environ, "NOROSHI_FACTS": json.dumps(facts), "TZ": "UTC"},
            capture_output=True, text=True, timeout=300,
        )
        last = (done.stdout.strip().splitlines() or [""])[-1]
        check(
            done.returncode == 0 and last.startswith(PASSED),
            f"{done.stdout[-3000:]}\n{done.stderr[-6000:]}",
        )
        return last.removeprefix(PASSED)


def rest_braze_client():
    # It wants a version of tenacity that ends with Python 3.10.
    return client("braze_client", ["braze-client==2.3.3"], ["3.10", "3.9"])


def rest_edx():
    return client("edx_braze_client", ["edx-braze-client==1.1.4"], ["3.11", "3.12"])


def rest_edx_recipients():
    return client(
        "edx_recipients", ["edx-braze-client==1.1.4", "requests"], ["3.11", "3.12"]
    )


def rest_airbyte():
    # The connector was written for the kit of its time, which ends with Python 3.10.
    return client(
        "airbyte_source", ["airbyte-cdk==0.58.5", "airbyte-source-braze==0.3.0"], ["3.10", "3.9"]
    )


def rest_universal_mcp():
    # The kit of its time: a later one has moved what it imports.
    return client(
        "universal_mcp", ["universal-mcp-braze==0.1.4", "universal-mcp==0.1.22"], ["3.11", "3.12"]
    )


def rest_braze_client_sdk():
    return client("braze_client_sdk", ["braze-client-sdk==1.0.0"], RECENT)


def rest_braze_api_client():
    return client("braze_api_client", ["braze-api-client==0.1.1"], RECENT)


def rest_braze_client_p311():
    return client("braze_client_p311", ["braze-client-p311==0.0.5"], ["3.11", "3.12"])


def rest_braze_sdk():
    return client("braze_sdk", ["braze-sdk==1.0.1", "numpy", "requests"], RECENT)


def rest_itly():
    return client("itly_plugin", ["itly-plugin-braze==0.1.0", "itly-sdk"], ["3.11", "3.10"])


def rest_braze_mcp():
    return client("braze_mcp", ["braze-mcp-server==1.2.0", "mcp[cli]<2"], ["3.12", "3.13"])


def rest_airflow():
    # It wants a version of Airflow that ends with Python 3.12.
    return client("airflow_provider", ["airflow-provider-braze==1.0.4"], ["3.11", "3.12"])
