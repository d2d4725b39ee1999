"""Servers on one database of PostgreSQL, killed again and again while a campaign goes out and events come in.

One server works, the others wait. The one that works is killed, or PostgreSQL itself, and what was killed is
started again. In the end every push is final, the push service got each phone's push (more than once only
under the same id, which a phone shows once), and every event that was acknowledged is there once."""
import argparse
import base64
import collections
import glob
import http.client
import json
import os
import pwd
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import uuid

BUNDLE = "dev.noroshi.takeover"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(what, is_so, seconds=600):
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise SystemExit(f"this never came: {what}")
        time.sleep(0.05)


class Cluster:
    """A PostgreSQL that waits for the disk, so that what it acknowledged survives its end."""

    def __init__(self, folder):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"))
        if not found:
            raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
        self.programs, self.folder, self.port = os.path.dirname(found[-1]), folder, free_port()
        self.user = {}
        os.makedirs(folder)
        if os.getuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chown(folder, account.pw_uid, account.pw_gid)
            self.user = {"user": "postgres"}
        subprocess.run([f"{self.programs}/initdb", f"--pgdata={folder}/data", "--username=postgres",
                        "--auth=trust", "--encoding=UTF8", "--locale=C"], check=True, cwd=folder,
                       stdout=subprocess.DEVNULL, timeout=300, **self.user)
        self.process = None
        self.start()

    @property
    def address(self):
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def start(self):
        self.process = subprocess.Popen(
            [f"{self.programs}/postgres", "-D", f"{self.folder}/data", "-c", f"port={self.port}",
             "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={self.folder}"],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.user)

        def answers():
            if self.process.poll() is not None:
                # The processes of the one that was killed may hold its memory for a moment.
                self.process = subprocess.Popen(
                    self.process.args, cwd=self.folder, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, **self.user)
                time.sleep(0.3)
            done = subprocess.run([f"{self.programs}/pg_isready", "-q", "-h", "127.0.0.1",
                                   "-p", str(self.port)], timeout=60)
            return done.returncode == 0

        until("PostgreSQL answers", answers)

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=60)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=120)

    def ask(self, sql):
        done = subprocess.run(["psql", "-X", "-A", "-t", "-F", "\t", "-c", sql, self.address],
                              check=True, capture_output=True, text=True, timeout=600)
        return [line.split("\t") for line in done.stdout.splitlines()]


class Site:
    """The binary and what all servers have in common."""

    def __init__(self, binary, folder, cluster):
        self.binary, self.folder, self.cluster = binary, folder, cluster
        self.pushes = f"{folder}/pushes"
        key = f"{folder}/noroshi.key"
        with open(key, "wb") as file:
            file.write(base64.b64encode(os.urandom(32)))
        os.chmod(key, 0o600)
        self.database = ["--database", cluster.address, "--secret-key-file", key]
        self.apns_port = free_port()
        self.simulator = subprocess.Popen(
            [binary, "simulate", "apns", "--listen", f"127.0.0.1:{self.apns_port}", "--accept-anything",
             "--record", self.pushes, "--authority-file", f"{folder}/authority.pem"],
            stdout=subprocess.DEVNULL)
        until("the simulator", lambda: os.path.exists(f"{folder}/authority.pem"))
        self.app = self.command("app", "create", "--name", "Tea", "--bundle-id", BUNDLE).split()[-1]
        self.key = self.command("apikey", "create", "--name", "torture", "--permissions",
                                "users.track,messages.send").split()[-1]
        p8 = f"{folder}/key.p8"
        subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-out", p8], check=True, capture_output=True, timeout=60)
        self.command("credentials", "set", "--bundle-id", BUNDLE, "--p8", p8, "--key-id", "KEY0000001",
                     "--team-id", "TEAM000001")

    def command(self, *words):
        done = subprocess.run([self.binary, *words, *self.database], capture_output=True, text=True,
                              timeout=3600)
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout.strip()


class Server:
    def __init__(self, site):
        self.site, self.port, self.process = site, free_port(), None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.site.binary, "serve", *self.site.database, "--listen", f"127.0.0.1:{self.port}",
             "--apns-server", f"127.0.0.1:{self.site.apns_port}", "--apns-authority",
             f"{self.site.folder}/authority.pem", "--log-level", "critical", "--track-limit", "10000000"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=60)

    def keep_up(self):
        """As a service manager does."""
        if self.process.poll() is not None:
            self.start()

    def ask(self, method, path, body=None):
        """The status and the answer; `None` where nobody answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body, {
                "Authorization": f"Bearer {self.site.key}", "Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return None, b""
        finally:
            connection.close()

    @property
    def is_ready(self):
        return self.ask("GET", "/ready")[0] == 200


class Crowd:
    """All servers, as a balancer in front of them sees them."""

    def __init__(self, site, count):
        self.servers = [Server(site) for _ in range(count)]

    def tell(self, path, body):
        """Sends until one of them has acknowledged it."""
        text = json.dumps(body)
        for number in range(1_000_000):
            status, answer = self.servers[number % len(self.servers)].ask("POST", path, text)
            if status == 201 and b'"errors"' not in answer:
                return
            if status is not None and status not in (429, 500, 503):
                raise SystemExit(f"{path}: {status} {answer}")
            time.sleep(0.02)

    def working(self):
        return next((server for server in self.servers if server.is_ready), None)

    def keep_up(self):
        for server in self.servers:
            server.keep_up()

    def stop(self):
        for server in self.servers:
            server.process.terminate()
        for server in self.servers:
            server.process.wait(timeout=120)


class Load(threading.Thread):
    """Events with ids, each told until it is acknowledged."""

    def __init__(self, crowd, users, seed):
        super().__init__(daemon=True)
        self.crowd, self.users, self.chance = crowd, users, random.Random(seed)
        self.acknowledged, self.is_over = 0, False

    def run(self):
        while not self.is_over:
            self.crowd.tell("/users/track", {"events": [
                {"id": str(uuid.UUID(int=self.chance.getrandbits(128), version=4)),
                 "external_id": f"user-{self.chance.randrange(self.users)}", "name": "tasted",
                 "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                 "properties": {"n": self.acknowledged + n}} for n in range(20)]})
            self.acknowledged += 20


def tell_of_people(crowd, site, count):
    for first in range(0, count, 50):
        crowd.tell("/users/track", {"attributes": [
            {"external_id": f"user-{number}", "push_tokens": [
                {"app_id": site.app, "token": f"{number:064x}"}]}
            for number in range(first, min(count, first + 50))]})


def torture(crowd, cluster, wanted, chance):
    """Kills the one that works, and every fifth time PostgreSQL."""
    longest = 0
    for number in range(wanted):
        until("a server works", lambda: crowd.working() is not None)
        time.sleep(chance.uniform(0.2, 2))
        server = crowd.working()
        start = time.monotonic()
        if number % 5 == 4:
            cluster.kill()
            cluster.start()
        elif server:
            server.kill()
        # The one that was killed may be back and have its turn before the others.
        until("another one works", lambda: crowd.keep_up() or crowd.working() is not None)
        longest = max(longest, time.monotonic() - start)
        crowd.keep_up()
    return longest


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--recipients", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    faults = []

    def expect(what, is_so):
        if not is_so:
            faults.append(what)
            print(f"FAILED {what}", flush=True)

    folder = tempfile.mkdtemp()
    os.chmod(folder, 0o755)
    cluster = Cluster(f"{folder}/postgres")
    site = crowd = None
    try:
        site = Site(os.path.abspath(options.binary), folder, cluster)
        crowd = Crowd(site, options.servers)
        tell_of_people(crowd, site, options.recipients)
        load = Load(crowd, options.recipients, options.seed)
        load.start()
        crowd.tell("/messages/send", {
            "broadcast": True,
            "messages": {"apple_push": {"alert": {"title": "Once", "body": "and only once"}}}})
        longest = torture(crowd, cluster, options.kills, random.Random(options.seed))

        def is_over():
            crowd.keep_up()
            return all(row[0] == "finished" for row in cluster.ask("SELECT state FROM sends"))

        until("the send is over", is_over, seconds=3600)
        load.is_over = True
        load.join()
        events = cluster.ask("""SELECT count(*), count(DISTINCT properties) FROM events
            JOIN event_names ON event_names.id = name_id WHERE name = 'tasted'""")[0]
        expect(f"{load.acknowledged} events are there once, found {events}",
               events == [str(load.acknowledged)] * 2)
        rows = cluster.ask("SELECT state, count(*) FROM dispatches GROUP BY state")
        expect(f"every push is sent, found {rows}",
               rows == [["2", str(options.recipients)]])
        pushes = collections.defaultdict(list)
        with open(site.pushes) as file:
            for line in file:
                _, token, push, *_ = line.rstrip("\n").split("\t")
                pushes[token].append(push)
        expect(f"{options.recipients} phones got it, found {len(pushes)}",
               len(pushes) == options.recipients)
        expect("a phone's push has one id", all(len(set(ids)) == 1 for ids in pushes.values()))
        again = sum(len(ids) - 1 for ids in pushes.values())
        crowd.stop()
        crowd = None
        expect("the counts are those of the rows", "0 faults" in site.command("doctor"))
        site.command("audience", "verify")
        print(f"{options.kills} kills; at work again after {longest:.1f} s at the most; {load.acknowledged} events,"
              f" {options.recipients} pushes, {again} of them again under the same id")
    finally:
        if crowd:
            for server in crowd.servers:
                server.process.kill()
        if site:
            site.simulator.kill()
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
    if faults:
        raise SystemExit(f"{len(faults)} faults")


if __name__ == "__main__":
    main()
