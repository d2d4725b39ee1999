"""Backups while events come in as fast as the server takes them.

Each backup has to hold what was acknowledged before it began and nothing that was sent after it ended,
whole requests only; some backups and restores are killed in the middle, which may cost nothing but
themselves. A restored database has to be sound, and a cut file or a wrong passphrase is named."""
import argparse
import glob
import http.client
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time

EVENTS = 20
CLIENTS = 3
PASSPHRASE = "a passphrase of the torture"


class Load:
    """Clients that send numbered requests, each of which is stored whole or not at all."""

    def __init__(self, address, key):
        self.address, self.key = address, key
        self.lock, self.is_over = threading.Lock(), False
        # Seconds between two requests of a client, to be set while it runs.
        self.pause = 0
        self.sent, self.acknowledged = set(), set()
        self.threads = [threading.Thread(target=self.run, args=(number,))
                        for number in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def run(self, client):
        host, port = self.address.split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=60)
        request = 0
        while not self.is_over:
            number = request * CLIENTS + client
            request += 1
            with self.lock:
                self.sent.add(number)
            body = json.dumps({"events": [
                {"external_id": f"user-{number % 500}", "name": "visited",
                 "time": "2026-11-23T00:00:00Z", "properties": {"request": number, "part": part}}
                for part in range(EVENTS)]})
            time.sleep(self.pause)
            connection.request("POST", "/users/track", body, {
                "Authorization": f"Bearer {self.key}", "Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            if answer.status == 201:
                with self.lock:
                    self.acknowledged.add(number)
            else:
                time.sleep(0.05)

    def seen(self):
        with self.lock:
            return set(self.sent), set(self.acknowledged)

    def stop(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()


class Judge:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.environment = dict(os.environ, NOROSHI_BACKUP_PASSPHRASE=PASSPHRASE)
        self.faults = []

    def start(self, *arguments, **environment):
        return subprocess.Popen(
            [self.binary, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**self.environment, **environment})

    def run(self, *arguments, **environment):
        process = self.start(*arguments, **environment)
        output, errors = process.communicate(timeout=1800)
        return process.returncode, output + errors

    def must(self, *arguments, **environment):
        code, output = self.run(*arguments, **environment)
        if code:
            raise SystemExit(f"{' '.join(arguments)}: {output}")
        return output.strip()

    def expect(self, what, is_so, detail=""):
        if not is_so:
            self.faults.append(what)
            print(f"FAILED {what} {detail}", flush=True)

    def requests(self, path):
        """The requests in a database, and whether each is there as a whole and once."""
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        rows = database.execute(
            "SELECT json_extract(properties, '$.request'), count(*),"
            " count(DISTINCT json_extract(properties, '$.part')) FROM events GROUP BY 1").fetchall()
        database.close()
        self.expect("requests are whole", all(a == EVENTS and b == EVENTS for _, a, b in rows))
        return {number for number, _, _ in rows}

    def check(self, backup, before, after):
        self.must("backup", "verify", backup)
        found = self.requests(f"{backup}/noroshi.sqlite")
        self.expect("what was acknowledged before is in it", before <= found,
                    f"{len(before - found)} are not")
        self.expect("nothing that was sent after is in it", found <= after,
                    f"{len(found - after)} are")
        return len(found)

    def restore(self, backup, path):
        self.must("restore", backup, "--database", f"sqlite:{path}")
        options = ("--database", f"sqlite:{path}")
        self.expect("the restored database is sound",
                    "0 faults" in self.must("doctor", *options))
        code, output = self.run("audience", "verify", *options)
        self.expect("columns and rows agree", code == 0, output)


def killed(judge, chance, *arguments):
    """Kills the command at some moment of its work."""
    process = judge.start(*arguments)
    try:
        process.wait(timeout=chance)
        return False
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--backups", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(os.path.abspath(options.binary), folder)
        database = f"sqlite:{folder}/noroshi.sqlite"
        key = judge.must("apikey", "create", "--name", "load", "--permissions", "users.track",
                         "--database", database).split()[-1]
        server = judge.start("serve", "--database", database, "--listen", "127.0.0.1:0",
                             "--log-level", "error", "--track-limit", "10000000",
                             "--request-limit", "10000000")
        load = None
        try:
            address = server.stdout.readline().strip().split("//")[-1]
            load = Load(address, key)
            backups, kills, rows = f"{folder}/backups", 0, 0
            for number in range(options.backups):
                load.pause = 0
                time.sleep(2)
                create = ("backup", "create", "--database", database, "--to", backups)
                if number % 4 == 3:
                    kills += killed(judge, chance.uniform(0.05, 1.5), *create)
                _, before = load.seen()
                backup = judge.must(*create).split(": ")[0]
                after, _ = load.seen()
                # To look at it takes the longer the more there is, which would be half more each time.
                load.pause = 0.2
                rows = judge.check(backup, before, after)
                left = glob.glob(f"{backups}/*.unfinished")
                judge.expect("nothing unfinished is left", not left)
                path = f"{folder}/restored-{number}/noroshi.sqlite"
                if number % 5 == 4:
                    kills += killed(judge, chance.uniform(0.05, 1), "restore", backup,
                                    "--database", f"sqlite:{path}")
                if not os.path.exists(path):
                    judge.restore(backup, path)
                judge.expect("it is restored as it was", judge.requests(path) == judge.requests(
                    f"{backup}/noroshi.sqlite"))
                print(f"backup {number + 1}: {rows} requests, {len(before)} acknowledged before,"
                      f" {len(after)} sent until its end", flush=True)
                shutil.rmtree(os.path.dirname(path))
                for old in sorted(glob.glob(f"{backups}/noroshi-*"))[:-1]:
                    shutil.rmtree(old)
            code, output = judge.run("backup", "verify", backup,
                                     NOROSHI_BACKUP_PASSPHRASE="a wrong passphrase")
            judge.expect("a wrong passphrase is named", code and "passphrase" in output, output)
            with open(f"{backup}/noroshi.sqlite", "r+b") as file:
                file.truncate(os.path.getsize(file.name) - 1)
            code, output = judge.run("backup", "verify", backup)
            judge.expect("a cut file is named", code and "noroshi.sqlite has" in output, output)
        finally:
            if load:
                load.stop()
            server.terminate()
            server.wait(timeout=60)
        if judge.faults:
            raise SystemExit(f"{len(judge.faults)} faults")
        print(f"{options.backups} backups under load, the last of {rows * EVENTS} events;"
              f" {kills} backups and restores were killed")


if __name__ == "__main__":
    main()
