"""Programs under test as processes, and what they wrote before they ended."""

import contextlib
import os
import signal
import socket
import subprocess
import time

BINARY = os.path.join(os.environ.get("NOROSHI_BIN", ".build/debug"), "noroshi-server")
# Where a process ended, in words; costs seconds, so only reproductions ask for it.
BACKTRACE = (
    "enable=yes,interactive=no,color=no,threads=crashed,images=none,registers=none,limit=24,"
    "sanitize=yes,symbolicate=fast,output-to=stderr"
)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Program:
    """A process with its log."""

    def __init__(self, arguments, log_path, environment=None, backtrace=False):
        self.arguments, self.log_path = arguments, log_path
        self.log = open(log_path, "ab")
        self.process = subprocess.Popen(
            [BINARY, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            env={
                **os.environ,
                "TZ": "UTC",
                "SWIFT_BACKTRACE": BACKTRACE if backtrace else "enable=no",
                **(environment or {}),
            },
        )

    @property
    def is_alive(self):
        return self.process.poll() is None

    def wait_for_port(self, port, seconds=60):
        """Whether the port is open before the process ends or the time is up."""
        deadline = time.monotonic() + seconds
        while self.is_alive and time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return True
            time.sleep(0.02)
        return False

    def wait_for_end(self, seconds):
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=seconds)
        return not self.is_alive

    def stop(self, kill=False, patience=30):
        """Ends it; false when it did not go in time and had to be killed."""
        went = True
        if self.is_alive:
            self.process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
            if not self.wait_for_end(patience):
                went = False
                self.process.kill()
                self.process.wait()
        self.log.close()
        return went

    def ending(self):
        """How it ended, in words."""
        code = self.process.poll()
        if code is None:
            return "is running"
        if code < 0:
            return f"ended by {signal.Signals(-code).name}"
        return f"ended with code {code}"

    def memory(self):
        """Its resident memory in MB."""
        with contextlib.suppress(OSError, IndexError, ValueError):
            with open(f"/proc/{self.process.pid}/status") as status:
                for line in status:
                    if line.startswith("VmRSS:"):
                        return int(line.split()[1]) // 1024
        return 0

    def tail(self, start=0, limit=20_000):
        """What it wrote since the log was `start` bytes long."""
        with contextlib.suppress(OSError):
            with open(self.log_path, "rb") as log:
                log.seek(0, os.SEEK_END)
                size = log.tell()
                log.seek(max(start, size - limit))
                return log.read().decode("utf-8", "replace")
        return ""

    def log_size(self):
        with contextlib.suppress(OSError):
            return os.path.getsize(self.log_path)
        return 0


def run(arguments, environment, seconds=60):
    """Runs a command to its end: (code, standard output, standard error); code None is a timeout."""
    try:
        done = subprocess.run(
            [BINARY, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            env={**os.environ, "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no", **environment},
        )
    except subprocess.TimeoutExpired as late:
        return None, late.stdout or b"", late.stderr or b""
    return done.returncode, done.stdout, done.stderr
