"""The programs that are judged, and how they are asked."""
import csv
import http.client
import http.cookiejar
import io
import json
import os
import re
import socket
import sqlite3
import ssl
import subprocess
import time
import urllib.parse
import urllib.request

ZONE = "America/New_York"
PROJECT = "example-tea"
# Tokens that Apple's simulator refuses, by the number of the phone.
REFUSED_EVERY = 40


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def token(number):
    return f"{number:064x}"


class Server:
    def __init__(self, binary, folder, phones):
        self.binary, self.folder = binary, folder
        self.environment = dict(os.environ, TZ=ZONE)
        self.path = f"{folder}/figures.sqlite"
        self.options = ["--database", f"sqlite:{self.path}"]
        self.processes = []
        self.key = self.command("apikey", "create", "--name", "figures", "--permissions", "*")
        self.password = self.command("member", "create", "--email", "ada@example.org",
                                     "--name", "Ada")
        self.sdk = {
            "ios": self.command("app", "create", "--name", "Tea", "--bundle-id", "example.tea"),
            "android": self.command("app", "create", "--name", "Tea for Android", "--platform",
                                    "android", "--bundle-id", PROJECT),
        }
        try:
            apple, google = self.start_apple(phones), self.start_google(phones)
            line = self.start(
                "serve", *self.options, "--listen", "127.0.0.1:0", "--log-level", "error",
                "--apns-server", f"127.0.0.1:{apple}", "--apns-authority", self.file("apns"),
                "--fcm-server", f"127.0.0.1:{google}", "--fcm-authority", self.file("fcm"),
                "--sdk-limit", "10000000", "--track-limit", "10000000",
                "--request-limit", "10000000", "--synchronous", "normal",
            ).stdout.readline()
            if ":" not in line:
                raise SystemExit("the server did not start")
        except BaseException:
            self.stop()
            raise
        self.port = int(line.strip().rsplit(":", 1)[1])
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        self.asked_at = time.monotonic()

    def file(self, name):
        return f"{self.folder}/{name}.pem"

    def start(self, *words):
        self.processes.append(subprocess.Popen([self.binary, *words], stdout=subprocess.PIPE,
                                               text=True, env=self.environment))
        return self.processes[-1]

    def simulate(self, service, *words):
        port, authority = free_port(), self.file(service)
        # It writes its authority, listens, and then says so.
        if not self.start("simulate", service, "--listen", f"127.0.0.1:{port}",
                          "--authority-file", authority, *words).stdout.readline():
            raise SystemExit(f"the simulator of {service} did not start")
        return port

    def start_apple(self, phones):
        script = f"{self.folder}/faults.json"
        with open(script, "w") as file:
            json.dump({"faults": [
                {"token": token(number), "status": 400, "reason": "BadCollapseId"}
                for number in range(0, phones, REFUSED_EVERY)]}, file)
        port = self.simulate("apns", "--accept-anything", "--script", script)
        signing = f"{self.folder}/AuthKey_ABCDE12345.p8"
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-out", signing], check=True, stderr=subprocess.DEVNULL,
        )
        self.command("credentials", "apns", "--app", "example.tea", "--p8", signing,
                     "--key-id", "ABCDE12345", "--team-id", "TEAM123456")
        return port

    def start_google(self, phones):
        port = self.simulate("fcm")
        connection = http.client.HTTPSConnection(
            "127.0.0.1", port, context=ssl.create_default_context(cafile=self.file("fcm")))

        def ask(path, body):
            connection.request("POST", path, json.dumps(body))
            answer = connection.getresponse()
            text = answer.read().decode()
            if answer.status >= 300:
                raise SystemExit(f"{path}: {answer.status} {text}")
            return text

        account = f"{self.folder}/account.json"
        with open(account, "w") as file:
            file.write(ask("/simulator/accounts", {"project": PROJECT}))
        for number in range(phones):
            if is_android(number):
                ask("/simulator/devices", {"project": PROJECT, "token": token(number)})
        connection.close()
        self.command("credentials", "fcm", "--app", PROJECT, "--json", account)
        return port

    def command(self, *words):
        done = subprocess.run([self.binary, *words, *self.options], capture_output=True, text=True,
                              env=self.environment)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(words)}: {done.stderr}")
        return (done.stdout.strip().splitlines() or [""])[-1]

    def remove_messages(self):
        """Has the server believe that all pushes are over for long, and waits until it has removed them."""
        database = sqlite3.connect(self.path, timeout=60)
        with database:
            database.execute("UPDATE sends SET finished_at = finished_at - 8640000000")
        self.command("workspace", "change", "--push-report-days", "90", "--dispatch-days", "90")
        deadline = time.monotonic() + 300
        while database.execute("SELECT count(*) FROM dispatches").fetchone()[0]:
            if time.monotonic() > deadline:
                raise SystemExit("the messages were not removed")
            time.sleep(1)
        database.close()

    def output(self, *words):
        return subprocess.run([self.binary, *words, *self.options], capture_output=True, text=True,
                              env=self.environment, check=True).stdout

    def ask(self, path, body=None, key=None):
        # A server closes a connection on which nothing has come for a minute.
        if time.monotonic() - self.asked_at > 20:
            self.connection.close()
        self.asked_at = time.monotonic()
        self.connection.request(
            "GET" if body is None else "POST", path,
            None if body is None else json.dumps(body),
            {"Authorization": f"Bearer {key or self.key}", "Content-Type": "application/json"})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise SystemExit(f"{path}: {answer.status} {text.decode()}")
        return json.loads(text or b"{}")

    def rows(self, sql, *values):
        database = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=30)
        try:
            return database.execute(sql, values).fetchall()
        finally:
            database.close()

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait(20)


def is_android(number):
    return number % 4 == 3


class Console:
    """A browser that is signed in."""

    def __init__(self, server):
        self.address = f"http://127.0.0.1:{server.port}/console"
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        token = re.search(r'name="token" value="([^"]+)"', self.get("/login"))[1]
        self.send("/login", email="ada@example.org", password=server.password, token=token)

    def get(self, path):
        return self.opener.open(self.address + path, timeout=300).read().decode()

    def send(self, path, **fields):
        data = urllib.parse.urlencode(fields).encode()
        return self.opener.open(self.address + path, data, timeout=300).read().decode()

    def post(self, path, page, **fields):
        token = re.search(r'name="csrf" value="([^"]+)"', self.get(page))[1]
        return self.send(path, csrf=token, **fields)

    def pushes(self):
        """The file of all pushes, by number."""
        text = self.get("/push/export.csv").lstrip("\ufeff")
        return {int(row["push_no"]): row for row in csv.DictReader(io.StringIO(text))}

    def figures(self, path):
        """What a page says in large numbers, by its words."""
        found = re.findall(r"<dt>([^<]*)</dt><dd class=\"value\"[^>]*>([^<]*)</dd>", self.get(path))
        return {label: number(value) for label, value in found}

    def table(self, path, heading):
        """The rows of the table below a heading, as texts."""
        part = self.get(path).split(f"<h2>{heading}</h2>", 1)[1].split("</table>", 1)[0]
        rows = re.findall(r"<tr>(.*?)</tr>", part.split("<tbody>", 1)[1], re.DOTALL)
        return [[re.sub("<[^>]*>", "", cell).strip()
                 for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)] for row in rows]


def number(text):
    digits = re.sub(r"[^0-9]", "", text)
    return int(digits) if digits else None
