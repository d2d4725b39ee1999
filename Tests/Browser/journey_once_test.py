"""What was begun or saved once stays once, whatever a browser does with the form afterwards."""
import os
import pathlib
import re
import tempfile
import time
import unittest

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

import databases
from support import CONSOLE
from table import JourneyTest
from web_sdk_test import SERVER, Program, command

POST_AGAIN = """
const [address, fields, done] = arguments;
fetch(address, { method: "POST", body: new URLSearchParams(fields) })
  .then((answer) => done(answer.url), (error) => done(String(error)));
"""
STORED = """
const done = arguments[0];
fetch(location.href).then((answer) => answer.text()).then(done, (error) => done(String(error)));
"""
FIELDS = "return [...new FormData(document.querySelector(arguments[0]))]"


class OnceTest(JourneyTest):
    """Forms that are filled in and what became of them."""
    console = CONSOLE
    workspace = ""

    def setUp(self):
        self.browser = self.open()
        self.log_in(self.browser, self.console, self.workspace)
        # So that what is made in one run is not taken for that of another.
        self.stamp = str(time.time_ns())[-8:]

    def go(self, path):
        self.browser.get(self.console + path)

    def here(self):
        return self.browser.current_url.partition("?")[0]

    def value(self, selector):
        return self.find(self.browser, selector).get_attribute("value")

    def switch(self, language):
        buttons = self.browser.find_elements(By.CSS_SELECTOR, f".languages [value={language}]")
        self.browser.execute_script("arguments[0].click()", buttons[0])
        self.wait(self.browser, lambda: self.browser.execute_script(
            "return document.documentElement.lang") == language)

    def saved(self):
        self.wait(self.browser, lambda: "saved" in self.text(self.browser, "[data-saved]"))

    def rows(self, folder):
        """The links of a list, drafts and others."""
        self.go(f"/console/{folder}")
        links = self.browser.find_elements(By.CSS_SELECTOR, "tbody .row-link")
        return [(link.text, "/drafts/" in link.get_attribute("href")) for link in links]

    def write_push(self, title):
        self.go("/console/push/new")
        self.type(self.browser, "#title", title)
        self.type(self.browser, "#message", "A cup?")

    def write(self, folder, name):
        """Fills a form in as far as it has to be."""
        if folder == "push":
            self.write_push(name)
            return
        self.go(f"/console/{folder}/new")
        self.type(self.browser, "#title" if folder == "news" else "#name", name)
        if folder == "segments":
            self.type(self.browser, "#condition", 'favourite_tea = "sencha"')
        elif folder == "news":
            self.type(self.browser, "#text", "The first harvest is in.")
        elif folder == "in-app":
            self.type(self.browser, "[name='v0.header']", "Welcome")
            self.type(self.browser, "[name='v0.text']", "The first cup is on us.")
        else:
            self.type(self.browser, "[name='v0.message']", "Leaves")
            self.choose(self.browser, "[name=audience][value=user]")
            self.browser.execute_script("document.querySelector('#user').value = 'ada'")

    def review(self):
        self.find(self.browser, ".form-actions [data-review]").click()
        self.find(self.browser, ".review .primary")


class Once(OnceTest):
    def check_once(self, folder, name, thing, draft, again):
        """What has become `thing` stays one, by its form and in another window."""
        browser = self.browser
        for _ in range(2):
            answer = browser.execute_async_script(POST_AGAIN, *again)
            self.assertEqual(answer.partition("?")[0], thing)
        browser.switch_to.new_window("tab")
        browser.get(draft)
        self.assertEqual(self.here(), thing)
        self.assertEqual([row for row in self.rows(folder) if row[0] == name], [(name, False)])
        browser.get_log("browser")

    def test_a_segment_and_a_news_item_that_are_saved_again_stay_one(self):
        browser = self.browser
        for folder in ("segments", "news"):
            with self.subTest(folder):
                name = f"Once {folder} {self.stamp}"
                self.write(folder, name)
                self.saved()
                draft = self.here()
                form = "main form[data-draft-address]"
                again = [browser.find_element(By.CSS_SELECTOR, form).get_attribute("action"),
                         browser.execute_script(FIELDS, form)]
                self.find(browser, ".form-actions .primary").click()
                self.wait(browser, lambda: "/drafts/" not in browser.current_url
                          and not browser.current_url.endswith("/new"))
                self.find(browser, ".notice")
                # Back leads to what the form has become, not to the form.
                browser.back()
                thing = re.compile(rf"/console/{folder}/\d+$")
                self.wait(browser, lambda: thing.search(self.here()))
                thing = self.here()
                self.check_once(folder, name, thing, draft, again)

    def test_an_in_app_message_begins_once_and_not_by_a_form_from_before(self):
        browser = self.browser
        name = f"Once in-app {self.stamp}"
        self.write("in-app", name)
        self.saved()
        draft = self.here()
        self.find(browser, "[name=step][value=activate]").click()
        self.wait(browser, lambda: "/activate" in browser.current_url)
        review = browser.current_url
        for language in ("ja", "en"):
            self.switch(language)
            self.assertIn("/activate", browser.current_url)
        browser.refresh()
        self.check_page(browser, "review of an in-app message")
        self.assertEqual(self.text(browser, "h1"), name)
        form = ".review form"
        again = [browser.find_element(By.CSS_SELECTOR, form).get_attribute("action"),
                 browser.execute_script(FIELDS, form)]
        self.find(browser, ".review .primary").click()
        self.wait(browser, lambda: "Active" in self.text(browser, ".title-row .mark"))
        thing = self.here()
        self.find(browser, "form[action$='/pause'] button").click()
        self.wait(browser, lambda: "Paused" in self.text(browser, ".title-row .mark"))
        for _ in range(2):
            browser.execute_async_script(POST_AGAIN, *again)
        browser.get(thing)
        self.assertEqual(self.text(browser, ".title-row .mark"), "Paused")
        browser.get(draft)
        self.assertEqual(self.here(), thing)
        browser.get(review)
        self.assertEqual(self.text(browser, "h1"), name)
        self.assertEqual([row for row in self.rows("in-app") if row[0] == name], [(name, False)])
        browser.get_log("browser")

    def test_a_double_click_sends_and_begins_once(self):
        browser = self.browser
        title = f"Doubly {self.stamp}"
        self.write_push(title)
        self.review()
        ActionChains(browser).double_click(self.find(browser, ".review .primary")).perform()
        self.find(browser, ".detail-figures")
        self.assertEqual([row for row in self.rows("push") if row[0] == title], [(title, False)])
        self.write("campaigns", title)
        browser.execute_script("document.querySelector('form[data-campaign]').requestSubmit()")
        ActionChains(browser).double_click(self.find(browser, ".review .primary")).perform()
        self.find(browser, ".detail-figures")
        self.assertEqual([row for row in self.rows("campaigns") if row[0] == title],
                         [(title, False)])
        self.go("/console/campaigns")
        browser.find_element(By.LINK_TEXT, title).click()
        self.find(browser, ".push-list [data-figure=opened]")
        launches = browser.find_elements(By.CSS_SELECTOR, ".push-list [data-figure=opened]")
        self.assertEqual(len(launches), 1)

    def test_two_windows_with_one_draft_lose_nothing_in_any_form(self):
        browser = self.browser
        for folder in ("push", "segments", "in-app", "news"):
            with self.subTest(folder):
                field = "#title" if folder in ("push", "news") else "#name"
                first, second = f"One {folder} {self.stamp}", f"Two {folder} {self.stamp}"
                self.go(f"/console/{folder}/new")
                self.find(browser, field).send_keys(first)
                self.wait(browser, lambda: "/drafts/" in browser.current_url)
                address = self.here()
                window = browser.current_window_handle
                browser.switch_to.new_window("tab")
                browser.get(address)
                self.type(browser, field, second)
                self.saved()
                browser.switch_to.window(window)
                self.find(browser, field).send_keys("!")
                self.wait(browser, lambda: "Another window" in self.text(browser, "[data-saved]"))
                self.assertNotEqual(self.here(), address)
                rows = self.rows(folder)
                self.assertIn((first + "!", True), rows)
                self.assertIn((second, True), rows)

    def test_a_session_that_ends_while_one_writes_takes_nothing_along_in_any_form(self):
        browser = self.browser
        for folder in ("push", "segments", "in-app", "news"):
            with self.subTest(folder):
                name = f"Still {folder} {self.stamp}"
                field = "#title" if folder in ("push", "news") else "#name"
                self.write(folder, name)
                self.saved()
                # Leaving keeps what is not saved yet, so nothing waits to be saved from here on.
                browser.refresh()
                browser.delete_all_cookies()
                self.find(browser, field).send_keys("!")
                self.wait(browser, lambda: "no longer signed in"
                          in self.text(browser, "[data-saved]"))
                browser.execute_script(
                    "document.querySelector('main form[data-draft-address]').requestSubmit()")
                self.assertEqual(self.value(field), name + "!")
                window = browser.current_window_handle
                browser.switch_to.new_window("tab")
                self.go("/console/login")
                self.log_in(browser)
                browser.switch_to.window(window)
                self.find(browser, field).send_keys("?")
                self.wait(browser, lambda: name + "!?" in browser.execute_async_script(STORED))
                self.wait(browser, lambda: "no longer" not in self.text(browser, "[data-saved]"))
                browser.refresh()
                self.assertEqual(self.value(field), name + "!?")
                browser.get_log("browser")

    def test_a_session_that_ends_at_the_review_sends_nothing_and_loses_nothing(self):
        browser = self.browser
        for folder in ("push", "campaigns", "in-app"):
            with self.subTest(folder):
                name = f"Ended {folder} {self.stamp}"
                self.write(folder, name)
                if folder == "push":
                    self.review()
                elif folder == "campaigns":
                    browser.execute_script(
                        "document.querySelector('form[data-campaign]').requestSubmit()")
                else:
                    self.find(browser, "[name=step][value=activate]").click()
                self.find(browser, ".review .primary")
                review = browser.current_url
                browser.delete_all_cookies()
                self.find(browser, ".review .primary").click()
                self.find(browser, "form.login")
                self.log_in(browser)
                begun = self.rows("in-app?state=active" if folder == "in-app" else folder)
                self.assertNotIn((name, False), begun)
                browser.get(review)
                self.find(browser, ".review .primary").click()
                self.wait(browser, lambda: self.here() != review.partition("?")[0])
                self.find(browser, ".title-row .mark, .detail-figures")
                begun = self.rows("in-app?state=active" if folder == "in-app" else folder)
                self.assertEqual(begun.count((name, False)), 1)
                browser.get_log("browser")

    def test_a_funnel_a_retention_and_a_trend_are_asked_for_and_read(self):
        browser = self.browser
        self.go("/console/reports")
        steps = browser.find_elements(By.CSS_SELECTOR, "[name=step]")
        Select(steps[0]).select_by_value("session")
        Select(steps[1]).select_by_value("session")
        self.find(browser, ".report-form .primary").click()
        self.find(browser, ".funnel tbody tr:nth-child(2), .empty")
        self.check_page(browser, "a funnel")
        self.picture(browser, "journey-funnel")
        for report in ("retention", "series"):
            self.go(f"/console/reports/{report}")
            self.find(browser, ".report-form .primary").click()
            self.wait(browser, lambda: "?" in browser.current_url)
            self.find(browser, "main table, main .empty, main svg")
            self.check_page(browser, report)
            self.picture(browser, f"journey-{report}")
            # What was asked for is in the address: a reload and another language show it again.
            address = browser.current_url
            self.switch("ja")
            self.check_page(browser, f"{report}, ja")
            self.switch("en")
            self.assertEqual(browser.current_url, address)


@unittest.skipUnless(SERVER, "NOROSHI_SERVER_BINARY names the server's binary")
class Undo(OnceTest):
    """On a server that leaves ten seconds in which a push can be taken back."""
    workspace = "undo"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        options = ["--database", databases.address(pathlib.Path(folder.name) / "noroshi.sqlite")]
        os.environ["NOROSHI_UNDO_EMAIL"] = "ada@example.com"
        os.environ["NOROSHI_UNDO_PASSWORD"] = command(
            "member", "create", "--name", "Ada", "--email", "ada@example.com", *options)
        server = Program("serve", "--listen", "127.0.0.1:0", "--log-level", "error",
                         "--undo-seconds", "10", *options)
        self.addCleanup(server.end)
        self.console = server.address
        super().setUp()

    def send(self, title):
        self.write_push(title)
        self.review()
        self.find(self.browser, ".review .primary").click()
        self.find(self.browser, ".notice.undo button")

    def state(self):
        return self.text(self.browser, ".title-row .mark")

    def test_a_push_that_is_taken_back_is_a_draft_again_and_is_not_sent(self):
        browser = self.browser
        self.send("Too soon")
        self.check_page(browser, "push that can be taken back")
        self.picture(browser, "journey-undo")
        push = self.here()
        browser.refresh()
        self.find(browser, ".notice.undo button").click()
        self.wait(browser, lambda: "/drafts/" in browser.current_url)
        self.assertEqual(self.value("#title"), "Too soon")
        self.assertEqual(self.value("#message"), "A cup?")
        browser.get(push)
        self.assertEqual(self.state(), "Canceled")
        # Nothing goes out when its time comes either.
        time.sleep(11)
        browser.refresh()
        self.assertEqual(self.state(), "Canceled")
        self.assertEqual([row for row in self.rows("push") if row[0] == "Too soon"],
                         [("Too soon", True), ("Too soon", False)])

    def test_when_the_seconds_are_over_the_push_has_begun_and_cannot_be_taken_back(self):
        browser = self.browser
        self.send("Gone")
        push = self.here()
        form = ".notice.undo form"
        again = [browser.find_element(By.CSS_SELECTOR, form).get_attribute("action"),
                 browser.execute_script(FIELDS, form)]
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, form), 20)
        for _ in range(2):
            answer = browser.execute_async_script(POST_AGAIN, *again)
            self.assertEqual(answer.partition("?")[0], push)
        browser.refresh()
        self.assertNotIn(self.state(), ("Canceled", "Scheduled"))
        self.assertEqual([row for row in self.rows("push") if row[0] == "Gone"],
                         [("Gone", False)])
