"""A Chromium for the tests, and what they ask of every page."""
import base64
import os
import pathlib
import unittest

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

CONSOLE = os.environ["NOROSHI_CONSOLE"]
EMAIL = os.environ["NOROSHI_EMAIL"]
PASSWORD = os.environ["NOROSHI_PASSWORD"]
SCREENSHOTS = pathlib.Path(os.environ["NOROSHI_SCREENSHOTS"])
AUDIT = (pathlib.Path(__file__).parent / "audit.js").read_text()
LANGUAGES = ("en", "ja", "pt-BR")
DESKTOP = (1280, 900)
PHONE = (390, 844)


class BrowserTest(unittest.TestCase):
    def open(self, language="en", size=DESKTOP, dark=False):
        """A fresh browser, closed when the test ends."""
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                         f"--window-size={size[0]},{size[1]}"):
            options.add_argument(argument)
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.addCleanup(browser.quit)
        self.dress(browser, size, dark)
        return browser

    def dress(self, browser, size=DESKTOP, dark=False):
        """Sets the window's size and the colour scheme."""
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE})

    def log_in(self, browser, console=CONSOLE):
        browser.get(console + "/console/login")
        self.find(browser, "#email").send_keys(EMAIL)
        self.find(browser, "#password").send_keys(PASSWORD)
        self.find(browser, "form.login .primary").click()
        self.wait(browser, lambda: browser.current_url.endswith("/console"))

    def wait(self, browser, condition, seconds=10):
        # A page may draw itself anew while it is looked at; then it is looked at again.
        wait = WebDriverWait(browser, seconds, 0.05, [StaleElementReferenceException])
        return wait.until(lambda _: condition())

    def find(self, browser, selector):
        """The first element of a selector that is shown."""
        def shown():
            elements = browser.find_elements(By.CSS_SELECTOR, selector)
            return next((element for element in elements if element.is_displayed()), None)
        return self.wait(browser, shown)

    def text(self, browser, selector):
        return self.wait(browser, lambda: self.find(browser, selector).text or " ").strip()

    def picture(self, browser, name):
        size = browser.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        answer = browser.execute_cdp_cmd("Page.captureScreenshot", {
            "format": "png", "captureBeyondViewport": True,
            "clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"],
                     "scale": 1}})
        (SCREENSHOTS / f"{name}.png").write_bytes(base64.b64decode(answer["data"]))

    def check_page(self, browser, where):
        """No error in the console, no unknown word, nothing wider than the window, accessible."""
        errors = [line["message"] for line in browser.get_log("browser")
                  if line["level"] == "SEVERE"]
        self.assertEqual(errors, [], where)
        self.assertEqual(browser.execute_script(AUDIT), [], where)
