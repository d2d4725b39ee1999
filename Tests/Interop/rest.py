"""Braze's clients from PyPI, unchanged but for the host, against a server with data in it.

Each client has an environment of its own, because two of them have the same module name and some
want old versions of what others want new. The script in clients/ drives the client and compares
each answer with what was stored.
"""

import contextlib
import datetime
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid

from support import BIN, Skip, check, free_port

HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENTS = os.environ.get(
    "NOROSHI_CLIENT_ENVIRONMENTS", os.path.join(tempfile.gettempdir(), "noroshi-rest-clients")
)
PASSED = "passed: "


class Server:
    """A server over an empty database, with an app and a key."""

    def __init__(self, folder, *arguments):
        self.folder = folder
        self.sdk_key = self.run("app", "create", "--name", "Tea", "--bundle-id", "example.tea")
        self.key = self.run("apikey", "create", "--name", "all", "--permissions", "*")
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = open(os.path.join(folder, "server.log"), "wb")
        self.process = subprocess.Popen(
            [
                os.path.join(BIN, "noroshi-server"), "serve",
                "--listen", f"127.0.0.1:{self.port}", *arguments,
            ],
            env=self.environment(), stdout=self.log, stderr=self.log,
        )
        deadline = time.monotonic() + 30
        while True:
            check(self.process.poll() is None, "the server ended at once")
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{self.url}/health", timeout=1).close()
                return
            check(time.monotonic() < deadline, "the server did not start")
            time.sleep(0.05)

    def environment(self):
        return {
            **os.environ, "NOROSHI_DATABASE": f"sqlite:{self.folder}/noroshi.sqlite",
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
    with tempfile.TemporaryDirectory() as folder:
        running = Server(folder, *arguments)
        try:
            yield running
        finally:
            running.stop()


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
    for user in ["ada", "bob"]:
        running.call(
            "/sdk/v1/batch",
            {
                "device": {"id": str(uuid.uuid4()), "platform": "ios"},
                "records": [
                    {"id": str(uuid.uuid4()), "seq": 1, "time_ms": int(today.timestamp() * 1000),
                     "user": {"external_id": user}, "session": str(uuid.uuid4()),
                     "type": "session_started"}
                ],
            },
            key=running.sdk_key,
        )
    group = running.run("subscription-group", "create", "--name", "Letter", "--channel", "email")
    return {
        "url": running.url, "key": running.key, "group": group,
        "today": days[0].date().isoformat(), "yesterday": days[1].date().isoformat(),
        "start": (today - datetime.timedelta(days=9)).date().isoformat(),
        "viewed": {day.date().isoformat(): age + 1 for age, day in enumerate(days)},
        "users": ["ada", "bob", "eve"], "sessions_today": 2,
        "revenue": {"tea": 960, "cup": 1200}, "pieces": {"tea": 2, "cup": 1},
    }


def python(versions):
    """An interpreter of one of these versions, as an older client needs it."""
    running = "{}.{}".format(*sys.version_info)
    if running in versions:
        return sys.executable
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    for version in versions:
        installed = glob.glob(os.path.join(pyenv, "versions", f"{version}.*", "bin", "python"))
        for found in [shutil.which(f"python{version}"), *installed]:
            if found and subprocess.run([found, "-c", ""], capture_output=True).returncode == 0:
                return found
    raise Skip(f"needs Python {' or '.join(versions)}")


def environment(name, packages, versions):
    """The interpreter of an environment with these packages, made where it is missing."""
    home = os.path.join(ENVIRONMENTS, name)
    interpreter = os.path.join(home, "bin", "python")
    mark = os.path.join(home, "installed.json")
    wanted = json.dumps([packages, versions])
    if os.path.exists(mark):
        with open(mark) as file:
            if file.read() == wanted:
                return interpreter
    shutil.rmtree(home, ignore_errors=True)
    subprocess.run([python(versions), "-m", "venv", home], check=True)
    done = subprocess.run(
        [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "setuptools<70", *packages],
        capture_output=True, text=True,
    )
    if done.returncode != 0:
        raise Skip(f"{packages[0]} cannot be installed: {done.stderr.strip()[-300:]}")
    with open(mark, "w") as file:
        file.write(wanted)
    return interpreter


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


RECENT = ["3.13", "3.12", "3.11", "3.10"]


def rest_braze_client():
    # It wants a version of tenacity that ends with Python 3.10.
    return client("braze_client", ["braze-client==2.3.3"], ["3.10", "3.9"])


def rest_edx():
    return client("edx_braze_client", ["edx-braze-client==1.1.4"], ["3.11", "3.12"])


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
