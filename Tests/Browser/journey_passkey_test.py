"""A passkey is made, signs in without a password, and is refused to a page of another origin."""
import base64
import http.server
import json
import threading

from support import CONSOLE, EMAIL, PASSWORD, BrowserTest

# Passkeys are made for names of hosts, not for addresses.
SITE = CONSOLE.replace("127.0.0.1", "localhost")
AUTHENTICATOR = {"protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal",
                 "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
                 "automaticPresenceSimulation": True}
ASK = """
const [form, done] = [document.querySelector("form[data-passkey=use]"), arguments[0]];
fetch(form.dataset.challenge, { method: "POST", body: new URLSearchParams(new FormData(form)) })
  .then((response) => response.json()).then(done);
"""
ANSWER = """
const [asked, done] = arguments;
const bytes = (text) => Uint8Array.from(
  atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
navigator.credentials.get({ publicKey: { challenge: bytes(asked.challenge), rpId: asked.server,
  userVerification: "required" } }).then((used) => done(JSON.stringify({
    id: text(used.rawId), clientData: text(used.response.clientDataJSON),
    authenticatorData: text(used.response.authenticatorData),
    signature: text(used.response.signature) })), (error) => done(String(error)));
"""
SEND = """
const form = document.querySelector("form[data-passkey=use]");
form.elements.credential.value = arguments[0];
form.submit();
"""


class Passkey(BrowserTest):
    def elsewhere(self):
        """The address of a page of another origin on the same host."""
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>elsewhere</title>")

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://localhost:{server.server_port}/"

    def log_out(self, browser):
        browser.delete_all_cookies()
        browser.get(SITE + "/console/login")

    def test_a_passkey_opens_the_console_where_it_was_made_and_nowhere_else(self):
        browser = self.open()
        browser.execute_cdp_cmd("WebAuthn.enable", {})
        authenticator = browser.execute_cdp_cmd(
            "WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})["authenticatorId"]
        self.log_in(browser, SITE)
        browser.get(SITE + "/console/account/passkeys")
        self.check_page(browser, "passkeys, none yet")

        # A wrong password makes none.
        for password in ("not the password", PASSWORD):
            self.find(browser, "#passkey-name").clear()
            self.find(browser, "#passkey-name").send_keys("This laptop")
            self.find(browser, "#present").clear()
            self.find(browser, "#present").send_keys(password)
            self.find(browser, "form[data-passkey=make] .primary").click()
            if password != PASSWORD:
                self.assertIn("password", self.text(browser, "[data-passkey-fault]"))
        self.wait(browser, lambda: "This laptop" in self.text(browser, "main table"))
        self.picture(browser, "passkeys")
        browser.get_log("browser")
        self.check_page(browser, "passkeys")
        made = browser.execute_cdp_cmd(
            "WebAuthn.getCredentials", {"authenticatorId": authenticator})["credentials"]
        self.assertEqual([key["rpId"] for key in made], ["localhost"])

        self.log_out(browser)
        self.check_page(browser, "login with passkeys")
        self.picture(browser, "login-passkey")
        self.find(browser, "form[data-passkey=use] .button").click()
        self.wait(browser, lambda: browser.current_url == SITE + "/console")

        # A page on the same host but of another origin gets an answer of the authenticator; the
        # console does not take it.
        self.log_out(browser)
        asked = browser.execute_async_script(ASK)
        cookies = browser.get_cookies()
        browser.get(self.elsewhere())
        answer = browser.execute_async_script(ANSWER, asked)
        client = json.loads(self.decoded(json.loads(answer)["clientData"]))
        self.assertEqual(client["origin"].split(":")[1], "//localhost")
        browser.get(SITE + "/console/login")
        self.assertEqual(
            {cookie["value"] for cookie in cookies},
            {cookie["value"] for cookie in browser.get_cookies()})
        browser.execute_script(SEND, answer)
        self.wait(browser, lambda: "passkey=refused" in browser.current_url)
        self.assertIn("not accepted", self.text(browser, "form.login .faults"))

        # The same answer to the console's own page is taken, once.
        asked = browser.execute_async_script(ASK)
        answer = browser.execute_async_script(ANSWER, asked)
        browser.execute_script(SEND, answer)
        self.wait(browser, lambda: browser.current_url == SITE + "/console")
        self.log_out(browser)
        browser.execute_script(SEND, answer)
        self.wait(browser, lambda: "passkey=refused" in browser.current_url)

        # Whoever is not verified does not come in.
        browser.execute_cdp_cmd("WebAuthn.setUserVerified", {
            "authenticatorId": authenticator, "isUserVerified": False})
        browser.get(SITE + "/console/login")
        self.find(browser, "form[data-passkey=use] .button").click()
        self.assertIn("/console/login", browser.current_url)

        self.log_in(browser, SITE)
        browser.get(SITE + "/console/account/passkeys")
        self.find(browser, "main table form .danger").click()
        self.find(browser, "dialog[open] [data-question-yes]").click()
        self.wait(browser, lambda: not browser.find_elements("css selector", "main table"))

    @staticmethod
    def decoded(text):
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
