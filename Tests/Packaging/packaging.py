"""The packages, as a person installs them: on a bare Debian 12 with its real systemd.

The system is made by debootstrap and booted by systemd-nspawn; the server in it sends through a simulator outside.
Nothing of it reaches further than this machine."""
import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Monitoring"))
from monitoring import TOPIC, Simulator, free_port, request, wait  # noqa: E402

BASE = ROOT / ".build-package" / "debian-12.tar"
# Beside systemd, what apt would bring for the package; dpkg refuses it where its list is not complete.
INCLUDED = "systemd,systemd-sysv,dbus,ca-certificates,adduser,tzdata,libsqlite3-0,libcurl4,libxml2"
OLDER, NEWER = "0.1.9~test", "9.9.9~test"
CONFIGURATION = "/etc/noroshi/noroshi.json"


def run(*command, **more):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **more)
    if result.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def say(text):
    print(text, flush=True)


def package(kind, binary, folder, version=None):
    more = ["--version", version] if version else []
    return pathlib.Path(run(ROOT / "Scripts" / "package", kind, "--binary", binary, "--output", folder, *more)
                        .strip().splitlines()[-1])


class Debian:
    """A bare Debian 12 that runs, with systemd as its first process. It shares this machine's network."""

    def __init__(self, folder):
        self.root = folder / "debian"
        if not BASE.exists():
            say("Making a bare Debian 12 …")
            BASE.parent.mkdir(exist_ok=True)
            part = BASE.with_suffix(".part")
            run("debootstrap", "--variant=minbase", f"--include={INCLUDED}", "bookworm", folder / "base")
            run("tar", "-C", folder / "base", "-cf", part, ".")
            part.rename(BASE)
            shutil.rmtree(folder / "base")
        self.root.mkdir()
        run("tar", "-C", self.root, "-xf", BASE)
        self.log = open(folder / "boot.log", "wb")

    def boot(self):
        self.manager = subprocess.Popen(
            ["systemd-nspawn", "-q", "-D", self.root, "--boot", "--register=no", "--keep-unit",
             "--resolv-conf=off", "--timezone=off"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

        def has_booted():
            assert self.manager.poll() is None, pathlib.Path(self.log.name).read_text(errors="replace")[-2000:]
            with contextlib.suppress(AssertionError, IndexError):
                return self("systemctl", "is-system-running", "--wait").strip() in ("running", "degraded")
            return False
        wait("Debian has started", has_booted)

    def __call__(self, *command, check=True):
        """Runs a command inside and returns what it prints."""
        first = pathlib.Path(f"/proc/{self.manager.pid}/task/{self.manager.pid}/children").read_text().split()[0]
        result = subprocess.run(
            ["nsenter", "-t", first, "-m", "-u", "-i", "-p", "-r", "-w", "--", "env", "-i",
             "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", *map(str, command)],
            capture_output=True, text=True, check=False)
        if result.returncode and command[0] != "systemctl" and check:
            raise AssertionError(f"{' '.join(map(str, command))}: {result.stdout}{result.stderr}")
        return result.stdout

    def path(self, inside):
        return self.root / inside.lstrip("/")

    def put(self, file):
        shutil.copy(file, self.path("/root"))
        return f"/root/{pathlib.Path(file).name}"

    def stop(self):
        self.manager.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.manager.wait(30)
        self.manager.kill()

    def show(self, name):
        return self("systemctl", "show", "-p", name, "--value", "noroshi").strip()


class Installed:
    """The service inside, and what one does with it."""

    def __init__(self, debian):
        self.debian, self.port = debian, free_port()
        self.address = f"http://127.0.0.1:{self.port}"

    def is_ready(self):
        with contextlib.suppress(OSError):
            return request("GET", self.address + "/ready")[0] == 200
        return False

    def noroshi(self, *arguments):
        return self.debian("noroshi", *arguments).strip().splitlines()[-1].strip()

    def post(self, path, body, key, method="POST"):
        status, text = request(method, self.address + path, body, {
            "Authorization": f"Bearer {key}", "Content-Type": "application/json"})
        assert status < 300, (path, status, text)
        return json.loads(text) if text else None

    def accepted(self):
        count = 0
        for line in self.debian("noroshi", "export", "sends").splitlines():
            count += json.loads(line).get("accepted", 0) if line.startswith("{") else 0
        return count


def tried_deb(binary, folder):
    older, newer = package("deb", binary, folder, OLDER), package("deb", binary, folder, NEWER)
    again = package("deb", binary, folder / "again", OLDER)
    assert older.read_bytes() == again.read_bytes(), "the same commit gives other bytes"
    problems = [line for line in subprocess.run(
        ["lintian", "--no-tag-display-limit", newer], capture_output=True, text=True,
        check=False).stdout.splitlines() if line.startswith("E:")] if shutil.which("lintian") else []
    # A static binary is what this package is; dpkg's "embedded library" rule is for Debian's own.
    problems = [line for line in problems if "embedded-library" not in line and "statically-linked" not in line]
    assert not problems, "\n".join(problems)
    say(f"deb: {older.stat().st_size / 1e6:.1f} MB, the same bytes twice, no error of lintian")

    debian = Debian(folder)
    simulator = Simulator(binary, folder)
    try:
        debian.boot()
        debian("dpkg", "-i", debian.put(older))
        service = Installed(debian)
        wait("the service has started by itself", lambda: debian("systemctl", "is-active", "noroshi").strip() == "active")
        assert debian.show("StatusText").startswith("serving 127.0.0.1:8080"), debian.show("StatusText")
        assert debian.show("Type") == "notify"
        say("deb: installed and started; systemd heard that it serves")

        # The configuration as an operator changes it, with what another program needs to be reached.
        configuration = debian.path(CONFIGURATION)
        settings = {**json.loads(configuration.read_text()), "listen": f"127.0.0.1:{service.port}"}
        configuration.write_text(json.dumps(settings))
        shutil.copy(simulator.authority, debian.path("/etc/noroshi/authority.pem"))
        debian.path("/etc/default/noroshi").write_text(
            f"NOROSHI_APNS_SERVER=127.0.0.1:{simulator.port}\nNOROSHI_APNS_AUTHORITY=/etc/noroshi/authority.pem\n")
        debian("systemctl", "restart", "noroshi")
        wait("the service is ready at its new address", service.is_ready)

        sdk_key = service.noroshi("app", "create", "--name", "Tea", "--bundle-id", TOPIC)
        key = service.noroshi("apikey", "create", "--name", "test", "--permissions", "*")
        p8 = folder / "key.p8"
        run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", p8)
        simulator.call("POST", "keys", {"team_id": "TEAM123456", "key_id": "KEY1234567",
                                        "public_key": run("openssl", "pkey", "-in", p8, "-pubout")})
        shutil.copy(p8, debian.path("/var/lib/noroshi/key.p8"))
        debian.path("/var/lib/noroshi/key.p8").chmod(0o644)
        service.noroshi("credentials", "apns", "--app", TOPIC, "--p8", "/var/lib/noroshi/key.p8",
                        "--key-id", "KEY1234567", "--team-id", "TEAM123456")
        foreign = debian("find", "/var/lib/noroshi", "-name", "noroshi.sqlite*", "!", "-user", "noroshi")
        assert not foreign, f"files that a command of root made: {foreign}"
        token = simulator.call("POST", "devices", {"topic": TOPIC, "environment": "production"})["token"]
        service.post("/sdk/v1/push-token", {
            "device": {"id": "0190f5fc-0000-7000-8000-000000000001", "platform": "ios"}, "user": {"external_id": "ada"},
            "token": {"token": token, "provider": "apns", "environment": "production",
                      "authorization": "authorized"}}, sdk_key, "PUT")

        def push():
            before = len(simulator.call("GET", "accepted"))
            service.post("/messages/send", {"external_user_ids": ["ada"],
                                            "messages": {"apple_push": {"alert": "Tea is ready"}}}, key)
            wait("a push arrives at the simulator", lambda: len(simulator.call("GET", "accepted")) == before + 1)
        push()
        say("deb: a push went through APNs' simulator")

        debian.path("/etc/systemd/system/noroshi.service.d").mkdir(parents=True)
        debian.path("/etc/systemd/system/noroshi.service.d/test.conf").write_text("[Service]\nWatchdogSec=3\n")
        debian("systemctl", "daemon-reload")
        debian("systemctl", "restart", "noroshi")
        wait("the service is ready under its watchdog", service.is_ready)
        before = debian.show("NRestarts")
        time.sleep(7)
        assert debian.show("NRestarts") == before, "a server that lives was restarted by the watchdog"
        for signal, what in (("STOP", "hangs"), ("KILL", "was killed")):
            before = int(debian.show("NRestarts"))
            debian("systemctl", "kill", f"--signal={signal}", "noroshi")
            wait(f"a server that {what} is started again", lambda: int(debian.show("NRestarts")) > before)
            wait(f"the next one is ready ({what})", service.is_ready)
        push()
        say("deb: started again after a hang and after kill -9, and a push went out")

        score = debian("systemd-analyze", "security", "--no-pager", "noroshi", check=False)
        found = re.search(r"exposure level for noroshi.service: ([0-9.]+)", score)
        assert found, score
        exposure = float(found.group(1))
        assert exposure < 2.5, score
        say(f"deb: systemd-analyze security says {exposure}")

        process = debian.show("MainPID")
        debian("dpkg", "-i", debian.put(newer))
        wait("the new version is ready", service.is_ready)
        assert debian.show("MainPID") != process
        assert json.loads(configuration.read_text()) == settings, "the update changed the configuration"
        assert service.accepted() >= 2, "the update lost what was sent"
        push()
        say("deb: updated over its data; configuration and sends are there, and a push went out")

        debian("dpkg", "-r", "noroshi")
        assert not service.is_ready()
        assert debian.path("/var/lib/noroshi/noroshi.sqlite").exists() and configuration.exists()
        debian("dpkg", "-i", debian.put(newer))
        debian("systemctl", "start", "noroshi")
        wait("it is ready after it was removed and installed", service.is_ready)
        assert service.accepted() >= 3
        debian("dpkg", "-P", "noroshi")
        left = [path for path in ("/var/lib/noroshi", "/etc/noroshi", "/usr/lib/noroshi", "/usr/bin/noroshi",
                                  "/lib/systemd/system/noroshi.service") if debian.path(path).exists()]
        assert not left, left
        assert "noroshi" not in debian.path("/etc/passwd").read_text()
        say("deb: removed with its data kept, purged without a trace")
    finally:
        simulator.process.terminate()
        debian.stop()


@contextlib.contextmanager
def inside(root):
    """What each system and each container has: without /proc a program does not know its arguments, without
    /dev/urandom ids are not random."""
    for name, minor in (("null", 3), ("random", 8), ("urandom", 9)):
        if not (root / "dev" / name).exists():
            run("mknod", "-m", "666", root / "dev" / name, "c", "1", minor)
    run("mount", "-t", "proc", "proc", root / "proc")
    try:
        yield ["/usr/sbin/chroot", root]
    finally:
        run("umount", root / "proc")


def serving(process, address):
    """Waits for a server, returns in how many seconds it was ready, and stops it."""
    start = time.monotonic()

    def is_ready():
        assert process.poll() is None, process.stderr.read()
        with contextlib.suppress(OSError):
            return request("GET", address + "/ready")[0] == 200
        return False
    wait("the server is ready", is_ready)
    seconds = time.monotonic() - start
    process.terminate()
    process.wait(30)
    return seconds


def tried_tar(binary, folder):
    file = package("tar", binary, folder)
    debian = folder / "bare"
    debian.mkdir()
    run("tar", "-C", debian, "-xf", BASE)
    run("tar", "-C", debian / "opt", "-xf", file)
    name = file.name.removesuffix(".tar.gz")
    port = free_port()
    with inside(debian) as there:
        version = run(*there, f"/opt/{name}/noroshi", "--version").strip()
        process = subprocess.Popen(
            [*there, f"/opt/{name}/noroshi", "serve", "--database", "sqlite:/tmp/x.sqlite", "--listen",
             f"127.0.0.1:{port}"], stderr=subprocess.PIPE, text=True, stdout=subprocess.DEVNULL)
        seconds = serving(process, f"http://127.0.0.1:{port}")
    say(f"tar: {file.stat().st_size / 1e6:.1f} MB; version {version}; ready on a bare Debian in {seconds:.1f} s")


def tried_container(binary, folder):
    file = package("container", binary, folder)
    run("skopeo", "copy", f"docker-archive:{file}", f"dir:{folder / 'docker'}")
    run("skopeo", "copy", f"oci-archive:{file}", f"oci:{folder / 'layout'}:tried")
    run("umoci", "unpack", "--image", f"{folder / 'layout'}:tried", folder / "bundle")
    root = folder / "bundle" / "rootfs"
    config = json.loads((folder / "bundle" / "config.json").read_text())["process"]
    assert config["user"]["uid"] != 0, config["user"]
    # What a runtime does: the image's user, folder, environment and command, over its own files.
    environment = dict(line.split("=", 1) for line in config["env"])
    port = free_port()
    environment["NOROSHI_LISTEN"] = f"127.0.0.1:{port}"
    user = f"{config['user']['uid']}:{config['user']['gid']}"
    with inside(root) as (chroot, _):
        there = [chroot, f"--userspec={user}", root]
        process = subprocess.Popen([*there, *config["args"]], env=environment, stderr=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, text=True)
        seconds = serving(process, f"http://127.0.0.1:{port}")
        assert (root / "var/lib/noroshi/noroshi.sqlite").exists()
        played = run(*there, "/usr/bin/noroshi", "demo", "--once", env=environment)
    assert "accepted" in played, played
    again = package("container", binary, folder / "twice")
    assert file.read_bytes() == again.read_bytes(), "the same commit gives another image"
    say(f"container: {file.stat().st_size / 1e6:.1f} MB, the same bytes twice; ready as user {user} in {seconds:.1f} s; "
        + played.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", help="what Scripts/package has built")
    parser.add_argument("--only", choices=["deb", "tar", "container"])
    options = parser.parse_args()
    binary = pathlib.Path(options.binary).resolve()
    tries = {"deb": tried_deb, "tar": tried_tar, "container": tried_container}
    for kind, tried in tries.items():
        if options.only in (None, kind):
            with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
                tried(binary, pathlib.Path(folder))
    say(f"{len(tries) if options.only is None else 1} passed, 0 failed")


if __name__ == "__main__":
    main()
