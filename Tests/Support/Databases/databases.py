#!/usr/bin/env python3
"""The databases of tests in Python: files of SQLite or, where a run says so, databases of a PostgreSQL of its own.

    databases.py run COMMAND…     runs a command beside a PostgreSQL that ends with it
    databases.py address FILE     what a server is told to work on a database, as `address` below
"""
import base64
import contextlib
import os
import pathlib
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Torture" / "servers"))
from postgres import Member, free_port, programs, psql  # noqa: E402

# The address of the run's PostgreSQL without a database; tests work on SQLite where it is not set.
SERVER = os.environ.get("NOROSHI_TEST_POSTGRES", "")
NULL = "\\N"


def address(file):
    """What `--database` takes for a test's database: that file itself or, on PostgreSQL, a database of which
    the file holds the address."""
    file = pathlib.Path(file)
    if not SERVER:
        return f"sqlite:{file}"
    if not file.exists():
        name = f"test_{secrets.token_hex(8)}"
        psql(f"{SERVER}/postgres", f"CREATE DATABASE {name}")
        file.write_text(f"{SERVER}/{name}")
    return file.read_text()


def ask(file, sql):
    """The rows of a test's database that a query finds, as texts, and None where there is nothing."""
    place = address(file)
    if not SERVER:
        with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
            return [tuple(None if value is None else str(value) for value in row)
                    for row in database.execute(sql)]
    done = subprocess.run(
        ["psql", "-X", "-A", "-t", "-F", "\t", "-P", f"null={NULL}", "-v", "ON_ERROR_STOP=1", "-c", sql, place],
        check=True, capture_output=True, text=True)
    return [tuple(None if value == NULL else value for value in line.split("\t"))
            for line in done.stdout.splitlines()]


class Temporary(Member):
    """A PostgreSQL that forgets what a loss of power would take."""

    def create(self):
        super().create()
        with open(f"{self.data}/postgresql.conf", "a") as file:
            file.write("fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"
                       "max_wal_size = 256MB\nmin_wal_size = 32MB\n")


def roomy():
    """In memory where there is room, because a database is hundreds of small files."""
    memory = "/dev/shm"
    with contextlib.suppress(OSError):
        if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2 << 30:
            return memory
    return None


def run(words):
    """Runs a command beside a PostgreSQL, and gives the status with which it ends."""
    # Whoever ends this ends both.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="postgres-", dir=roomy()) as folder:
        os.chmod(folder, 0o755)
        postgres = Temporary(f"{folder}/server", free_port())
        postgres.create()
        postgres.start()
        try:
            key = pathlib.Path(folder, "noroshi.key")
            key.touch(mode=0o600)
            key.write_text(base64.b64encode(secrets.token_bytes(32)).decode())
            environment = {
                "NOROSHI_TEST_POSTGRES": f"postgres://postgres@127.0.0.1:{postgres.port}",
                # All servers of a database have the same one.
                "NOROSHI_SECRET_KEY_FILE": str(key),
                # Its programs are where Debian does not look for them.
                "PATH": f"{os.environ['PATH']}:{programs()}",
            }
            running = subprocess.Popen(words, env=os.environ | environment)
            try:
                return running.wait()
            finally:
                if running.poll() is None:
                    running.terminate()
                    running.wait(timeout=120)
        finally:
            postgres.stop()


def main(words):
    match words:
        case ["run", program, *rest]:
            return run([program, *rest])
        case ["address", file]:
            print(address(file))
            return 0
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
