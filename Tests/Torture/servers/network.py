"""The wire between one server and PostgreSQL, which can be cut without either end being told."""
import os
import selectors
import shutil
import socket
import subprocess
import threading

from postgres import free_port


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=30)


class Wire:
    """A network namespace with a pair of wires: one to PostgreSQL, one to everything else. While it is cut,
    packets are lost, and the kernels' time limits work as between two machines."""
    name = "a network namespace"

    @staticmethod
    def is_possible():
        if os.getuid() or not shutil.which("ip"):
            return False
        trial = f"nw{os.getpid()}t"
        try:
            ip("netns", "add", trial)
            ip("netns", "del", trial)
            return True
        except (OSError, subprocess.SubprocessError):
            return False

    def __init__(self):
        own = os.getpid()
        self.space = f"nw{own}"
        # Two networks that nobody else on the machine is likely to have.
        network = 100 + own % 150
        self.database_host, self.host = f"10.{network}.1.1", f"10.{network}.2.1"
        self.server_host = f"10.{network}.2.2"
        self.wires = [f"nw{own}d", f"nw{own}e"]
        ip("netns", "add", self.space)
        for wire, here, there in [(self.wires[0], self.database_host, f"10.{network}.1.2"),
                                  (self.wires[1], self.host, self.server_host)]:
            ip("link", "add", wire, "type", "veth", "peer", "name", f"{wire}p")
            ip("link", "set", f"{wire}p", "netns", self.space)
            ip("addr", "add", f"{here}/24", "dev", wire)
            ip("link", "set", wire, "up")
            ip("-n", self.space, "addr", "add", f"{there}/24", "dev", f"{wire}p")
            ip("-n", self.space, "link", "set", f"{wire}p", "up")
        ip("-n", self.space, "link", "set", "lo", "up")

    @property
    def database_hosts(self):
        return [self.database_host]

    def within(self):
        return ["ip", "netns", "exec", self.space]

    def places(self, ports):
        """Where the server finds the members of the database."""
        return [(self.database_host, port) for port in ports]

    def cut(self):
        ip("link", "set", self.wires[0], "down")

    def mend(self):
        ip("link", "set", self.wires[0], "up")

    def close(self):
        for wire in self.wires:
            subprocess.run(["ip", "link", "del", wire], capture_output=True, timeout=30)
        subprocess.run(["ip", "netns", "del", self.space], capture_output=True, timeout=30)


class Proxy:
    """Where there is no namespace: connections through this process, which stall. Both kernels believe that the
    other end is there, so that only the programs' own limits help."""
    name = "a proxy that stalls"
    host = server_host = "127.0.0.1"
    database_hosts = []

    def __init__(self):
        self.is_open = threading.Event()
        self.is_open.set()
        self.listeners = {}

    def within(self):
        return []

    def places(self, ports):
        return [("127.0.0.1", self.listen(port)) for port in ports]

    def listen(self, target):
        if target in self.listeners:
            return self.listeners[target].getsockname()[1]
        listener = socket.create_server(("127.0.0.1", free_port()))
        self.listeners[target] = listener

        def accept():
            while True:
                try:
                    client, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=self.join, args=(client, target), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        return listener.getsockname()[1]

    def join(self, client, target):
        self.is_open.wait()
        try:
            server = socket.create_connection(("127.0.0.1", target), timeout=5)
        except OSError:
            client.close()
            return
        server.settimeout(None)
        other = {client: server, server: client}
        with client, server, selectors.DefaultSelector() as ready:
            for end in other:
                ready.register(end, selectors.EVENT_READ)
            while True:
                for key, _ in ready.select():
                    self.is_open.wait()
                    try:
                        data = key.fileobj.recv(65_536)
                        if not data:
                            return
                        other[key.fileobj].sendall(data)
                    except OSError:
                        return

    def cut(self):
        self.is_open.clear()

    def mend(self):
        self.is_open.set()

    def close(self):
        self.mend()
        for listener in self.listeners.values():
            listener.close()
