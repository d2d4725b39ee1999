"""Servers that work together on one database of PostgreSQL, while they and it are killed.

All of them take events and send the same campaigns. One after the other is killed, also the one that leads; one
is held for longer than the others wait for it; in the middle the primary ends and its standby takes its place.
With --cut one server loses its wire to the database for a minute instead, and comes back."""
import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time

from crowd import Crowd, Load, Site, tell_of_people
from kept import Kept, is_installed
from network import Proxy, Wire
from pooler import Pooler
from postgres import Pair, until
from verdict import IN_FLIGHT, Verdict, visibility

# For how many seconds a server is held: for longer than one may be silent (`ServerUpkeep.silence`).
HELD = 25


class Torture:
    def __init__(self, options, site, crowd, verdict, wire):
        self.options, self.site, self.crowd = options, site, crowd
        self.verdict, self.wire = verdict, wire
        self.chance = random.Random(options.seed)
        self.sends, self.failures = 0, []
        # How many servers were stopped in the middle of what they had claimed.
        self.breaks = 0

    def open_sends(self):
        self.crowd.keep_up()
        return int(self.site.cluster.ask("SELECT count(*) FROM sends WHERE state <> 'finished'")[0][0])

    def send(self):
        until("the former send is over", lambda: self.open_sends() == 0, seconds=1800, pause=0.2)
        self.sends += 1
        self.crowd.send(self.sends)
        time.sleep(self.chance.uniform(0.2, 2))

    def listed(self, server):
        return int(self.site.cluster.ask(
            f"SELECT count(*) FROM servers WHERE process = {server.pid}")[0][0]) > 0

    # What happens to servers

    def kill(self, server, why):
        self.breaks += 1
        waiting = int(self.site.cluster.ask(
            "SELECT count(*) FROM dispatches WHERE state < 2")[0][0])
        server.kill()
        self.verdict.say(f"killed {server.name}, {why}, with {waiting} pushes to go")
        time.sleep(self.chance.uniform(0, 2))
        self.crowd.keep_up()

    def hold(self, server):
        self.breaks += 1
        part = "which leads" if self.crowd.leading() is server else "which does not lead"
        start = time.monotonic()
        server.hold()
        struck = self.struck_off(server, start, HELD)
        done = self.time_of(start, lambda: self.open_sends() == 0, HELD)
        time.sleep(max(0, HELD - (time.monotonic() - start)))
        server.go_on()
        self.verdict.say(f"held {server.name}, {part}, for {HELD} s; struck off after {struck};"
                         f" its send was over after {done}; {self.came_back(server)}")

    @staticmethod
    def time_of(start, is_so, limit):
        """How long it took, in words."""
        while time.monotonic() < start + limit:
            if is_so():
                return f"{time.monotonic() - start:.1f} s"
            time.sleep(0.1)
        return f"more than {limit:.0f} s"

    def struck_off(self, server, start, limit):
        word = self.time_of(start, lambda: not self.listed(server), limit)
        self.verdict.expect(f"{server.name}, which is silent, is struck off: after {word}", "more" not in word)
        return word

    def came_back(self, server):
        """One that was struck off ends, and its service manager starts it again."""
        former = server.process
        start = time.monotonic()
        until("one that was away ends or is there again",
              lambda: former.poll() is not None or self.listed(server), seconds=60)
        word = "ended" if former.poll() is not None else "went on"
        self.crowd.keep_up()
        until("it works again", lambda: server.is_ready, seconds=120)
        return f"it {word} {time.monotonic() - start:.1f} s after it was back"

    def fail_over(self):
        self.breaks += len(self.crowd.servers)
        killed, promoted = self.site.cluster.fail_over(self.options.lag)
        if self.site.pooler:
            self.site.pooler.point(self.site.cluster.primary_port)
        self.failures.append(killed)
        back = {}

        def probe(server):
            body = json.dumps({"attributes": [{"external_id": "probe", "last": server.name}]})
            while server.ask("POST", "/users/track", body, timeout=3)[0] != 201:
                server.keep_up()
                time.sleep(0.02)
            back[server.name] = time.monotonic() - promoted

        probes = [threading.Thread(target=probe, args=(server,), daemon=True)
                  for server in self.crowd.servers]
        for one in probes:
            one.start()
        for one in probes:
            one.join(timeout=120)
        self.verdict.expect(f"every server works after the promotion, found {back}",
                            len(back) == len(probes))
        times = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in sorted(back.items()))
        self.verdict.say(f"the primary was killed, {self.site.cluster.keeper} after {promoted - killed:.1f} s;"
                         f" back after that: {times} (wanted: 5)")

    # The runs

    def kills(self):
        middle = self.options.kills // 2
        for number in range(self.options.kills):
            self.send()
            if number == middle:
                self.fail_over()
                continue
            servers = self.crowd.servers
            if number % 5 == 3:
                self.hold(self.chance.choice(servers))
            elif number % 2:
                self.kill(self.crowd.leading() or servers[0], "which leads")
            else:
                self.kill(self.chance.choice(servers), "any one")

    def cut(self):
        """One server loses its wire to the database in the middle of a send; a second send begins meanwhile."""
        server = self.crowd.servers[-1]
        self.breaks += 1
        self.send()
        self.wire.cut()
        start = time.monotonic()
        struck = self.struck_off(server, start, 60)
        self.sends += 1
        self.crowd.send(self.sends)
        done = self.time_of(start, lambda: self.open_sends() == 0, self.options.cut_seconds)
        self.verdict.expect(f"the others send everything meanwhile: after {done}", "more" not in done)
        was_ready = server.is_ready
        time.sleep(max(0, self.options.cut_seconds - (time.monotonic() - start)))
        away = time.monotonic() - start
        self.wire.mend()
        self.verdict.expect("one that is cut off does not say that it is ready", not was_ready)
        self.verdict.say(
            f"{server.name} was cut off for {away:.0f} s by {self.wire.name}; struck off after {struck};"
            f" two sends were over after {done}; {self.came_back(server)}")
        self.send()

    def finish(self, loads):
        until("the sends are over", lambda: self.open_sends() == 0, seconds=3600, pause=0.2)
        for load in loads:
            load.is_over = True
        for load in loads:
            load.join()
        self.crowd.all_ready()
        self.verdict.events(loads, self.failures, self.options.failover, self.options.lag)
        extra = self.lagging() if self.options.failover == "async" else 0
        self.verdict.pushes(self.sends, self.options.recipients, self.breaks * IN_FLIGHT + extra)
        self.verdict.columns()
        if self.options.skew:
            self.skew()
        self.crowd.stop()
        self.verdict.stored()

    def lagging(self):
        """How many pushes went out in the time of the lag: nobody knows of them any more."""
        # Of the record's clock, which is not that of the failures.
        shift = time.time() - time.monotonic()
        with open(self.site.pushes) as file:
            times = [int(line.split("\t", 1)[0]) / 1000 - shift for line in file]
        return sum(1 for at in times for killed in self.failures
                   if killed - self.options.lag - 1 <= at <= killed + 1)

    def skew(self):
        offsets = dict(self.site.cluster.ask("SELECT name, clock_offset FROM servers"))
        self.verdict.expect(f"the clock that is ahead is known, found {offsets}",
                            abs(int(offsets["server-2"]) / 1000 - self.options.skew) < 1)
        self.verdict.say(f"clocks are ahead by {offsets} ms")


def arguments():
    parser = argparse.ArgumentParser(prog="./noroshi torture servers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--recipients", type=int, default=20_000, help="of each send; there is one for each kill")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--failover", choices=["sync", "async", "none"], default="sync",
                        help="none: no standby; PostgreSQL is killed and started again")
    parser.add_argument("--lag", type=float, default=0.5, help="seconds of the standby behind its primary (async)")
    parser.add_argument("--keeper", choices=["test", "patroni"], default="test",
                        help="who notices that the primary is gone")
    parser.add_argument("--cut", choices=["wire", "proxy"], nargs="?", const="wire",
                        help="cut one server off instead of killing; wire needs the administrator")
    parser.add_argument("--cut-seconds", type=float, default=60)
    parser.add_argument("--pooler", action="store_true",
                        help="all transactions go through pgbouncer, which gives each one another connection")
    parser.add_argument("--skew", type=int, default=0,
                        help="by how many seconds a server's clock is ahead, less than a minute (faketime)")
    parser.add_argument("--keep", action="store_true", help="leaves the folder with the logs")
    return parser.parse_args()


def main():
    options = arguments()
    if options.keeper == "patroni" and not is_installed():
        raise SystemExit("Patroni is not installed: apt-get install patroni etcd-server")
    if options.pooler and options.cut:
        raise SystemExit("--pooler does not go with --cut: the wire is that to the database")
    if abs(options.skew) >= 60:
        raise SystemExit("--skew must be less than 60: a server whose clock is further off does not start")
    if options.skew and not shutil.which("faketime"):
        raise SystemExit("faketime is not installed: apt-get install faketime")
    # Whoever ends this ends all that it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
    folder = tempfile.mkdtemp(prefix="noroshi-servers-")
    os.chmod(folder, 0o755)
    wire = database = pooler = site = crowd = None
    try:
        if options.cut:
            wire = Wire() if options.cut == "wire" and Wire.is_possible() else Proxy()
        keeper = Kept if options.keeper == "patroni" and options.failover != "none" else Pair
        database = keeper(f"{folder}/postgres", options.failover, wire.database_hosts if wire else [])
        pooler = Pooler(f"{folder}/pooler", database.primary_port) if options.pooler else None
        site = Site(os.path.abspath(options.binary), folder, database, wire.host if wire else "127.0.0.1",
                    pooler)
        site.furnish()
        crowd = Crowd(site, options.servers, wire, options.skew)
        verdict = Verdict(site, crowd)
        torture = Torture(options, site, crowd, verdict, wire)
        crowd.all_ready()
        tell_of_people(crowd, site, options.recipients)
        visibility(crowd, 30, verdict)
        loads = [Load(crowd, number, options.recipients, options.seed)
                 for number in range(options.servers)]
        for load in loads:
            load.start()
        if options.cut:
            torture.cut()
        else:
            torture.kills()
        torture.finish(loads)
        ends = {server.name: server.ends for server in crowd.servers if server.ends}
        verdict.say(f"servers that ended by themselves, with their statuses: {ends}")
        crowd = None
    finally:
        if crowd:
            crowd.close()
        if site:
            site.simulator.kill()
        if pooler:
            pooler.stop()
        if database:
            database.stop()
        if wire:
            wire.close()
        if options.keep:
            print(folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    if verdict.faults:
        raise SystemExit(f"{len(verdict.faults)} faults (seed {options.seed})")


if __name__ == "__main__":
    main()
