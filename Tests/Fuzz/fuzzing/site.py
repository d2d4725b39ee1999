"""The server under test: a folder with its files, its process, and requests to it."""

import contextlib
import html
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.parse

from . import program
from .inputs import FormBody, JSONBody, Request
from .verdict import Answer, Fault, judge

BUNDLE = "example.fuzz"
TEAM, PUSH_KEY = "TEAM123456", "KEY1234567"
KEYS = 8
# Who sends with the key of which app.
APPS = ["sdk", "android", "web"]
# Reported when an answer takes longer; an answer that never comes is a fault.
PATIENCE = 60
LARGEST_ANSWER = 32 << 20
# So long a server is waited for that talks to the hostile service.
PROVOKED = 1.5
# Writing down where it ended takes a process longer than ending.
TELLING = 90
# A connection that says nothing for so many seconds has said what it had to say.
QUIET = 0.08


class Site:
    """A server over files that are kept through restarts.

    `push` stands in for Apple's service: it has a port and an authority to trust. `hostile` stands
    in for all providers' services.
    """

    def __init__(self, folder, push=None, hostile=None):
        self.folder = folder
        self.live = os.path.join(folder, "live")
        self.log_path = os.path.join(folder, "server.log")
        self.push, self.hostile, self.targets = push, hostile, {}
        self.port = program.free_port()
        self.program = None
        self.connection = None
        self.secrets = {"keys": [], "sdk": [], "sessions": {}, "passwords": {}}
        self.slowest = (0.0, "")
        self.memory_peak = 0
        self.turn = 0

    # Files

    def environment(self):
        return {
            "NOROSHI_DATABASE": f"sqlite:{self.live}/noroshi.sqlite",
            "NOROSHI_LOG_LEVEL": "warning",
        }

    def save(self, name):
        """Keeps the files of a server that is not running."""
        target = os.path.join(self.folder, name)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.live, target)

    def restore(self, name):
        shutil.rmtree(self.live, ignore_errors=True)
        shutil.copytree(os.path.join(self.folder, name), self.live)

    def hand_over(self, folder):
        """Copies the files of a server that is not running, and who may use it."""
        shutil.copytree(self.live, os.path.join(folder, "files"))
        shutil.copy(os.path.join(self.folder, "AuthKey.p8"), folder)
        with open(os.path.join(folder, "secrets.json"), "w") as file:
            json.dump(self.secrets, file)

    def adopt(self, folder):
        """Begins with the files that another site handed over."""
        shutil.copytree(os.path.join(folder, "files"), self.live, dirs_exist_ok=True)
        shutil.copy(os.path.join(folder, "AuthKey.p8"), self.folder)
        with open(os.path.join(folder, "secrets.json")) as file:
            self.secrets = json.load(file)

    # Process

    def start(self, backtrace=False):
        """Starts the server; the fault when it does not become ready."""
        arguments = [
            "serve",
            "--listen",
            f"127.0.0.1:{self.port}",
            "--track-limit",
            "1000000000",
            "--export-limit",
            "1000000000",
            "--request-limit",
            "1000000000",
            "--push-deadline",
            "3",
            "--synchronous",
            "normal",
        ]
        for service in ("apns", "fcm", "webpush"):
            # Nobody listens at port 9: no push ever leaves this machine.
            push = self.hostile or (self.push if service == "apns" else None)
            arguments += [f"--{service}-server", f"127.0.0.1:{push.port if push else 9}"]
            if push:
                arguments += [f"--{service}-authority", push.authority]
        self.hang_up()
        self.telling = TELLING if backtrace else 1
        begin = self.log_start = (
            os.path.getsize(self.log_path) if os.path.exists(self.log_path) else 0
        )
        self.program = program.Program(arguments, self.log_path, self.environment(), backtrace)
        deadline = time.monotonic() + PATIENCE
        if self.program.wait_for_port(self.port, PATIENCE):
            while self.program.is_alive and time.monotonic() < deadline:
                answer = self.call(Request("nobody", "GET", "/ready"))
                if answer.status == 200:
                    return None
                time.sleep(0.05)
        detail = f"{self.program.ending()}\n{self.program.tail(begin)}"
        return Fault("lasting", "the start on the same files", detail)

    def stop(self, kill=False):
        self.hang_up()
        if self.program is None:
            return True
        went = self.program.stop(kill)
        self.program = None
        return went

    def hang_up(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def ended(self, place, answer=None):
        """The fault of a process that is not there any more, or None."""
        if answer is not None and answer.failure:
            # One that has just ended is not known as ended at once, least of all while it tells.
            self.program.wait_for_end(self.telling)
        if self.program.is_alive:
            return None
        self.program.wait_for_end(30)
        return Fault(
            "ended", place, f"{self.program.ending()}\n{self.program.tail(self.log_start)}"
        )

    # Requests

    def headers(self, request):
        # With several keys no limit of one of them gets in the way.
        self.turn += 1
        if request.who == "key" and self.secrets["keys"]:
            return {"Authorization": f"Bearer {self.secrets['keys'][self.turn % KEYS]}"}
        if request.who in APPS:
            return {"Authorization": f"Bearer {self.secrets['sdk'][APPS.index(request.who)]}"}
        if request.who in self.secrets["sessions"]:
            return {"Cookie": f"noroshi_session={self.secrets['sessions'][request.who][0]}"}
        return {}

    def call(self, request, patience=PATIENCE):
        session = self.secrets["sessions"].get(request.who)
        headers = self.headers(request)
        data = None
        if request.body is not None:
            data, headers["Content-Type"] = request.body.content(session[1] if session else None)
        headers.update(request.headers)
        begin = self.program.log_size()
        started = time.monotonic()
        answer = self.exchange(request.method, request.target, data, headers, patience)
        answer.seconds = time.monotonic() - started
        if answer.seconds > self.slowest[0]:
            self.slowest = (answer.seconds, request.name)
        if answer.status >= 500:
            answer.log = self.program.tail(begin)
        return answer

    def exchange(self, method, target, data, headers, patience=PATIENCE):
        for attempt in (1, 2):
            is_fresh = self.connection is None
            if is_fresh:
                self.connection = http.client.HTTPConnection(
                    "127.0.0.1", self.port, timeout=PATIENCE
                )
            try:
                if self.connection.sock is not None:
                    self.connection.sock.settimeout(patience)
                self.connection.timeout = patience
                self.connection.request(method, target, body=data, headers=headers)
                response = self.connection.getresponse()
                fields = {name.title(): value for name, value in response.getheaders()}
                if fields.get("Content-Type", "").startswith("text/event-stream"):
                    # It has no end.
                    self.hang_up()
                    return Answer(response.status, fields)
                body = response.read(LARGEST_ANSWER)
                if response.will_close or len(body) == LARGEST_ANSWER:
                    self.hang_up()
                return Answer(response.status, fields, body)
            except TimeoutError:
                self.hang_up()
                return Answer(failure=f"no answer within {patience} s")
            except (OSError, http.client.HTTPException) as problem:
                self.hang_up()
                # A connection that was kept open may end between two requests.
                if attempt == 2 or not self.program.is_alive:
                    return Answer(failure=f"no answer: {type(problem).__name__} {problem}")
        return Answer(failure="no answer")

    def command(self, command):
        folder = os.path.join(self.folder, "files")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for name, data in command.files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        arguments = [
            os.path.join(folder, word.strip("{}")) if word.startswith("{") else word
            for word in command.arguments
        ]
        code, output, errors = program.run(arguments, self.environment(), PATIENCE)
        said = (output + errors).decode("utf-8", "replace")
        if code is None:
            return Answer(failure=f"the command did not end within {PATIENCE} s")
        if code < 0 or code > 128:
            return Answer(failure=f"the command ended by signal {-code}\n{said[-4000:]}")
        return Answer(200 if code == 0 else 400, body=output + errors)

    def converse(self, conversation):
        """Says bytes over a connection of their own; listens until it is quiet."""
        if self.hostile:
            return self.provoke(conversation)
        begin, heard = self.program.log_size(), b""
        started = time.monotonic()
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
                for piece in conversation.pieces:
                    connection.sendall(self.filled(piece))
                    time.sleep(0.002)
                connection.settimeout(QUIET)
                while len(heard) < LARGEST_ANSWER:
                    part = connection.recv(65_536)
                    if not part:
                        break
                    heard += part
        except OSError:
            # It may hang up on what it does not understand, and need not answer.
            pass
        said = [int(code) for code in re.findall(rb"HTTP/1\.[01] (\d{3}) ", heard)]
        answer = Answer(
            max(said, default=0), body=heard[:2_000], seconds=time.monotonic() - started
        )
        if answer.status >= 500:
            answer.log = self.program.tail(begin)
        return answer

    def filled(self, piece):
        """Bytes with this site's keys, so that a kept case fits any site."""
        keys = {b"{{KEY}}": self.secrets["keys"][0], b"{{SDK_KEY}}": self.secrets["sdk"][0]}
        for name, key in keys.items():
            piece = piece.replace(name, key.encode())
        return piece

    def provoke(self, conversation):
        """Makes the server call the hostile service, which says these bytes."""
        service = conversation.service.split("-")[0]
        self.hostile.pieces, self.hostile.waits = conversation.pieces, conversation.service == "fcm"
        self.hostile.served.clear()
        self.turn += 1
        if service == "webpush" or self.turn % 8 == 0:
            user, message = ("bob", "web_push") if service == "webpush" else ("ada", "apple_push")
            body = {
                "external_user_ids": [user],
                "messages": {message: {"alert": "a", "title": "b"}},
            }
            if message == "apple_push":
                body["messages"][message].pop("title")
            answer = self.call(Request("key", "POST", "/messages/send", body=JSONBody(body)))
        else:
            path = f"/console/settings/apps/{self.targets[service]}/test"
            # It waits out what the service leaves open; what has been said has been said by then.
            request = Request("admin", "POST", path, body=FormBody([]))
            answer = self.call(request, patience=PROVOKED)
            if answer.failure and self.program.is_alive:
                answer = Answer()
        # The push may be sent a little later, and be held back after faults.
        self.hostile.served.wait(timeout=0.5)
        time.sleep(0.01)
        return answer

    def judge(self, answer, place):
        self.memory_peak = max(self.memory_peak, self.program.memory())
        return self.ended(place, answer) or judge(answer, place)

    # Accounts

    def run(self, *arguments):
        """Runs a command of the server; the last line it prints."""
        code, output, errors = program.run(arguments, self.environment())
        if code != 0:
            raise RuntimeError(f"{arguments}: {errors.decode('utf-8', 'replace')}")
        lines = output.decode().strip().splitlines()
        return lines[-1] if lines else ""

    def set_up(self):
        """Makes the files: apps, keys, members and what push providers want to see."""
        os.makedirs(self.live)
        for name, platform, bundle in (
            ("Tea", "ios", BUNDLE),
            ("Tea for Android", "android", "example-fuzz"),
            ("Tea on the web", "web", "https://tea.example"),
        ):
            self.secrets["sdk"].append(
                self.run(
                    "app", "create", "--name", name, "--bundle-id", bundle, "--platform", platform
                )
            )
        path = signing_key(self.folder)
        self.run(
            "credentials",
            "apns",
            "--app",
            BUNDLE,
            "--p8",
            path,
            "--key-id",
            PUSH_KEY,
            "--team-id",
            TEAM,
        )
        self.run(
            "credentials",
            "vapid",
            "--app",
            "https://tea.example",
            "--contact",
            "mailto:tea@tea.example",
            "--site",
            "https://tea.example",
        )
        for number in range(KEYS):
            self.secrets["keys"].append(
                self.run("apikey", "create", "--name", f"fuzz {number}", "--permissions", "*")
            )
        for role in ("administrator", "marketer", "viewer"):
            self.secrets["passwords"][role] = self.run(
                "member",
                "create",
                "--name",
                role,
                "--email",
                f"{role}@fuzz.example",
                "--role",
                role,
            )
        self.secrets["group"] = self.run(
            "subscription-group", "create", "--name", "Letter", "--channel", "email"
        )

    def sign_in(self, who, role=None):
        """Opens a session and learns its form token."""
        role = role or {"admin": "administrator"}.get(who, who)
        page = self.exchange("GET", "/console/login", None, {})
        token = field(page.text, "token")
        cookie = page.headers.get("Set-Cookie", "").split(";")[0]
        form = urllib.parse.urlencode(
            {
                "email": f"{role}@fuzz.example",
                "password": self.secrets["passwords"][role],
                "token": token,
            }
        )
        answer = self.exchange(
            "POST",
            "/console/login",
            form.encode(),
            {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"},
        )
        session = re.search(r"noroshi_session=([^;]+)", answer.headers.get("Set-Cookie", ""))
        if session is None:
            raise RuntimeError(f"the sign-in of {role} was refused: {answer.status}")
        self.secrets["sessions"][who] = (session[1], "")
        page = self.call(Request(who, "GET", "/console"))
        self.secrets["sessions"][who] = (session[1], field(page.text, "csrf"))

    def is_signed_out(self, answer):
        return "/console/login" in answer.headers.get("Location", "")

    def post(self, path, body, who="key"):
        """A request that has to succeed while the files are made."""
        answer = self.call(Request(who, "POST", path, body=body))
        if answer.status >= 400 or answer.failure:
            plain = re.sub(r"<[^>]+>|\s+", " ", answer.text)
            raise RuntimeError(f"{path}: {answer.status} {answer.failure} {plain[-1500:]}")
        return json.loads(answer.body) if answer.body[:1] == b"{" else answer

    def form(self, path, fields, files=()):
        return self.post(path, FormBody(fields, files), who="admin")


def field(page, name):
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    return html.unescape(found[1]) if found else ""


def signing_key(folder):
    """A key as Apple gives it out (.p8), made by openssl."""
    path = os.path.join(folder, "AuthKey.p8")
    with contextlib.suppress(FileExistsError):
        os.makedirs(folder)
    key = subprocess.run(
        ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout"],
        check=True,
        capture_output=True,
    ).stdout
    with open(path, "wb") as file:
        file.write(
            subprocess.run(
                ["openssl", "pkcs8", "-topk8", "-nocrypt"],
                input=key,
                check=True,
                capture_output=True,
            ).stdout
        )
    return path
