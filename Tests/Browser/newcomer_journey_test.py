"""A newcomer on a fresh demo: an abandoned cart from its template to the second message on a virtual
phone, and a journey that is changed while ten people wait in it."""
import json
import os
import re
import subprocess
import threading
import unittest
import urllib.request

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support import LANGUAGES, BrowserTest

SERVER = os.environ.get("NOROSHI_SERVER_BINARY", "")
FIRST = {"en": "Still in your cart", "ja": "カートに商品があります", "pt-BR": "Ainda no seu carrinho"}
SECOND = {"en": "Shall we keep it for you?", "ja": "お取り置きしましょうか？",
          "pt-BR": "Quer que a gente guarde?"}
HOUR, DAY = 3_600, 86_400
GUESTS = 10


class Demo:
    """A demo of its own, whose clock nobody else goes by."""

    def __init__(self):
        self.process = subprocess.Popen([SERVER, "demo", "--listen", "127.0.0.1:0"],
                                        stdout=subprocess.PIPE, text=True)
        lines = []
        while not any("/phones" in line for line in lines):
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("the demo ended")
            lines.append(line.strip())
        at = next(index for index, line in enumerate(lines) if line.startswith("Console"))
        self.address = re.search(r"http://[\d.:]+", lines[at]).group(0)
        os.environ["NOROSHI_FRESH_EMAIL"] = lines[at + 1]
        os.environ["NOROSHI_FRESH_PASSWORD"] = lines[at + 2]
        # The rest is not read, but a full pipe would stop the program.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


@unittest.skipUnless(SERVER, "starts a demo of its own")
class Newcomer(BrowserTest):
    def begin(self, language):
        """A newcomer at the console of a fresh demo."""
        self.demo = Demo()
        self.addCleanup(self.demo.end)
        browser = self.open(language)
        self.log_in(browser, self.demo.address, "fresh")
        return browser

    def publish_cart(self, browser):
        """From the console's first page to an abandoned cart that runs."""
        self.find(browser, ".nav a[href='/console/journeys']").click()
        self.find(browser, "[name=template][value=cart]").click()
        self.find(browser, ".flow-step")
        self.find(browser, "a[href$='/review']").click()
        self.find(browser, ".review .primary").click()
        self.find(browser, "[data-fresh=flow] .flow-step")

    def take_phone(self, browser):
        """Follows the link to the phone, as it stands on the journey's page."""
        console = browser.current_window_handle
        self.find(browser, ".title-row a[target=noroshi-phone]").click()
        self.wait(browser, lambda: len(browser.window_handles) == 2)
        phone = next(window for window in browser.window_handles if window != console)
        browser.switch_to.window(phone)
        self.dress(browser)
        self.find(browser, "[data-do=unlock]")
        return console, phone

    def fill_cart(self, browser):
        self.wait(browser, lambda: self.find(browser, "[data-do=unlock]").is_enabled())
        # The phone may draw itself anew between the look and the click, which then reached nothing.
        for place in ("[data-do=unlock]", ".app:not(.ghost)", ".shop .tea:nth-of-type(2)",
                      ".shop > button:not(.tea)"):
            self.wait(browser, lambda: self.find(browser, place).click() is None)
        self.wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".shop .cart"))
        self.find(browser, "[data-do=lock]").click()
        self.find(browser, ".glass.is-locked .clock")

    def move(self, browser, seconds):
        self.find(browser, f"[data-clock] [data-seconds='{seconds}']").click()

    def figure(self, browser, number):
        """One of the journey's own figures, which come in by themselves."""
        return self.text(
            browser, f"[data-fresh=figures] dl > div:nth-child({number}) .value")

    def test_an_abandoned_cart_from_its_template_to_the_second_message_in_every_language(self):
        for language in LANGUAGES:
            with self.subTest(language):
                browser = self.begin(language)
                self.publish_cart(browser)
                self.assertIn("added_to_cart", self.text(browser, "[data-fresh=trying] .about"))
                self.check_page(browser, "a journey that nobody has entered")
                self.picture(browser, f"newcomer-{language}-published")
                console, phone = self.take_phone(browser)
                self.fill_cart(browser)
                browser.switch_to.window(console)
                self.wait(browser, lambda: self.figure(browser, 1) == "1", 20)
                self.assertEqual(
                    browser.find_elements(By.CSS_SELECTOR, "[data-fresh=trying] .about"), [])
                browser.switch_to.window(phone)
                self.move(browser, HOUR)
                self.wait(browser, lambda: self.text(
                    browser, ".note .line b") == FIRST[language], 20)
                self.check_page(browser, "phone with the first message of a journey")
                self.picture(browser, f"newcomer-{language}-first")
                self.move(browser, DAY)
                self.wait(browser, lambda: SECOND[language] in [
                    title.text for title in
                    browser.find_elements(By.CSS_SELECTOR, ".note .line b")], 20)
                self.picture(browser, f"newcomer-{language}-second")
                browser.switch_to.window(console)
                # Once in, over by the last step, and nobody is left inside.
                self.wait(browser, lambda: [self.figure(browser, number) for number in
                                            (1, 2, 3, 4)] == ["0", "1", "0", "1"], 20)
                self.check_page(browser, "a journey that somebody went through")
                self.picture(browser, f"newcomer-{language}-over")
                browser.quit()
                self.demo.end()

    def test_a_test_run_is_sent_to_the_phone_and_counts_for_no_journey(self):
        browser = self.begin("en")
        self.find(browser, ".nav a[href='/console/journeys']").click()
        self.find(browser, "[name=template][value=cart]").click()
        self.find(browser, ".flow-step")
        flow = browser.current_url.partition("#")[0]
        self.find(browser, "a[href$='/trial']").click()
        self.find(browser, "#user").send_keys("ada", Keys.ESCAPE, Keys.ENTER)
        self.wait(browser, lambda: len(browser.find_elements(
            By.CSS_SELECTOR, ".screen .banner")) == 2)
        # By the second jump an hour has passed, and the first message was sent.
        self.find(browser, ".clock-jumps a:nth-child(1)").click()
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".screen .banner"))
        self.assertEqual(browser.find_elements(By.CSS_SELECTOR, ".trial-send"), [])
        self.find(browser, ".clock-jumps a:nth-child(2)").click()
        self.find(browser, ".screen .banner")
        self.find(browser, ".trial-send button").click()
        self.find(browser, ".notice")
        self.check_page(browser, "a test run that was sent")
        self.picture(browser, "newcomer-trial-sent")
        console = browser.current_window_handle
        self.find(browser, ".nav a[target=noroshi-phone]").click()
        self.wait(browser, lambda: len(browser.window_handles) == 2)
        browser.switch_to.window(
            next(window for window in browser.window_handles if window != console))
        self.dress(browser)
        self.wait(browser, lambda: self.text(browser, ".note .line b") == FIRST["en"], 20)
        self.assertEqual(len(browser.find_elements(By.CSS_SELECTOR, ".note")), 1)
        browser.switch_to.window(console)
        browser.get(self.demo.address + "/console/push")
        self.assertIn("Test: User ada", self.text(browser, "tbody"))
        # It is still a draft that nobody has entered.
        browser.get(flow)
        self.find(browser, ".flow-step")

    def act(self, phone, action, **more):
        request = urllib.request.Request(
            f"{self.demo.address}{phone}/actions", method="POST",
            data=json.dumps({"action": action, **more}).encode(),
            headers={"Content-Type": "application/json"})
        urllib.request.urlopen(request, timeout=10).close()

    def test_ten_people_who_wait_are_where_the_preview_said(self):
        browser = self.begin("en")
        self.publish_cart(browser)
        journey = browser.current_url.partition("?")[0]
        console, phone = self.take_phone(browser)
        address = re.search(r"/phones/[^/?#]+", browser.current_url).group(0)
        # Ten guests of the shop, one after the other on the same phone.
        self.act(address, "openApp")
        for guest in range(GUESTS):
            self.act(address, "logIn", user=f"guest-{guest}")
            self.act(address, "viewTea", tea="Assam")
            self.act(address, "addToCart")
        self.act(address, "lock")
        browser.switch_to.window(console)
        self.wait(browser, lambda: self.figure(browser, 1) == str(GUESTS), 30)
        self.find(browser, "form[action$='/edit'] button").click()
        # The first wait is taken out of the draft, while ten people are in it.
        first = self.find(browser, ".flow-step")
        step = first.get_attribute("id")
        self.find(browser, f"#{step} .flow-tools summary").click()
        self.find(browser, f"#{step} > .flow-card [value=remove]").click()
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, f"#{step}"))
        # The step after the first message is where they shall go on.
        steps = browser.find_elements(By.CSS_SELECTOR, ".flow-step")
        pause = steps[1].get_attribute("id").removeprefix("step-")
        self.find(browser, "a[href$='/review']").click()
        self.assertIn("go on as before", self.text(browser, ".answer"))
        browser.execute_script("document.querySelector('[name=migration][value=move]').click()")
        self.wait(browser, lambda: f"{GUESTS} leave" in self.text(browser, ".answer"))
        browser.execute_script(
            "arguments[0].value = arguments[1];"
            "arguments[0].dispatchEvent(new Event('change', { bubbles: true }))",
            self.find(browser, ".effects select"), pause)
        self.wait(browser, lambda: "leave" not in self.text(browser, ".answer"))
        said = self.text(browser, ".answer")
        self.assertTrue(said.startswith(f"{GUESTS} "), said)
        self.check_page(browser, "the review of a version while ten people wait")
        self.picture(browser, "newcomer-ten-review")
        self.find(browser, ".review .primary").click()
        self.find(browser, ".notice")
        waiting = f"#step-{pause} .flow-figures .strong a"
        self.wait(browser, lambda: self.text(browser, waiting) == str(GUESTS))
        self.find(browser, waiting).click()
        self.find(browser, "tbody tr")
        people = {row.text.split("\n")[0].split(" ")[0]
                  for row in browser.find_elements(By.CSS_SELECTOR, "tbody tr")}
        self.assertEqual(people, {f"guest-{guest}" for guest in range(GUESTS)})
        # A day later each of them has got the second message, and nobody the first.
        browser.switch_to.window(phone)
        self.move(browser, DAY)
        self.wait(browser, lambda: self.text(browser, ".note .line b") == SECOND["en"], 20)
        self.assertEqual(len(browser.find_elements(By.CSS_SELECTOR, ".note")), 1)
        browser.switch_to.window(console)
        browser.get(journey)
        self.wait(browser, lambda: [self.figure(browser, number) for number in (1, 2, 4)]
                  == ["0", str(GUESTS), str(GUESTS)], 20)
        self.picture(browser, "newcomer-ten-over")
