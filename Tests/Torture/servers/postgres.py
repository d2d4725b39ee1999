"""A PostgreSQL that waits for the disk, and one that follows it and takes its place."""
import glob
import os
import pwd
import signal
import socket
import subprocess
import time


def free_port(host="127.0.0.1"):
    with socket.socket() as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


def until(what, is_so, seconds=600, pause=0.05):
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise SystemExit(f"this never came: {what}")
        time.sleep(pause)


def programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"))
    if not found:
        raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
    return os.path.dirname(found[-1])


def as_postgres(folder):
    """PostgreSQL refuses to work for root: how its programs are run, in a folder of theirs."""
    os.makedirs(folder, exist_ok=True)
    if os.getuid():
        return {}
    account = pwd.getpwnam("postgres")
    os.chown(folder, account.pw_uid, account.pw_gid)
    return {"user": "postgres", "group": account.pw_gid, "extra_groups": []}


def kill_tree(root):
    """Ends a process and all that it has started, as the end of a machine does."""
    def children(pid):
        try:
            with open(f"/proc/{pid}/task/{pid}/children") as file:
                return [int(word) for word in file.read().split()]
        except FileNotFoundError:
            return []

    def descendants(pid):
        return [one for child in children(pid) for one in [child, *descendants(child)]]

    doomed = [root if isinstance(root, int) else root.pid]
    # Whoever starts others is held first, so that nobody escapes.
    for pid in doomed:
        try:
            os.kill(pid, signal.SIGSTOP)
        except ProcessLookupError:
            continue
        doomed += [one for one in descendants(pid) if one not in doomed]
    for pid in doomed:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    if not isinstance(root, int):
        root.wait(timeout=60)


def psql(address, sql, timeout=600):
    done = subprocess.run(["psql", "-X", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", sql, address],
                          check=True, capture_output=True, text=True, timeout=timeout)
    return [line.split("\t") for line in done.stdout.splitlines()]


class Database:
    """What the keepers have in common: the addresses, and questions."""

    def __init__(self, ports):
        self.ports = ports

    def address(self, hosts):
        """libpq's, of the hosts and ports at which somebody reaches the members."""
        places = ",".join(f"{host}:{port}" for host, port in hosts)
        # Whoever has lost the place of the primary is not taken for it.
        return f"postgres://postgres@{places}/postgres?target_session_attrs=read-write"

    @property
    def own_address(self):
        return self.address([("127.0.0.1", port) for port in self.ports])

    def ask(self, sql):
        """Asks again until there is somebody who answers."""
        end = time.monotonic() + 120
        while True:
            try:
                return psql(self.own_address, sql)
            except subprocess.CalledProcessError as error:
                if time.monotonic() > end:
                    raise SystemExit(f"{sql}: {error.stderr}") from error
                time.sleep(0.1)

    @property
    def primary_port(self):
        return next((port for port in self.ports if self.is_primary(port)), self.ports[0])

    @staticmethod
    def is_primary(port):
        try:
            return psql(f"postgres://postgres@127.0.0.1:{port}/postgres",
                        "SELECT NOT pg_is_in_recovery()", timeout=10) == [["t"]]
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            return False


class Member:
    """One PostgreSQL."""

    def __init__(self, folder, port, hosts=()):
        self.programs, self.folder, self.port, self.hosts = programs(), folder, port, hosts
        self.user = as_postgres(folder)
        self.data, self.process = f"{folder}/data", None

    def run(self, program, *words):
        subprocess.run([f"{self.programs}/{program}", *words], check=True, cwd=self.folder,
                       stdout=subprocess.DEVNULL, timeout=300, **self.user)

    def create(self):
        self.run("initdb", f"--pgdata={self.data}", "--username=postgres", "--auth=trust",
                 "--encoding=UTF8", "--locale=C")
        with open(f"{self.data}/pg_hba.conf", "a") as file:
            # Those behind a wire that is cut.
            file.writelines(f"host all all {host}/24 trust\n" for host in self.hosts)

    def copy(self, primary):
        self.run("pg_basebackup", f"--pgdata={self.data}", "--write-recovery-conf", "--wal-method=stream",
                 "--checkpoint=fast", "--dbname",
                 f"host=127.0.0.1 port={primary.port} user=postgres application_name=standby")

    def launch(self):
        return subprocess.Popen(
            [f"{self.programs}/postgres", "-D", self.data, "-c", f"port={self.port}",
             "-c", f"listen_addresses={','.join(['127.0.0.1', *self.hosts])}", "-c", f"unix_socket_directories={self.folder}",
             "-c", "max_connections=200", "-c", "wal_keep_size=512MB"],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=open(f"{self.folder}/log", "a"),
            **self.user)

    def start(self):
        self.process = self.launch()

        def answers():
            if self.process.poll() is not None:
                # The processes of the one that was killed may hold its memory for a moment.
                self.process = self.launch()
                time.sleep(0.3)
            done = subprocess.run([f"{self.programs}/pg_isready", "-q", "-h", "127.0.0.1",
                                   "-p", str(self.port)], timeout=60)
            return done.returncode == 0

        until("PostgreSQL answers", answers)

    def stop(self):
        if self.process and self.process.poll() is None:
            # Fast: whoever is connected is sent away.
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=120)


class Pair(Database):
    """A primary and, unless the mode is `none`, a standby, which this script promotes as a keeper such as
    Patroni would."""
    keeper = "promoted by the test"

    def __init__(self, folder, mode, hosts=()):
        """`hosts` are further addresses of this machine at which servers reach it."""
        os.makedirs(folder)
        os.chmod(folder, 0o755)
        self.mode = mode
        self.primary = Member(f"{folder}/one", free_port(), hosts)
        self.primary.create()
        self.primary.start()
        self.standby = None
        if mode != "none":
            self.standby = Member(f"{folder}/two", free_port(), hosts)
            self.standby.copy(self.primary)
            self.standby.start()
        super().__init__([member.port for member in (self.primary, self.standby) if member])
        if mode == "sync":
            self.ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
            self.ask("SELECT pg_reload_conf()")
        if self.standby:
            state = "sync" if mode == "sync" else "async"
            until("the standby follows", lambda: self.ask(
                f"SELECT count(*) FROM pg_stat_replication WHERE sync_state = '{state}'") == [["1"]])

    def fail_over(self, lag):
        """Ends the primary as if its machine were gone; where nobody waits for the standby, that one has not
        got the last `lag` seconds. Gives the moment of the end, and that of the promotion."""
        senders = self.ask("SELECT pid FROM pg_stat_replication") if self.mode == "async" else []
        for sender in senders:
            os.kill(int(sender[0]), signal.SIGSTOP)
        if senders:
            time.sleep(lag)
        kill_tree(self.primary.process)
        killed = time.monotonic()
        if self.standby is None:
            self.primary.start()
        else:
            self.primary, self.standby = self.standby, None
            self.primary.run("pg_ctl", "promote", "-D", self.primary.data, "-w")
        until("there is a primary", lambda: self.is_primary(self.primary.port))
        return killed, time.monotonic()

    def stop(self):
        for member in (self.standby, self.primary):
            if member:
                member.stop()
