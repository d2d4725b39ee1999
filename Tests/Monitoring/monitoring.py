"""Debian's Prometheus reads a loaded server, with the alert rules of the repository.

Each fault is made in the real thing (the process, the disk, the push service's simulator, the database); its
alert has to fire, and to end when the fault is gone. The rules are taken as they are but for their patience: every
`for` is a second here, and rates look at the last seconds."""
import argparse
import contextlib
import http.cookiejar
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
# PostgreSQL for the servers that share one.
sys.path.insert(0, str(ROOT / "Tests/Torture/servers"))
from postgres import Pair, kill_tree  # noqa: E402

TOPIC, CERTIFIED = "com.example.tea", "com.example.coffee"
METRICS_KEY = "a key for the monitoring test"
PATIENCE = 90


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def request(method, url, body=None, headers=(), context=None, opener=None):
    """The status and the text of an answer, whatever the status is."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    question = urllib.request.Request(url, data=data, method=method, headers=dict(headers))
    try:
        if opener:
            answer = opener.open(question, timeout=30)
        else:
            answer = urllib.request.urlopen(question, timeout=30, context=context)
        with answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def wait(what, condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.25)
    raise AssertionError(f"{what}: it did not happen within {seconds} s")


@contextlib.contextmanager
def small_disk(folder, megabytes):
    """A disk of its own, where this may mount one; else the folder itself and `False`."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder],
        capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", folder], check=False)


class Server:
    """The server as a process, with what it needs to send pushes."""

    def __init__(self, binary, folder, disk):
        self.binary, self.folder = binary, folder
        self.database = str(disk / "noroshi.sqlite")
        self.options = ["--database", "sqlite:" + self.database]
        self.port, self.metrics = free_port(), free_port()
        self.address = f"https://127.0.0.1:{self.port}"
        self.process, self.log = None, open(folder / "server.log", "ab")
        self.key_file = folder / "metrics-key"
        self.key_file.write_text(METRICS_KEY + "\n")
        self.certificate, self.certificate_key = folder / "server.pem", folder / "server.key"
        self.certify_itself(300)

    @property
    def trust(self):
        """Trusts the server's own certificate, and no other."""
        return ssl.create_default_context(cafile=self.certificate)

    def certify_itself(self, days):
        """Puts a certificate for the server's address where it reads it, which ends in some days."""
        certificate, key = self.folder / "next.pem", self.folder / "next.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out",
             certificate, "-days", str(days), "-subj", "/CN=127.0.0.1",
             "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        os.replace(key, self.certificate_key)
        os.replace(certificate, self.certificate)
        if self.process:
            self.process.send_signal(signal.SIGHUP)

    def command(self, *arguments, **variables):
        result = subprocess.run(
            [self.binary, *arguments, *self.options], capture_output=True, text=True, check=False,
            env={**os.environ, **variables})
        if result.returncode:
            raise RuntimeError(f"{arguments}: {result.stdout}{result.stderr}")
        return result.stdout.strip().splitlines()[-1].strip()

    def prepare(self, simulator):
        self.simulator = simulator
        self.sdk_key = self.command("app", "create", "--name", "Tea", "--bundle-id", TOPIC)
        self.command("app", "create", "--name", "Coffee", "--bundle-id", CERTIFIED)
        self.key = self.command("apikey", "create", "--name", "test", "--permissions", "*")
        key = self.folder / "key.p8"
        subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-out", key], check=True, capture_output=True)
        public = subprocess.run(["openssl", "pkey", "-in", key, "-pubout"], check=True,
                                capture_output=True, text=True).stdout
        simulator.call("POST", "keys", {"team_id": "TEAM123456", "key_id": "KEY1234567",
                                        "public_key": public})
        self.command("credentials", "apns", "--app", TOPIC, "--p8", str(key),
                     "--key-id", "KEY1234567", "--team-id", "TEAM123456")
        self.certify(7)
        # The first removal ends at once: nothing is so old.
        self.command("workspace", "change", "--audit-days", "400", "--record-id-days", "400")

    def certify(self, days):
        """Stores a push certificate that ends in some days."""
        key, cert, p12 = (self.folder / f"cert.{kind}" for kind in ("key", "pem", "p12"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert,
             "-days", str(days), "-subj", f"/UID={CERTIFIED}/CN=Apple Push Services: {CERTIFIED}",
             "-addext", "1.2.840.113635.100.6.3.2=DER:0500"], check=True, capture_output=True)
        subprocess.run(["openssl", "pkcs12", "-export", "-inkey", key, "-in", cert, "-out", p12,
                        "-passout", "pass:tea"], check=True, capture_output=True)
        self.command("credentials", "apns", "--app", CERTIFIED, "--p12", str(p12),
                     NOROSHI_P12_PASSWORD="tea")

    def start(self):
        self.process = subprocess.Popen(
            [self.binary, "serve", *self.options, "--listen", f"127.0.0.1:{self.port}",
             "--tls-certificate", str(self.certificate), "--tls-key", str(self.certificate_key),
             "--backup-folder", str(self.folder / "backups"),
             "--backup-passphrase-file", self.key_file, "--metrics-listen", f"127.0.0.1:{self.metrics}", "--metrics-key-file", self.key_file,
             "--apns-server", f"127.0.0.1:{self.simulator.port}",
             "--apns-authority", self.simulator.authority, "--log-level", "warning"],
            stdout=subprocess.DEVNULL, stderr=self.log)
        def is_ready():
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended: see {self.log.name}")
            try:
                return request("GET", self.address + "/ready", context=self.trust)[0] == 200
            except OSError:
                return False
        wait("the server is ready", is_ready)

    def stop(self, number=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(30)

    def post(self, path, body, key=None, method="POST"):
        return request(method, self.address + path, body, {
            "Authorization": f"Bearer {key or self.key}", "Content-Type": "application/json"},
            context=self.trust)

    def register(self, user, token):
        status, text = self.post("/sdk/v1/push-token", {
            "device": {"id": str(uuid.uuid4()), "platform": "ios"}, "user": {"external_id": user},
            "token": {"token": token, "provider": "apns", "environment": "production",
                      "authorization": "authorized"}}, self.sdk_key, "PUT")
        assert status < 300, text

    def push(self, users):
        status, text = self.post("/messages/send", {
            "external_user_ids": users, "messages": {"apple_push": {"alert": "Tea is ready"}}})
        assert status == 201, text

    def metrics_text(self):
        status, text = request("GET", f"http://127.0.0.1:{self.metrics}/metrics",
                               headers={"Authorization": "Bearer " + METRICS_KEY})
        assert status == 200, status
        return text


class Simulator:
    def __init__(self, binary, folder):
        self.port, self.authority = free_port(), str(folder / "authority.pem")
        self.process = subprocess.Popen(
            [binary, "simulate", "apns", "--listen", f"127.0.0.1:{self.port}", "--authority-file",
             self.authority], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        def answers():
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return os.path.exists(self.authority)
        wait("the simulator answers", answers)
        self.context = ssl.create_default_context(cafile=self.authority)

    def call(self, method, path, body=None):
        status, text = request(method, f"https://127.0.0.1:{self.port}/simulator/{path}", body,
                               context=self.context)
        assert status < 300, text
        return json.loads(text) if text else None


class Shared:
    """Two servers on one database of PostgreSQL, which Prometheus reads as a job of their own."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.metrics = [free_port(), free_port()]
        self.processes, self.database = [None, None], None

    @staticmethod
    def is_possible():
        return any(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"))

    def open(self):
        # The account of PostgreSQL has to come through to its folder.
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="noroshi-shared-"))
        self.place.chmod(0o755)
        self.database = Pair(str(self.place / "postgres"), "none")
        key = self.folder / "shared.key"
        key.write_bytes(subprocess.run(["openssl", "rand", "-base64", "32"], check=True,
                                       capture_output=True).stdout)
        key.chmod(0o600)
        for number in (0, 1):
            self.start(number)

    def start(self, number, *clock):
        self.processes[number] = subprocess.Popen(
            [*clock, self.binary, "serve", "--database", self.database.own_address,
             "--secret-key-file", self.folder / "shared.key", "--listen", f"127.0.0.1:{free_port()}",
             "--node", f"shared-{number + 1}", "--metrics-listen", f"127.0.0.1:{self.metrics[number]}",
             "--log-level", "warning"],
            env={**os.environ, "FAKETIME_DONT_FAKE_MONOTONIC": "1"},
            stdout=subprocess.DEVNULL, stderr=open(self.folder / f"shared-{number + 1}.log", "ab"))

    def end(self, number):
        # `faketime` starts the server as another process.
        kill_tree(self.processes[number])

    def leading(self):
        rows = self.database.ask("SELECT name FROM servers WHERE leads <> 0 ORDER BY seen_at DESC LIMIT 1")
        return int(rows[0][0][-1]) - 1 if rows else None

    def close(self):
        for process in self.processes:
            if process and process.poll() is None:
                kill_tree(process)
        if self.database:
            self.database.stop()
            self.database = None
            shutil.rmtree(self.place)


class Load:
    """Events from several clients, for as long as it lasts; what is refused is sent no more."""

    def __init__(self, server):
        self.server, self.is_over, self.stored = server, False, 0
        self.threads = [threading.Thread(target=self.run, args=(number,)) for number in range(2)]
        for thread in self.threads:
            thread.start()

    def run(self, client):
        number = 0
        while not self.is_over:
            number += 1
            try:
                status, _ = self.server.post("/users/track", {
                    "events": [{"external_id": f"user-{(number + part) % 20}", "name": "poured",
                                "time": "2026-11-23T00:00:00Z",
                                "properties": {"note": "x" * 200}} for part in range(20)],
                    "attributes": [{"external_id": f"user-{number % 20}", "cups": number}]})
                self.stored += status == 201
            except OSError:
                pass
            time.sleep(0.02)

    def stop(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()


class Prometheus:
    def __init__(self, folder, server, shared):
        self.port = free_port()
        rules = (ROOT / "Operations/prometheus/noroshi.rules.yml").read_text()
        rules = re.sub(r"for: \d+[mhs]", "for: 1s", rules)
        (folder / "noroshi.rules.yml").write_text(re.sub(r"\[\d+[mh]\]", "[15s]", rules))
        config = (ROOT / "Operations/prometheus/prometheus.yml").read_text()
        config = config.replace("15s", "1s").replace("127.0.0.1:9464", f"127.0.0.1:{server.metrics}")
        config = config.replace("    # authorization:\n    #   credentials_file: /etc/prometheus/noroshi-key",
                                f"    authorization:\n      credentials_file: {server.key_file}")
        targets = ", ".join(f'"127.0.0.1:{port}"' for port in shared.metrics)
        config += f"""
  - job_name: shared
    scrape_interval: 1s
    static_configs:
      - targets: [{targets}]
"""
        (folder / "prometheus.yml").write_text(config)
        self.log = open(folder / "prometheus.log", "wb")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={folder}/prometheus.yml",
             f"--storage.tsdb.path={folder}/tsdb", f"--web.listen-address=127.0.0.1:{self.port}"],
            stdout=self.log, stderr=self.log)

    def ask(self, path, **parameters):
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            status, text = request("GET", url)
        except OSError:
            return None
        return json.loads(text)["data"] if status == 200 else None

    def firing(self):
        alerts = (self.ask("alerts") or {"alerts": []})["alerts"]
        return {alert["labels"]["alertname"]: alert for alert in alerts if alert["state"] == "firing"}

    def value(self, expression):
        found = (self.ask("query", query=expression) or {"result": []})["result"]
        return float(found[0]["value"][1]) if found else None


class Trial:
    def __init__(self, server, prometheus, simulator, shared, disk, is_small):
        self.server, self.prometheus, self.simulator = server, prometheus, simulator
        self.shared = shared
        self.disk, self.is_small = disk, is_small
        self.users = [f"user-{number}" for number in range(20)]

    def fires(self, *names, seconds=PATIENCE):
        for name in names:
            start = time.monotonic()
            wait(f"{name} fires", lambda name=name: name in self.prometheus.firing(), seconds)
            alert = self.prometheus.firing().get(name)
            summary = alert["annotations"]["summary"] if alert else ""
            print(f"  {name} fired after {time.monotonic() - start:.0f} s: {summary}", flush=True)

    def ends(self, *names, seconds=PATIENCE):
        for name in names:
            start = time.monotonic()
            wait(f"{name} ends", lambda name=name: name not in self.prometheus.firing(), seconds)
            print(f"  {name} was over after {time.monotonic() - start:.0f} s", flush=True)

    # Every fault: what is broken, which alerts have to fire, what mends it.

    def provider(self):
        self.simulator.call("PUT", "faults", {"faults": [{"status": 503, "reason": "ServiceUnavailable"}]})
        for _ in range(3):
            self.server.push(self.users)
            time.sleep(2)
        self.fires("NoroshiProviderDown")
        self.simulator.call("PUT", "faults", {})
        self.ends("NoroshiProviderDown")
        accepted = 'sum(noroshi_pushes_total{outcome="accepted"})'
        before = self.prometheus.value(accepted)
        self.server.push(self.users)
        wait("pushes go out again", lambda: self.prometheus.value(accepted) >= before + len(self.users))

    def rejections(self):
        # A rate needs two readings, and a token that was refused is not asked for again.
        for number in range(4):
            strangers = [f"stranger-{number}-{index}" for index in range(5)]
            for stranger in strangers:
                self.server.register(stranger, uuid.uuid4().hex * 2)
            self.server.push(strangers)
            time.sleep(1.5)
        self.fires("NoroshiPushesFail")
        self.ends("NoroshiPushesFail")

    def full_disk(self):
        if not self.is_small:
            print("  skipped: it needs a disk of its own, which this account may not mount")
            return
        load = Load(self.server)
        filler = self.disk / "filler"
        with open(filler, "wb") as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 65536)
                file.flush()
        self.fires("NoroshiDiskAlmostFull", "NoroshiStoreNotWritable", "NoroshiIngestionRefuses",
                   "NoroshiErrors")
        filler.unlink()
        self.ends("NoroshiStoreNotWritable", "NoroshiDiskAlmostFull", "NoroshiIngestionRefuses",
                  "NoroshiErrors")
        before = load.stored
        wait("events are stored again", lambda: load.stored > before)
        load.stop()

    def audience(self):
        def rename(old, new):
            with contextlib.closing(sqlite3.connect(self.server.database, timeout=10)) as database:
                database.execute(f"ALTER TABLE {old} RENAME TO {new}")
                database.commit()
        rename("profile_changes", "profile_changes_hidden")
        self.fires("NoroshiAudienceLags")
        rename("profile_changes_hidden", "profile_changes")
        self.ends("NoroshiAudienceLags")

    def passwords(self):
        opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
            urllib.request.HTTPSHandler(context=self.server.trust))
        address = self.server.address + "/console/login"
        for _ in range(60):
            page = request("GET", address, opener=opener)[1]
            token = re.search(r'name="token" value="([^"]*)"', page).group(1)
            form = urllib.parse.urlencode({
                "token": token, "email": "nobody@example.com", "password": "a wrong password"})
            request("POST", address, form.encode(), {
                "Content-Type": "application/x-www-form-urlencoded"}, opener=opener)
        self.fires("NoroshiSignInsGuessed")
        self.ends("NoroshiSignInsGuessed")

    def hold(self):
        def change(sql):
            with contextlib.closing(sqlite3.connect(self.server.database, timeout=10)) as database:
                database.execute(sql)
                database.commit()
        change("INSERT OR REPLACE INTO sending_hold (id, since) VALUES (1, 1700000000000)")
        self.fires("NoroshiSendingHeld")
        self.server.command("release", "--missed", "send")
        self.ends("NoroshiSendingHeld")

    def death(self):
        self.server.stop(signal.SIGKILL)
        self.fires("NoroshiDown")
        self.server.start()
        self.ends("NoroshiDown")
        for _ in range(3):
            self.server.stop(signal.SIGKILL)
            self.server.start()
            time.sleep(1.5)
        self.fires("NoroshiRestarts")
        self.ends("NoroshiRestarts")

    def certificate(self):
        self.fires("NoroshiCertificateEndsSoon")
        self.server.certify(300)
        self.ends("NoroshiCertificateEndsSoon")

    def server_certificate(self):
        self.server.certify_itself(7)
        self.fires("NoroshiServerCertificateEndsSoon")
        self.server.certify_itself(300)
        self.ends("NoroshiServerCertificateEndsSoon")

    def servers(self):
        if not self.shared.is_possible():
            print("  skipped: PostgreSQL is not installed")
            return
        self.shared.open()
        wait("two servers work, and one of them leads", lambda: self.prometheus.value(
            'max(noroshi_servers{job="shared"})') == 2 and self.prometheus.value(
            'sum(noroshi_server_leads{job="shared"})') == 1 and self.shared.leading() is not None)
        other = 1 - self.shared.leading()
        self.shared.end(other)
        self.fires("NoroshiServersMissing")
        if shutil.which("faketime"):
            self.shared.start(other, "faketime", "-f", "+20s")
            self.fires("NoroshiClockOff")
            self.shared.end(other)
            self.shared.start(other)
            self.ends("NoroshiClockOff")
        else:
            print("  NoroshiClockOff is left out: faketime is not installed")
            self.shared.start(other)
        self.ends("NoroshiServersMissing")
        wait("two servers work", lambda: self.prometheus.value(
            'min(noroshi_servers{job="shared"})') == 2)
        # Held, it leads no more, and the other one does not lead yet.
        self.shared.processes[self.shared.leading()].send_signal(signal.SIGSTOP)
        self.fires("NoroshiNobodyLeads")
        self.ends("NoroshiNobodyLeads")
        self.shared.close()
        self.ends("NoroshiServersMissing")


TRIALS = ["provider", "rejections", "full_disk", "audience", "passwords", "hold", "certificate",
          "server_certificate", "servers", "death"]


def check_names(server, text):
    """Whatever is documented is there, with no name of a user and no token among it."""
    documented = re.findall(r"^\| `((?:noroshi|process)_[a-z_]+)` \| ([a-z]+)",
                            (ROOT / "docs/operating.md").read_text(), re.M)
    shown = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M))
    missing = {name: kind for name, kind in documented if shown.get(name) != kind}
    assert not missing, f"documented and not shown: {missing}"
    assert set(shown) == {name for name, _ in documented}, set(shown)
    assert "user-1" not in text and "stranger" not in text and server.key not in text
    for token in server.tokens:
        assert token not in text
    print(f"{len(shown)} metrics, {len(text.splitlines())} lines", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--only", nargs="+", choices=TRIALS, default=TRIALS)
    parser.add_argument("--keep", action="store_true", help="leaves logs and Prometheus' data")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="noroshi-monitoring-"))
    disk = folder / "disk"
    disk.mkdir()
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        if not options.keep:
            stack.callback(subprocess.run, ["rm", "-rf", str(folder)])
        is_small = stack.enter_context(small_disk(str(disk), 96))
        simulator = Simulator(options.binary, folder)
        stack.callback(simulator.process.kill)
        server = Server(options.binary, folder, disk)
        server.prepare(simulator)
        server.start()
        stack.callback(server.stop)
        shared = Shared(options.binary, folder)
        stack.callback(shared.close)
        prometheus = Prometheus(folder, server, shared)
        stack.callback(prometheus.process.kill)
        trial = Trial(server, prometheus, simulator, shared, disk, is_small)
        server.tokens = []
        for user in trial.users:
            token = simulator.call("POST", "devices", {
                "topic": TOPIC, "environment": "production"})["token"]
            server.tokens.append(token)
            server.register(user, token)
        load = Load(server)
        stack.callback(load.stop)
        server.push(trial.users)
        wait("every push is accepted", lambda: prometheus.value(
            'sum(noroshi_pushes_total{outcome="accepted"})') == len(trial.users))
        wait("Prometheus has read the server often", lambda: (prometheus.value(
            'count_over_time(up{job="noroshi"}[1m])') or 0) >= 5)
        assert prometheus.value('sum(noroshi_ingest_items_total{kind="event",outcome="stored"})') > 0
        wait("the first backup is written", lambda: prometheus.value(
            "noroshi_backup_newest_timestamp_seconds") is not None)
        wait("the first removals have ended", lambda: prometheus.value(
            "count(noroshi_retention_finished_timestamp_seconds)") == 2)
        check_names(server, server.metrics_text())
        load.stop()
        print(f"a question takes {prometheus.value('scrape_duration_seconds') * 1000:.1f} ms", flush=True)
        usual = set(prometheus.firing()) - {"NoroshiCertificateEndsSoon"}
        assert not usual, f"these fire without a fault: {usual}"
        for name in options.only:
            print(f"{name}:", flush=True)
            getattr(trial, name)()
        wait("nothing fires at the end", lambda: not set(prometheus.firing())
             - {"NoroshiCertificateEndsSoon"})
    print(f"every alert fired and ended; {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
