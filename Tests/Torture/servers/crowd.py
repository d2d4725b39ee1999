"""Servers on one database, and those who talk to them."""
import base64
import http.client
import json
import os
import random
import signal
import subprocess
import threading
import time
import uuid

from postgres import free_port, until

BUNDLE = "dev.noroshi.servers"
SEGMENTS = {
    "marked": "filter:\n  custom: mark\n  test: equal\n  value: red\n",
    "tasted": "filter:\n  event: tasted\n  measure: count\n  is: '>='\n  value: 3\n",
}


class Site:
    """The binary and what all servers have in common."""

    def __init__(self, binary, folder, database, host="127.0.0.1", pooler=None):
        self.binary, self.folder, self.cluster, self.host = binary, folder, database, host
        self.pooler = pooler
        self.pushes, self.key_file = f"{folder}/pushes", f"{folder}/noroshi.key"
        with open(self.key_file, "wb") as file:
            file.write(base64.b64encode(os.urandom(32)))
        os.chmod(self.key_file, 0o600)
        self.apns_port = free_port(host)
        self.simulator = subprocess.Popen(
            [binary, "simulate", "apns", "--listen", f"{host}:{self.apns_port}", "--accept-anything",
             "--record", self.pushes, "--authority-file", f"{folder}/authority.pem"],
            stdout=subprocess.DEVNULL, stderr=open(f"{folder}/simulator.log", "a"))
        until("the simulator", lambda: os.path.exists(f"{folder}/authority.pem"))

    def furnish(self):
        """Makes what pushes need: an app with its key, and one of the REST API."""
        folder = self.folder
        self.app = self.command("app", "create", "--name", "Tea", "--bundle-id", BUNDLE).split()[-1]
        self.key = self.command(
            "apikey", "create", "--name", "torture", "--permissions",
            "users.track,messages.send,segments.list,segments.overlap").split()[-1]
        p8 = f"{folder}/key.p8"
        subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-out", p8], check=True, capture_output=True, timeout=60)
        self.command("credentials", "set", "--bundle-id", BUNDLE, "--p8", p8, "--key-id", "KEY0000001",
                     "--team-id", "TEAM000001")
        self.write_segments()

    def write_segments(self):
        content = f"{self.folder}/content"
        self.command("pull", content)
        os.makedirs(f"{content}/segments", exist_ok=True)
        for name, text in SEGMENTS.items():
            with open(f"{content}/segments/{name}.yaml", "w") as file:
                file.write(f"name: {name}\n{text}")
        # The last word is the number of the plan.
        self.command("apply", content, "--plan", self.command("plan", content).split()[-1])

    def options(self, places=None):
        """Of servers and commands; `places` is where one of them finds the database."""
        address = self.cluster.address(places) if places else self.cluster.own_address
        return ["--database", address, "--secret-key-file", self.key_file]

    def command(self, *words, may_fail=False):
        done = subprocess.run([self.binary, *words, *self.options()], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=3600)
        if done.returncode and not may_fail:
            raise SystemExit(f"{' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout.strip()


class Server:
    """One process, which a service manager starts again when it ends."""

    def __init__(self, site, name, wire=None, ahead=0):
        self.site, self.name, self.wire, self.ahead = site, name, wire, ahead
        self.host = wire.server_host if wire else "127.0.0.1"
        self.port = free_port() if wire else free_port(self.host)
        self.process, self.ends, self.stopped = None, [], False
        self.start()

    def start(self):
        site = self.site
        places = self.wire.places(site.cluster.ports) if self.wire else None
        pooler = ["--database-pooler", site.pooler.address] if site.pooler else []
        clock = ["faketime", "-f", f"{self.ahead:+d}s"] if self.ahead else []
        self.process = subprocess.Popen(
            [*(self.wire.within() if self.wire else []), *clock,
             site.binary, "serve", *site.options(places), *pooler, "--listen", f"{self.host}:{self.port}",
             "--apns-server", f"{site.host}:{site.apns_port}", "--apns-authority",
             f"{site.folder}/authority.pem", "--node", self.name, "--log-level", "notice",
             "--track-limit", "10000000"],
            env={**os.environ, "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"},
            stdout=subprocess.DEVNULL, stderr=open(f"{site.folder}/{self.name}.log", "a"))

    @property
    def pid(self):
        """That of the server itself, which `faketime` starts as another process."""
        path = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        try:
            with open(path) as file:
                children = file.read().split()
        except FileNotFoundError:
            children = []
        return int(children[0]) if self.ahead and children else self.process.pid

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        self.process.wait(timeout=60)

    def hold(self):
        self.stopped = True
        os.kill(self.pid, signal.SIGSTOP)

    def go_on(self):
        os.kill(self.pid, signal.SIGCONT)
        self.stopped = False

    def keep_up(self):
        """As a service manager does."""
        code = self.process.poll()
        if code is None:
            return
        if code not in (0, -signal.SIGKILL):
            self.ends.append(code)
        self.start()

    def ask(self, method, path, body=None, headers=None, timeout=10):
        """The status and the answer; `None` where nobody answers."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            connection.request(method, path, body, {
                "Authorization": f"Bearer {self.site.key}", "Content-Type": "application/json",
                **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return None, b""
        finally:
            connection.close()

    @property
    def is_ready(self):
        return not self.stopped and self.ask("GET", "/ready", timeout=3)[0] == 200

    def count(self, segment):
        """How many users of a segment this server's columns know."""
        status, answer = self.ask(
            "GET", f"/segments/overlap?segment_id={segment}&other_segment_id={segment}")
        return json.loads(answer)["users"] if status == 200 else None


class Crowd:
    """All servers, as a balancer in front of them sees them."""

    def __init__(self, site, count, wire=None, ahead=0):
        """The last server is behind the wire, and the second one's clock is ahead."""
        self.site = site
        self.servers = [
            Server(site, f"server-{number + 1}", wire if number == count - 1 else None,
                   ahead if number == 1 else 0)
            for number in range(count)]

    def tell(self, path, body, first=0, headers=None):
        """Sends until one of them has acknowledged it."""
        text = json.dumps(body)
        for number in range(first, 1_000_000):
            server = self.servers[number % len(self.servers)]
            status, answer = server.ask("POST", path, text, headers)
            if status == 201 and b'"errors"' not in answer:
                return server
            if status is not None and status not in (409, 429, 500, 503):
                raise SystemExit(f"{path}: {status} {answer}")
            time.sleep(0.02)

    def send(self, number):
        """A push to everybody, launched once however often it is asked for."""
        self.tell("/messages/send", {
            "broadcast": True,
            "messages": {"apple_push": {"alert": {"title": f"No {number}", "body": "and only once"}}},
        }, first=number, headers={"Idempotency-Key": f"send-{number}"})

    def all_ready(self, seconds=120):
        def are_ready():
            self.keep_up()
            return all(server.is_ready for server in self.servers)

        until("every server is ready", are_ready, seconds=seconds)

    def keep_up(self):
        for server in self.servers:
            server.keep_up()

    def leading(self):
        """The one that leads, as far as the database knows."""
        found = self.site.cluster.ask("SELECT process FROM servers WHERE leads <> 0 ORDER BY seen_at DESC")
        pids = [int(row[0]) for row in found]
        return next((server for server in self.servers if server.pid in pids), None)

    def segments(self):
        _, answer = self.servers[0].ask("GET", "/segments/list")
        return {one["name"]: one["id"] for one in json.loads(answer)["segments"]}

    def stop(self):
        for server in self.servers:
            os.kill(server.pid, signal.SIGTERM)
        for server in self.servers:
            server.process.wait(timeout=120)

    def close(self):
        for server in self.servers:
            if server.process.poll() is None:
                try:
                    os.kill(server.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                server.process.kill()


class Load(threading.Thread):
    """Events with ids, each told until it is acknowledged, first to one server. Now and then somebody is
    marked."""

    def __init__(self, crowd, number, users, seed):
        super().__init__(daemon=True)
        self.crowd, self.number, self.users = crowd, number, users
        self.chance = random.Random(f"{seed} {number}")
        self.acknowledged, self.is_over = [], False

    def run(self):
        told = 0
        while not self.is_over:
            names = [f"{self.number}-{told + n}" for n in range(20)]
            body = {"events": [
                {"id": str(uuid.UUID(int=self.chance.getrandbits(128), version=4)),
                 "external_id": f"user-{self.chance.randrange(self.users)}", "name": "tasted",
                 "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                 "properties": {"n": name}} for name in names]}
            if told % 100 == 0:
                body["attributes"] = [{"external_id": f"user-{self.chance.randrange(self.users)}",
                                       "mark": "red"}]
            self.crowd.tell("/users/track", body, first=self.number)
            self.acknowledged.append((time.monotonic(), names))
            told += 20
            time.sleep(0.02)


def tell_of_people(crowd, site, count):
    for first in range(0, count, 50):
        crowd.tell("/users/track", {"attributes": [
            {"external_id": f"user-{number}", "push_tokens": [
                {"app_id": site.app, "token": f"{number:064x}"}]}
            for number in range(first, min(count, first + 50))]}, first=first // 50)
