"""The program that is judged, and how it is asked."""
import http.client
import json
import os
import sqlite3
import subprocess

APPS = {"ios": "example.tea", "android": "example.tea.android"}
ZONE = "America/New_York"


class Server:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.environment = dict(os.environ, TZ=ZONE)
        self.options = ["--database", f"sqlite:{folder}/reports.sqlite"]
        self.key = self.command("apikey", "create", "--name", "reports", "--permissions", "*")
        self.sdk = {
            platform: self.command("app", "create", "--name", platform, "--platform", platform,
                                   "--bundle-id", bundle)
            for platform, bundle in APPS.items()
        }
        self.password = self.command("member", "create", "--email", "ada@example.org",
                                     "--name", "Ada")
        self.process = None

    def serve(self):
        self.process = subprocess.Popen(
            [self.binary, "serve", *self.options, "--listen", "127.0.0.1:0", "--log-level",
             "error", "--sdk-limit", "10000000", "--track-limit", "10000000", "--request-limit",
             "10000000", "--synchronous", "normal"],
            stdout=subprocess.PIPE, text=True, env=self.environment)
        line = self.process.stdout.readline()
        if ":" not in line:
            self.stop()
            raise SystemExit("the server did not start")
        self.port = int(line.strip().rsplit(":", 1)[1])
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)

    def command(self, *words):
        done = subprocess.run([self.binary, *words, *self.options], capture_output=True, text=True,
                              env=self.environment)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(words)}: {done.stderr}")
        return (done.stdout.strip().splitlines() or [""])[-1]

    def text(self, path, body=None, key=None, accept="application/json"):
        headers = {"Authorization": f"Bearer {key or self.key}",
                   "Content-Type": "application/json", "Accept": accept}
        for attempt in range(2):
            try:
                self.connection.request("GET" if body is None else "POST", path,
                                        None if body is None else json.dumps(body), headers)
                answer = self.connection.getresponse()
                break
            except (http.client.HTTPException, ConnectionError):
                # A server closes a connection on which nothing has come for a minute.
                self.connection.close()
                if attempt:
                    raise
        text = answer.read().decode()
        if answer.status >= 300:
            raise SystemExit(f"{path} {json.dumps(body)[:2000]}: {answer.status} {text}")
        return text

    def ask(self, path, body=None, key=None):
        return json.loads(self.text(path, body, key) or "{}")

    def rows(self, sql):
        """What only the server decides."""
        database = sqlite3.connect(f"file:{self.folder}/reports.sqlite?mode=ro", uri=True,
                                   timeout=30)
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(30)
