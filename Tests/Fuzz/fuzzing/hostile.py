"""A push service that does not keep to the protocol, for the server's own clients."""

import os
import socket
import ssl
import subprocess
import threading
import time

from . import frames

SETTLE = 0.03


class HostileService:
    """Listens with TLS; each connection hears the pieces that are set at that time."""

    def __init__(self, folder):
        self.authority = os.path.join(folder, "hostile.pem")
        key = os.path.join(folder, "hostile.key")
        subprocess.run(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-keyout",
                key,
                "-out",
                self.authority,
                "-days",
                "30",
                "-subj",
                "/CN=127.0.0.1",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
            ],
            check=True,
            capture_output=True,
        )
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.authority, key)
        self.context.set_alpn_protocols(["h2"])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.pieces, self.waits = [], 0
        self.served = threading.Event()
        self.connections = 0
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            plain, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(plain,), daemon=True).start()

    def serve(self, plain):
        pieces = list(self.pieces)
        self.connections += 1
        try:
            plain.settimeout(3)
            with self.context.wrap_socket(plain, server_side=True) as connection:
                connection.sendall(frames.settings([(3, 100)]))
                self.hear_request(connection)
                for index, piece in enumerate(pieces):
                    connection.sendall(piece)
                    if index == 0 and self.waits:
                        self.hear_request(connection)
                time.sleep(SETTLE)
        except (OSError, ssl.SSLError):
            # The client may hang up on what breaks the protocol.
            pass
        finally:
            self.served.set()

    @staticmethod
    def hear_request(connection):
        """Waits for the header block of a request."""
        connection.settimeout(1)
        heard = b""
        until = time.monotonic() + 1
        while time.monotonic() < until:
            part = connection.recv(65_536)
            heard += part
            place = 24 if heard.startswith(frames.PREFACE) else 0
            while place + 9 <= len(heard):
                if heard[place + 3] == frames.HEADERS:
                    return
                place += 9 + int.from_bytes(heard[place : place + 3], "big")
            if not part:
                return
