"""The removal of old custom events on a server that is killed in the middle of it.

Two servers begin with the same file. One removes undisturbed, the other is killed again and again and
started on what is there, while events keep coming in. In the end both have to have the same rows and
sums, and these have to be the ones that the history itself gives."""
import argparse
import collections
import http.client
import json
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import uuid

NAMES = ("tasted", "viewed", "rated")
PERIOD = 180
DAY = 86_400
# The server removes once a day; a pass that is that much older is followed by another one.
AGED = 25 * 3_600_000
QUARTER = 900_000


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Event(collections.namedtuple("Event", "user name time number")):
    """Something that a user did, at a whole second."""

    @property
    def element(self):
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.time))
        return {"external_id": self.user, "name": self.name, "time": moment,
                "properties": {"n": self.number}}

    @property
    def row(self):
        return self.user, self.name, self.time * 1000, self.number


class History:
    """What there is before the removal begins, and what comes in while it works."""

    def __init__(self, count, users, seed, now):
        self.chance, self.users = random.Random(seed), users
        self.now, self.numbers = now, 0
        self.old = [self.event(200, 900) for _ in range(count)]
        # The last row always stays, so that its number is not given to another one.
        self.young = [self.event(1, 160) for _ in range(count // 5 + 1)]
        self.imported = self.old + self.young[:-1]
        self.chance.shuffle(self.imported)
        self.imported.append(self.young[-1])
        # Some of what comes in is old: it stays until the pass after the next one.
        self.live = [
            [(str(uuid.UUID(int=self.chance.getrandbits(128), version=4)), self.event(
                *((300, 400) if self.chance.random() < 0.2 else (1, 100)))) for _ in range(10)]
            for _ in range(60)]

    def event(self, least, most):
        self.numbers += 1
        return Event(f"user-{self.chance.randrange(self.users)}", self.chance.choice(NAMES),
                     self.now - self.chance.randrange(least * DAY, most * DAY), self.numbers)

    def kept(self, with_live=True):
        live = [event for batch in self.live for _, event in batch]
        return self.young + (live if with_live else [])

    @property
    def rows(self):
        """What is left as it was."""
        return sorted(event.row for event in self.kept())

    def days(self, with_live=False):
        """Daily counts, which are of the rows that are left."""
        counts = collections.Counter(
            (event.name, (event.time - event.time % DAY) * 1000) for event in self.kept(with_live))
        return sorted((*key, "", "", count, 0) for key, count in counts.items())

    @property
    def users_sums(self):
        sums = {}
        for event in self.old:
            count, first, last = sums.get((event.user, event.name), (0, 1 << 62, 0))
            moment = event.time * 1000
            sums[event.user, event.name] = count + 1, min(first, moment), max(last, moment)
        return sorted(key + value for key, value in sums.items())

    @property
    def quarter_sums(self):
        sums = {}
        for event in self.old:
            moment = event.time * 1000
            count, last = sums.get((event.name, moment - moment % QUARTER), (0, 0))
            sums[event.name, moment - moment % QUARTER] = count + 1, max(last, moment)
        return sorted(key + value for key, value in sums.items())


def numbers(data):
    """Seven bits in each byte, the lowest first; all but the last byte of a number have the highest bit."""
    value, shift = 0, 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield value
            value, shift = 0, 0


def unpacked(users, data):
    """User, name, count, first and last of the sums of a part, whose users differ in nine bits."""
    user, first = users << 9, 0
    values = numbers(data)
    for more, name, count, later, length in zip(*[values] * 5):
        user += more
        # The lowest bit is the sign.
        first += later >> 1 ^ -(later & 1)
        yield user, name, count, first, first + length


class Database:
    def __init__(self, path):
        self.path = path
        # Passes that ended before, in milliseconds, are those of another day.
        self.day = 0

    def ask(self, sql):
        database = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=30)
        try:
            return database.execute(sql).fetchall()
        finally:
            database.close()

    @property
    def progress(self):
        """Whether the day's pass is over, how many rows are gone, and whether it is under way."""
        rows = self.ask("SELECT coalesce(finished_at, 0), removed, place IS NOT NULL"
                        " FROM retention_progress WHERE kind = 'custom_events'")
        return (rows[0][0] > self.day, *rows[0][1:]) if rows else (False, 0, False)

    def age(self):
        """A day goes by."""
        database = sqlite3.connect(self.path, timeout=30)
        with database:
            database.execute("UPDATE retention_progress SET started_at = started_at - ?,"
                             " finished_at = finished_at - ?", (AGED, AGED))
        database.close()
        self.day = int(time.time() * 1000)

    @property
    def rows(self):
        return sorted(self.ask(
            "SELECT external_id, name, time, json_extract(properties, '$.n') FROM events"
            " JOIN event_names ON event_names.id = name_id"
            " JOIN profiles ON profiles.id = profile_id WHERE substr(name, 1, 1) <> '$'"))

    @property
    def users_sums(self):
        sums = {}
        found = self.ask("SELECT profile_id, name_id, count, first, last FROM removed_activity")
        for users, part in self.ask("SELECT users, sums FROM recently_removed_activity"):
            found += unpacked(users, part)
        for user, name, *sum_ in found:
            count, first, last = sums.get((user, name), (0, sum_[1], sum_[2]))
            sums[user, name] = count + sum_[0], min(first, sum_[1]), max(last, sum_[2])
        users = dict(self.ask("SELECT id, external_id FROM profiles"))
        names = dict(self.ask("SELECT id, name FROM event_names"))
        return sorted((users[user], names[name], *sum_) for (user, name), sum_ in sums.items())

    @property
    def quarter_sums(self):
        return sorted(self.ask("SELECT name, quarter, count, last FROM removed_counts"
                               " JOIN event_names ON event_names.id = name_id"))

    @property
    def days(self):
        # A day of which all rows are gone may be there as nothing.
        return sorted(self.ask("SELECT name, day, item, currency, count, amount FROM daily_counts"
                               " JOIN event_names ON event_names.id = name_id"
                               " WHERE count <> 0 OR amount <> 0"))


class Server:
    """A server of its own file, at a port that stays."""

    def __init__(self, binary, path):
        self.binary, self.database, self.port = binary, Database(path), free_port()
        self.options = ("--database", f"sqlite:{path}")
        self.process = None

    def command(self, *words):
        done = subprocess.run([self.binary, *words, *self.options], capture_output=True, text=True,
                              timeout=3600)
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def start(self):
        self.process = subprocess.Popen(
            [self.binary, "serve", *self.options, "--listen", f"127.0.0.1:{self.port}",
             "--log-level", "error", "--track-limit", "10000000"],
            stdout=subprocess.PIPE, text=True)
        if not self.process.stdout.readline():
            raise SystemExit("the server did not start")

    def stop(self, kills=False):
        if not self.process:
            return
        if kills:
            self.process.kill()
        else:
            self.process.terminate()
        self.process.wait(timeout=120)
        self.process.stdout.close()
        self.process = None

    def finish(self):
        """Waits until the pass is over."""
        while not self.database.progress[0]:
            if self.process.poll() is not None:
                raise SystemExit("the server has ended")
            time.sleep(0.05)

    def begin(self):
        """Starts, and waits until a pass has begun. The first one of a start may come before the columns
        have read the events, and takes no more than they have."""
        self.start()
        while not self.is_ready():
            time.sleep(0.05)
        self.database.age()
        is_over = is_under_way = False
        while not is_over and not is_under_way:
            time.sleep(0.02)
            is_over, _, is_under_way = self.database.progress

    def is_ready(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", "/ready")
            return connection.getresponse().status == 200
        finally:
            connection.close()

    def tell(self, batches, key):
        """Sends each batch until it is acknowledged."""
        for batch in batches:
            body = json.dumps({"events": [dict(event.element, id=number)
                                          for number, event in batch]})
            while not self.is_taken(body, key):
                time.sleep(0.02)
            time.sleep(0.05)

    def is_taken(self, body, key):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("POST", "/users/track", body, {
                "Authorization": f"Bearer {key}", "Content-Type": "application/json"})
            answer = connection.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
        if answer.status in (429, 503):
            return False
        if answer.status != 201 or b"errors" in said:
            raise SystemExit(f"{answer.status}: {said}")
        return True


def seeded(binary, folder, history):
    """A server with the history, whose first pass, which removes nothing yet, is over."""
    server = Server(binary, f"{folder}/seed.sqlite")
    key = server.command("apikey", "create", "--name", "torture",
                         "--permissions", "users.track").split()[-1]
    path = f"{folder}/events.ndjson"
    with open(path, "w") as file:
        file.writelines(json.dumps(event.element) + "\n" for event in history.imported)
    server.command("import", "events", path)
    server.command("analytics", "rebuild")
    server.command("workspace", "change", "--time-zone", "UTC", "--custom-event-days", str(PERIOD))
    server.start()
    server.finish()
    server.stop()
    return server, key


def copied(server, path):
    for ending in ("", "-wal", "-shm"):
        if os.path.exists(server.database.path + ending):
            shutil.copy(server.database.path + ending, path + ending)
    # The key of the server's secrets stands beside its file.
    for name in os.listdir(os.path.dirname(server.database.path)):
        if name.startswith("seed.sqlite.") and not name.endswith(".lock"):
            shutil.copy(f"{os.path.dirname(server.database.path)}/{name}",
                        path + name.removeprefix("seed.sqlite"))
    return Server(server.binary, path)


def killed(server, history, key, wanted):
    """Kills the server while it removes; how often it did, and how often in the middle of a pass."""
    client = threading.Thread(target=server.tell, args=(history.live, key), daemon=True)
    chance = random.Random(history.chance.random())
    kills = within = 0
    server.begin()
    client.start()
    while kills < wanted:
        time.sleep(chance.uniform(0, 0.5))
        is_over, _, is_under_way = server.database.progress
        if is_over:
            break
        server.stop(kills=True)
        kills += 1
        within += is_under_way
        server.start()
    client.join()
    server.finish()
    return kills, within


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--events", type=int, default=150_000)
    parser.add_argument("--users", type=int, default=2_000)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    faults = []

    def expect(what, is_so):
        if not is_so:
            faults.append(what)
            print(f"FAILED {what}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        history = History(options.events, options.users, options.seed, int(time.time()))
        seed, key = seeded(os.path.abspath(options.binary), folder, history)
        calm, tortured = (copied(seed, f"{folder}/{name}.sqlite") for name in ("calm", "tortured"))
        servers = (calm, tortured)
        try:
            calm.begin()
            calm.tell(history.live, key)
            calm.finish()
            kills, within = killed(tortured, history, key, options.kills)
        finally:
            for server in servers:
                server.stop()
        print(f"{kills} kills, {within} of them while a pass was under way", flush=True)
        expect("the server was killed in the middle of its removal", within > 0)
        rows, users, quarters = history.rows, history.users_sums, history.quarter_sums
        days = history.days(with_live=True)
        for name, server in (("calm", calm), ("killed", tortured)):
            database = server.database
            expect(f"{name}: the rows that stay", database.rows == rows)
            expect(f"{name}: the sums of users", database.users_sums == users)
            expect(f"{name}: the sums of quarters", database.quarter_sums == quarters)
            expect(f"{name}: the number of rows", database.progress[1] == len(history.old))
            # What has come in since may not be in them yet.
            expect(f"{name}: the daily counts", database.days in (history.days(), days))
            expect(f"{name}: a sound database", "0 faults" in server.command("doctor"))
            server.command("audience", "verify")
            server.command("analytics", "rebuild")
            expect(f"{name}: the daily counts, made anew", database.days == days)
        print(f"{len(history.old)} events removed, {len(rows)} stay;"
              f" {len(users)} sums of users, {len(quarters)} of quarters")
    if faults:
        raise SystemExit(f"{len(faults)} faults")


if __name__ == "__main__":
    main()
