"""The same pair of PostgreSQL, kept by Debian's Patroni and etcd, which notice by themselves that the primary is
gone."""
import json
import os
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request

from postgres import Database, as_postgres, free_port, kill_tree, programs, until

NAMES = ("one", "two")


def is_installed():
    return all(shutil.which(program) for program in ("patroni", "etcd"))


class Kept(Database):
    keeper = "promoted by Patroni"

    def __init__(self, folder, mode, hosts=()):
        os.makedirs(folder)
        os.chmod(folder, 0o755)
        self.folder, self.mode, self.hosts = folder, mode, hosts
        super().__init__([free_port() for _ in NAMES])
        self.rest = [free_port() for _ in NAMES]
        self.etcd_port = free_port()
        self.members = {}
        self.etcd = self.start_etcd()
        for number, name in enumerate(NAMES):
            self.members[name] = self.start(number, name)
            if number == 0:
                until("there is a primary", lambda: self.answers(0, "primary"), seconds=120)
        role = "synchronous" if mode == "sync" else "asynchronous"
        until("the standby follows", lambda: self.answers(1, role), seconds=180)

    def start_etcd(self):
        peer = free_port()
        own = f"http://127.0.0.1:{self.etcd_port}"
        process = subprocess.Popen(
            ["etcd", "--name", "etcd", "--data-dir", f"{self.folder}/etcd", "--listen-client-urls", own,
             "--advertise-client-urls", own, "--listen-peer-urls", f"http://127.0.0.1:{peer}",
             "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
             "--initial-cluster", f"etcd=http://127.0.0.1:{peer}"],
            stdout=subprocess.DEVNULL, stderr=open(f"{self.folder}/etcd.log", "a"))

        def answers():
            try:
                return urllib.request.urlopen(f"{own}/health", timeout=2).status == 200
            except OSError:
                return False

        until("etcd answers", answers, seconds=60)
        return process

    def start(self, number, name):
        folder = f"{self.folder}/{name}"
        user = as_postgres(folder)
        settings = {
            "scope": "noroshi", "name": name,
            "etcd3": {"host": f"127.0.0.1:{self.etcd_port}"},
            "restapi": {"listen": f"127.0.0.1:{self.rest[number]}",
                        "connect_address": f"127.0.0.1:{self.rest[number]}"},
            "bootstrap": {
                "dcs": {
                    # The shortest times that Patroni takes.
                    "ttl": 20, "loop_wait": 1, "retry_timeout": 3,
                    "maximum_lag_on_failover": 1 << 30, "synchronous_mode": self.mode == "sync",
                    "postgresql": {"use_pg_rewind": False, "use_slots": True, "parameters": {
                        "max_connections": 200, "wal_keep_size": "512MB"}}},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, {"auth": "trust"}]},
            "postgresql": {
                "listen": f"{','.join(['127.0.0.1', *self.hosts])}:{self.ports[number]}",
                "connect_address": f"127.0.0.1:{self.ports[number]}",
                "data_dir": f"{folder}/data", "bin_dir": programs(), "pgpass": f"{folder}/pgpass",
                "authentication": {"superuser": {"username": "postgres"},
                                   "replication": {"username": "postgres"}},
                "parameters": {"unix_socket_directories": folder},
                "pg_hba": ["local all all trust", "host all all 127.0.0.1/32 trust",
                           "host replication all 127.0.0.1/32 trust",
                           *[f"host all all {host}/24 trust" for host in self.hosts]]},
        }
        path = f"{folder}/patroni.yml"
        with open(path, "w") as file:
            # What is JSON is YAML as well.
            json.dump(settings, file)
        os.chmod(path, 0o644)
        return subprocess.Popen(["patroni", path], cwd=folder, stdout=subprocess.DEVNULL,
                                stderr=open(f"{folder}/patroni.log", "a"), **user)

    def answers(self, number, role):
        """Whether a member says that it has a role; Patroni tells a balancer so."""
        try:
            return urllib.request.urlopen(
                f"http://127.0.0.1:{self.rest[number]}/{role}", timeout=2).status == 200
        except (OSError, urllib.error.HTTPError):
            return False

    def fail_over(self, lag):
        number = next(n for n in range(len(NAMES)) if self.answers(n, "primary"))
        if self.mode == "async":
            for sender in self.ask("SELECT pid FROM pg_stat_replication"):
                os.kill(int(sender[0]), signal.SIGSTOP)
            time.sleep(lag)
        name = NAMES[number]
        # PostgreSQL leads a group of its own, and outlives the one who started it.
        with open(f"{self.folder}/{name}/data/postmaster.pid") as file:
            postmaster = int(file.readline())
        kill_tree(self.members[name])
        kill_tree(postmaster)
        killed = time.monotonic()
        other = 1 - number
        until("there is a primary", lambda: self.is_primary(self.ports[other]), seconds=120)
        return killed, time.monotonic()

    def stop(self):
        for process in self.members.values():
            if process.poll() is None:
                process.terminate()
                process.wait(timeout=120)
        self.etcd.terminate()
        self.etcd.wait(timeout=60)
