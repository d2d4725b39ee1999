"""What the interop tests share: simulators as processes, keys, and requests to them."""

import contextlib
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Support/Databases"))
import databases  # noqa: E402

BIN = os.environ["NOROSHI_BIN"]


class Skip(Exception):
    """A test that cannot run here, and why."""


def need(program):
    path = shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/local/bin")
    if path is None:
        raise Skip(f"{program} is not installed")
    return path


def database(folder):
    """What a server is told to work on: one database for each folder."""
    return databases.address(os.path.join(folder, "noroshi.sqlite"))


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Simulator:
    """A running simulator and the requests it understands about itself."""

    def __init__(self, kind, folder, arguments=()):
        self.authority = os.path.join(folder, f"{kind}-authority.pem")
        self.port = free_port()
        self.origin = f"https://127.0.0.1:{self.port}"
        self.process = subprocess.Popen(
            [
                os.path.join(BIN, "noroshi-server"), "simulate", kind,
                "--listen", f"127.0.0.1:{self.port}", "--authority-file", self.authority,
                *arguments,
            ],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 20
        while True:
            if self.process.poll() is not None:
                raise AssertionError("the simulator ended at once")
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                break
            if time.monotonic() > deadline:
                raise AssertionError("the simulator did not start")
            time.sleep(0.05)

    def call(self, method, path, body=None):
        context = ssl.create_default_context(cafile=self.authority)
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.origin}/simulator/{path}", data=data, method=method
        )
        with urllib.request.urlopen(request, context=context, timeout=10) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def accepted(self):
        return self.call("GET", "accepted")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextlib.contextmanager
def simulator(kind, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        running = Simulator(kind, folder, arguments)
        try:
            yield running, folder
        finally:
            running.stop()


def signing_key(folder):
    """A P-256 key as Apple gives it out (.p8), and its public half."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    path = os.path.join(folder, "AuthKey.p8")
    with open(path, "wb") as file:
        file.write(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return path, public.decode()


def sample(*arguments, stdin=None):
    """What our own clients produce, printed by `noroshi-bench sample`."""
    result = subprocess.run(
        [os.path.join(BIN, "noroshi-bench"), "sample", *arguments],
        input=stdin, capture_output=True, text=True,
    )
    if result.returncode != 0:
        raise AssertionError(result.stderr.strip() or result.stdout.strip())
    return result.stdout.strip()
