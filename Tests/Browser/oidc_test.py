"""Members sign in to the console with a real OpenID Connect provider, the package oidc-provider-mock."""
import http.cookiejar
import json
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

import databases
from support import BrowserTest

SERVER = os.environ.get("NOROSHI_SERVER_BINARY", "")
PROVIDER = os.environ.get("NOROSHI_OIDC_PROVIDER", "")
PEOPLE = [
    {"sub": "ada-7", "email": "ada@example.com", "email_verified": True, "name": "Ada Sato"},
    {"sub": "eve-1", "email": "eve@example.org", "email_verified": True, "name": "Eve"},
    {"sub": "mallory", "email": "ada@example.com", "email_verified": False, "name": "Mallory"},
    {"sub": "kai-3", "email": "kai@tea.example", "email_verified": True, "name": "Kai Mori"},
]


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(address):
    for _ in range(200):
        try:
            return urllib.request.urlopen(address, timeout=2)
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"{address} does not answer")


@unittest.skipUnless(SERVER and PROVIDER, "needs a server and a provider of its own")
class OpenIDConnect(BrowserTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder = pathlib.Path(cls.folder.name)
        cls.database = databases.address(folder / "test.sqlite")
        cls.environment = {**os.environ, "NOROSHI_OPENID_ALLOW": "127.0.0.1"}
        cls.issuer = f"http://127.0.0.1:{free_port()}"
        cls.console = f"http://127.0.0.1:{free_port()}"
        cls.run_beside(
            [PROVIDER, "-m", "oidc_provider_mock", "--require-registration",
             "--port", cls.issuer.rsplit(":", 1)[1], "--host", "127.0.0.1",
             *[part for person in PEOPLE for part in ("--user-claims", json.dumps(person))]],
            folder / "provider.log", {**os.environ, "AUTHLIB_INSECURE_TRANSPORT": "1"})
        wait_for(cls.issuer + "/.well-known/openid-configuration")
        created = cls.command("member", "create", "--email", "ada@example.com", "--name", "Ada")
        cls.password = created.splitlines()[-1]
        redirect = re.search(r"/console/login/openid/\d+/return", cls.command("member", "oidc", "show"))
        client = cls.register(cls.console + redirect.group(0))
        cls.secret = folder / "secret"
        cls.secret.write_text(client["client_secret"])
        cls.client = client["client_id"]
        cls.run_beside(
            [SERVER, "serve", "--database", cls.database,
             "--listen", cls.console.removeprefix("http://")],
            folder / "server.log", cls.environment)
        wait_for(cls.console + "/ready")

    @classmethod
    def run_beside(cls, arguments, log, environment):
        with open(log, "wb") as output:
            process = subprocess.Popen(arguments, stdout=output, stderr=output, env=environment)
        cls.addClassCleanup(process.wait)
        cls.addClassCleanup(process.terminate)

    @classmethod
    def command(cls, *arguments):
        result = subprocess.run(
            [SERVER, *arguments, "--database", cls.database], env=cls.environment,
            capture_output=True, text=True, check=False)
        if result.returncode:
            raise RuntimeError(result.stdout + result.stderr)
        return result.stdout

    @classmethod
    def register(cls, redirect):
        """A client at the provider, which takes no other address to come back to."""
        request = urllib.request.Request(
            cls.issuer + "/oauth2/clients", method="POST",
            headers={"Content-Type": "application/json"},
            data=json.dumps({"redirect_uris": [redirect]}).encode())
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def set_up(self, *arguments):
        self.command(
            "member", "oidc", "set", "--name", "Tea ID", "--issuer", self.issuer,
            "--client-id", self.client, "--secret-file", str(self.secret), *arguments)
        self.addCleanup(self.command, "member", "oidc", "remove")

    def begin(self, browser):
        browser.get(self.console + "/console/login")
        self.find(browser, "a.provider").click()
        self.wait(browser, lambda: browser.current_url.startswith(self.issuer))

    def let_in(self, browser, subject):
        self.find(browser, f"button[value='{subject}']").click()
        self.wait(browser, lambda: browser.current_url.startswith(self.console))

    def sign_in(self, browser, subject):
        self.begin(browser)
        self.let_in(browser, subject)

    def test_an_administrator_sets_it_up_and_a_member_signs_in(self):
        browser = self.open()
        os.environ.update({"NOROSHI_OIDC_EMAIL": "ada@example.com",
                           "NOROSHI_OIDC_PASSWORD": self.password})
        self.log_in(browser, self.console, "oidc")
        browser.get(self.console + "/console/settings/single-sign-on")
        self.check_page(browser, "single sign-on, none yet")
        self.check_keyboard(browser, "single sign-on")
        self.find(browser, "#name").send_keys("Tea ID")
        self.find(browser, "#issuer").send_keys(self.issuer + "/nowhere")
        self.find(browser, "button[formaction]").click()
        self.assertIn("answered 404", self.text(browser, "#result"))
        self.check_page(browser, "single sign-on, wrong issuer")
        self.find(browser, "#issuer").clear()
        self.find(browser, "#issuer").send_keys(self.issuer)
        self.find(browser, "button[formaction]").click()
        self.wait(browser, lambda: "Works" in self.text(browser, "#result"))
        self.picture(browser, "single-sign-on")
        self.find(browser, "#client_id").send_keys(self.client)
        self.find(browser, "#secret").send_keys(self.secret.read_text())
        self.find(browser, ".form-actions .primary").click()
        self.wait(browser, lambda: "The provider is saved." in self.text(browser, "main"))
        self.addCleanup(self.command, "member", "oidc", "remove")

        browser.delete_all_cookies()
        browser.get(self.console + "/console/login?back=%2Fconsole%2Fsegments")
        self.check_page(browser, "login with a provider")
        self.picture(browser, "login-provider")
        self.find(browser, "a.provider").click()
        self.wait(browser, lambda: browser.current_url.startswith(self.issuer))
        self.let_in(browser, "ada-7")
        self.wait(browser, lambda: browser.current_url == self.console + "/console/segments")
        browser.get(self.console + "/console/settings/audit")
        self.assertIn("OpenID Connect: Tea ID", self.text(browser, "main"))
        browser.get(self.console + "/console/settings/team")
        self.find(browser, "main tbody a").click()
        self.assertIn("ada-7", self.text(browser, "main"))
        # What the provider's own page lacked is not the console's.
        browser.get_log("browser")
        browser.refresh()
        self.check_page(browser, "a member with a provider")

    def test_strangers_stay_outside_in_each_language(self):
        self.set_up()
        for language, text in (("en", "Nobody here has the address eve@example.org."),
                               ("ja", "eve@example.org のメンバーはいません。"),
                               ("pt-BR", "Não há membro com o endereço eve@example.org.")):
            browser = self.open(language)
            self.sign_in(browser, "eve-1")
            self.assertIn(text, self.text(browser, ".faults"))
            # The answer itself says 403, which the browser mentions as an error of the page.
            browser.get_log("browser")
            self.check_page(browser, f"refused, {language}")
            browser.get(self.console + "/console")
            self.assertIn("/console/login", browser.current_url)

    def test_an_address_that_is_not_verified_is_nobodys(self):
        self.set_up()
        browser = self.open()
        self.sign_in(browser, "mallory")
        self.assertIn("does not confirm", self.text(browser, ".faults"))

    def test_who_declines_at_the_provider_is_told_so(self):
        self.set_up()
        browser = self.open()
        self.begin(browser)
        self.find(browser, "button[value=deny]").click()
        self.wait(browser, lambda: browser.current_url.startswith(self.console))
        self.assertIn("/console/login", browser.current_url)
        self.assertTrue(self.text(browser, ".faults"))

    def test_people_of_a_domain_become_members(self):
        self.set_up("--domains", "tea.example", "--newcomer-role", "marketer")
        browser = self.open()
        self.sign_in(browser, "kai-3")
        self.wait(browser, lambda: browser.current_url == self.console + "/console")
        browser.get(self.console + "/console/account")
        self.assertIn("kai@tea.example", self.text(browser, "main"))

    def test_an_answer_is_good_in_the_browser_that_began_and_once(self):
        self.set_up()
        victim, attacker = self.open(), self.open()
        # The attacker's own answer is kept from the attacker's browser, for the victim to open.
        self.begin(attacker)
        answer = self.answer(attacker.current_url, "ada-7")
        self.begin(victim)
        victim.get(answer)
        self.assertIn("Start again.", self.text(victim, ".faults"))
        victim.get(self.console + "/console")
        self.assertIn("/console/login", victim.current_url)
        # Changed on the way, it is good nowhere; as it was, once.
        attacker.get(answer.replace("state=", "state=x"))
        self.assertIn("Start again.", self.text(attacker, ".faults"))
        attacker.get(answer)
        self.wait(attacker, lambda: attacker.current_url == self.console + "/console")
        attacker.delete_all_cookies()
        attacker.get(answer)
        self.assertIn("Start again.", self.text(attacker, ".faults"))

    def test_a_token_with_another_nonce_opens_nothing(self):
        self.set_up()
        browser = self.open()
        self.begin(browser)
        # As if a code of another sign-in had been put in: it brings that one's nonce.
        address = urllib.parse.urlsplit(browser.current_url)
        query = dict(urllib.parse.parse_qsl(address.query))
        query["nonce"] = "of-another-sign-in"
        changed = address._replace(query=urllib.parse.urlencode(query)).geturl()
        browser.get(self.answer(changed, "ada-7"))
        self.assertIn("did not work", self.text(browser, ".faults"))
        browser.get(self.console + "/console")
        self.assertIn("/console/login", browser.current_url)

    def test_where_it_is_the_only_way_the_command_line_leads_back(self):
        self.set_up("--only-way")
        browser = self.open()
        browser.get(self.console + "/console/login")
        self.assertEqual(browser.find_elements("css selector", "#password"), [])
        self.check_page(browser, "login with a provider only")
        self.picture(browser, "login-provider-only")
        self.command("member", "oidc", "set", "--no-only-way")
        os.environ.update({"NOROSHI_OIDC_EMAIL": "ada@example.com",
                           "NOROSHI_OIDC_PASSWORD": self.password})
        self.log_in(browser, self.console, "oidc")

    def answer(self, address, subject):
        """Where the provider sends a browser that came with an address and signed in."""
        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None

        opener = urllib.request.build_opener(
            Stay, urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        form = urllib.parse.urlencode({"sub": subject}).encode()
        try:
            opener.open(address, form)
        except urllib.error.HTTPError as error:
            return error.headers["Location"]
        raise AssertionError("the provider sends nobody back")
