"""Codes of pyotp against the console's second factor."""

import contextlib
import html
import http.cookiejar
import os
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from support import BIN, check, database, free_port


class Browser:
    """Keeps cookies, follows redirections, and knows the fields of the last page."""

    def __init__(self, url):
        self.url = url
        jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        self.path = self.text = ""

    def ask(self, path, fields=None):
        data = None if fields is None else urllib.parse.urlencode(fields).encode()
        try:
            answer = self.opener.open(self.url + path, data, timeout=20)
        except urllib.error.HTTPError as error:
            answer = error
        self.path = urllib.parse.urlsplit(answer.geturl()).path
        self.text = html.unescape(answer.read().decode())
        return answer.status

    def field(self, name):
        return re.search(f'name="{name}" value="([^"]*)"', self.text)[1]

    def log_in(self, email, password):
        self.ask("/console/login")
        fields = {"email": email, "password": password, "token": self.field("token")}
        self.ask("/console/login", fields)

    def enter(self, code):
        return self.ask("/console/login/code", {"token": self.field("token"), "code": code})


@contextlib.contextmanager
def console():
    """A server, and a member with a password."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ, "NOROSHI_DATABASE": database(folder),
            "NOROSHI_LOG_LEVEL": "warning",
        }
        server = os.path.join(BIN, "noroshi-server")
        email = "ada@example.com"
        made = subprocess.run(
            [server, "member", "create", "--name", "Ada", "--email", email],
            env=environment, capture_output=True, text=True, check=True,
        )
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        process = subprocess.Popen(
            [server, "serve", "--listen", f"127.0.0.1:{port}"], env=environment
        )
        try:
            deadline = time.monotonic() + 60
            while True:
                check(process.poll() is None, "the server ended at once")
                with contextlib.suppress(OSError):
                    urllib.request.urlopen(f"{url}/ready", timeout=1).close()
                    break
                check(time.monotonic() < deadline, "the server did not start")
                time.sleep(0.05)
            yield url, email, made.stdout.split()[-1]
        finally:
            process.terminate()
            process.wait()


def totp_pyotp():
    import pyotp

    with console() as (url, email, password):
        browser = Browser(url)
        browser.log_in(email, password)
        browser.ask("/console/account/second-factor")
        csrf = browser.field("csrf")
        step = "/console/account/second-factor/"
        browser.ask(step + "begin", {"csrf": csrf, "present": password})
        link = re.search(r'href="(otpauth://[^"]+)"', browser.text)[1]
        app = pyotp.parse_uri(link)
        check(app.name == email, f"the account is {app.name}")
        check(app.issuer.startswith("Noroshi "), f"the issuer is {app.issuer}")
        # Not at the end of a period, which would be over before the code arrives.
        while time.time() % 30 > 20:
            time.sleep(0.5)
        now = int(time.time())
        # The code of the period before, so that the present one is left for signing in.
        browser.ask(step + "confirm", {"csrf": csrf, "code": app.at(now - 30)})
        codes = re.search(r'<pre id="recovery-codes">([^<]+)<', browser.text)[1].split("\n")
        check(len(codes) == 10, f"{len(codes)} recovery codes")

        other = Browser(url)
        other.log_in(email, password)
        check(other.path == "/console/login/code", f"after the password comes {other.path}")
        far = app.at(now + 3600)
        check(other.enter(far) == 422, "the code of an hour later was accepted")
        code = app.now()
        other.enter(code)
        check(other.path == "/console", f"after the code comes {other.path}")

        third = Browser(url)
        third.log_in(email, password)
        check(third.enter(code) == 422, "a code was accepted twice")
        third.enter(codes[0])
        check(third.path == "/console", "a recovery code was refused")
        return "set up by its link, signed in, a code twice and a far one refused"
