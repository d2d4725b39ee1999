"""The code of an authenticator app is asked for after the password; the app is RFC 6238, written here."""
import base64
import hashlib
import hmac
import os
import struct
import time
import urllib.parse

from selenium.webdriver.common.by import By

from own_server import OwnServerTest

PAGE = "/console/account/second-factor"
PERIOD = 30


class SecondFactor(OwnServerTest):
    def fill(self):
        self.member("Ada")

    def code(self, link, at):
        """What an app that has opened the link shows at a time."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(link).query))
        secret = asked["secret"] + "=" * (-len(asked["secret"]) % 8)
        digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", int(at) // PERIOD),
                          getattr(hashlib, asked.get("algorithm", "SHA1").lower())).digest()
        place = digest[-1] & 15
        number = struct.unpack(">I", digest[place:place + 4])[0] & 0x7FFFFFFF
        return str(number)[-int(asked.get("digits", 6)):].zfill(int(asked.get("digits", 6)))

    def await_new_period(self):
        # A period that is nearly over would end before the code arrives.
        while time.time() % PERIOD > PERIOD * 2 / 3:
            time.sleep(0.5)

    def enter_password(self):
        browser = self.browser
        browser.delete_all_cookies()
        self.go("/console/login")
        self.find(browser, "#email").send_keys(os.environ["NOROSHI_ADA_EMAIL"])
        self.find(browser, "#password").send_keys(os.environ["NOROSHI_ADA_PASSWORD"])
        self.find(browser, "form.login .primary").click()
        self.wait(browser, lambda: "/console/login/code" in browser.current_url)

    def enter(self, code):
        field = self.find(self.browser, "#code")
        field.clear()
        field.send_keys(code)
        self.find(self.browser, "form.login .primary").click()

    def is_in(self):
        return self.browser.current_url == self.console + "/console"

    def set_up(self):
        """The app's link, and the recovery codes."""
        browser = self.browser
        self.log_in(browser, self.console, "ada")
        self.go(PAGE)
        self.check_page(browser, "no second factor yet")
        self.find(browser, "#present").send_keys(os.environ["NOROSHI_ADA_PASSWORD"])
        self.find(browser, f"form[action='{PAGE}/begin'] .primary").click()
        link = self.find(browser, "a[href^='otpauth:']").get_attribute("href")
        self.check_page(browser, "a second factor to be confirmed")
        self.picture(browser, "second-factor")
        self.await_new_period()
        # That of the period before, so that the present one is left for signing in.
        self.find(browser, "#code").send_keys(self.code(link, time.time() - PERIOD))
        self.find(browser, f"form[action='{PAGE}/confirm'] .primary").click()
        codes = self.text(browser, "#recovery-codes").split("\n")
        self.check_page(browser, "recovery codes")
        return link, codes

    def test_a_code_opens_the_console_once_and_a_recovery_code_where_the_phone_is_lost(self):
        browser = self.browser
        link, recovery = self.set_up()
        self.assertEqual(len(recovery), 10)

        self.enter_password()
        self.check_page(browser, "the code of a second factor")
        self.picture(browser, "login-code")
        # The password alone opens nothing.
        self.go("/console/users")
        self.assertIn("/console/login", browser.current_url)
        self.enter_password()
        self.enter(self.code(link, time.time() + 3_600))
        self.find(browser, "#wrong")
        self.assertFalse(self.is_in())
        self.await_new_period()
        code = self.code(link, time.time())
        self.enter(code)
        self.wait(browser, self.is_in)

        self.enter_password()
        self.enter(code)
        self.find(browser, "#wrong")
        self.enter(recovery[0])
        self.wait(browser, self.is_in)
        self.enter_password()
        self.enter(recovery[0])
        self.find(browser, "#wrong")
        self.assertEqual(browser.find_elements(By.CSS_SELECTOR, "main .settings"), [])
