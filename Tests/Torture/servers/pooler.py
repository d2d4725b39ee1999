"""A pgbouncer that gives each transaction another connection."""
import os
import shutil
import signal
import subprocess

from postgres import as_postgres, free_port, psql, until

PROGRAM = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin")


class Pooler:
    """Between the servers and the primary. Whoever moves the primary tells it where the new one is."""

    def __init__(self, folder, primary):
        if not PROGRAM:
            raise SystemExit("pgbouncer is not installed: apt-get install pgbouncer")
        self.folder, self.port = folder, free_port()
        user = as_postgres(folder)
        self.write(primary)
        self.process = subprocess.Popen([PROGRAM, f"{folder}/pgbouncer.ini"], cwd=folder,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **user)
        until("pgbouncer answers", lambda: self.answers(), seconds=30)

    @property
    def address(self):
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def answers(self):
        try:
            return psql(self.address, "SELECT 1", timeout=10) == [["1"]]
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
            return False

    def write(self, port):
        # Fewer connections than the servers have to it.
        with open(f"{self.folder}/pgbouncer.ini", "w") as file:
            file.write(f"""[databases]
* = host=127.0.0.1 port={port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {self.port}
auth_type = any
pool_mode = transaction
default_pool_size = 8
max_client_conn = 500
server_round_robin = 1
server_login_retry = 1
logfile = {self.folder}/log
unix_socket_dir = {self.folder}
""")

    def point(self, port):
        """Leads to another primary from now on; connections to the former one end with their transactions."""
        self.write(port)
        self.process.send_signal(signal.SIGHUP)

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=60)
