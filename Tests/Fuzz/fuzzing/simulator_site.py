"""The push simulators under test, as programs of their own."""

import http.client
import json
import os
import socket
import ssl
import time
import urllib.parse

from . import program
from .site import QUIET
from .verdict import Answer, Fault

SERVICES = ["apns", "fcm", "webpush"]


def context(protocols):
    """What a connection needs; whose certificate it is does not matter here."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    made.set_alpn_protocols(protocols)
    return made


class SimulatorSite:
    """Three programs; they keep nothing, so a restart begins from nothing."""

    def __init__(self, folder):
        self.folder = folder
        self.ports = {service: program.free_port() for service in SERVICES}
        self.programs = {}
        self.slowest, self.memory_peak = (0.0, ""), 0
        self.secrets = {}
        # Made once: to read the system's authorities takes longer than a conversation.
        self.contexts = {True: context(["h2"]), False: context(["http/1.1"])}

    def log_path(self, service):
        return os.path.join(self.folder, f"{service}.log")

    def start(self, backtrace=False):
        for service in SERVICES:
            self.programs[service] = program.Program(
                ["simulate", service, "--listen", f"127.0.0.1:{self.ports[service]}"],
                self.log_path(service),
                backtrace=backtrace,
            )
        for service in SERVICES:
            if not self.programs[service].wait_for_port(self.ports[service]):
                said = self.programs[service].tail()
                return Fault("lasting", f"the start of {service}", said)
        return None

    def stop(self, kill=False):
        # Not a list that is read lazily: each of them has to be told.
        return all([one.stop(kill, patience=15) for one in self.programs.values()])

    def save(self, name):
        pass

    def restore(self, name):
        pass

    def connect(self, service, is_http2=True):
        plain = socket.create_connection(("127.0.0.1", self.ports[service]), timeout=10)
        return self.contexts[is_http2].wrap_socket(plain, server_hostname="127.0.0.1")

    def ask(self, service, method, path, data=None, headers=None):
        """A proper request over HTTP/1.1."""
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.ports[service], timeout=20, context=self.contexts[False]
        )
        try:
            connection.request(method, path, body=data, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def control(self, service, method, path, body):
        status, said = self.ask(
            service,
            method,
            f"/simulator/{path}",
            json.dumps(body),
            {"Content-Type": "application/json"},
        )
        if status >= 300:
            raise RuntimeError(f"{service} {path}: {status} {said[:300]}")
        return json.loads(said) if said else {}

    def exchange_token(self, assertion):
        form = urllib.parse.urlencode(
            {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion}
        )
        status, said = self.ask(
            "fcm", "POST", "/token", form, {"Content-Type": "application/x-www-form-urlencoded"}
        )
        if status != 200:
            raise RuntimeError(f"fcm /token: {status} {said[:300]}")
        return json.loads(said)["access_token"]

    def converse(self, conversation):
        started, heard = time.monotonic(), b""
        try:
            with self.connect(conversation.service) as connection:
                connection.settimeout(5)
                for piece in conversation.pieces:
                    connection.sendall(piece)
                connection.settimeout(QUIET)
                while len(heard) < 1 << 20:
                    part = connection.recv(65_536)
                    if not part:
                        break
                    heard += part
        except (OSError, ssl.SSLError):
            # It may hang up on what breaks the protocol.
            pass
        seconds = time.monotonic() - started
        if seconds > self.slowest[0]:
            self.slowest = (seconds, conversation.name)
        return Answer(200, body=heard[:1_000], seconds=seconds)

    def ended(self, place):
        for service, running in self.programs.items():
            if not running.is_alive:
                return Fault(
                    "ended", f"{service} simulator", f"{running.ending()}\n{running.tail()}"
                )
        return None

    def judge(self, answer, place):
        memory = sum(one.memory() for one in self.programs.values())
        self.memory_peak = max(self.memory_peak, memory)
        return self.ended(place)

    def sweep(self, random, seconds):
        """What they say of themselves still has to be readable."""
        faults = []
        for service in SERVICES:
            try:
                status, said = self.ask(service, "GET", "/simulator/accepted")
                json.loads(said)
                if status != 200:
                    faults.append(Fault("unreadable", f"{service} accepted", f"{status}"))
            except (OSError, ValueError, http.client.HTTPException) as problem:
                faults.append(Fault("unreadable", f"{service} accepted", repr(problem)))
        return faults
