"""A Chromium for the tests, and what they ask of every page."""
import base64
import os
import pathlib
import unittest

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

CONSOLE = os.environ["NOROSHI_CONSOLE"]
EMAIL = os.environ["NOROSHI_EMAIL"]
PASSWORD = os.environ["NOROSHI_PASSWORD"]
SCREENSHOTS = pathlib.Path(os.environ["NOROSHI_SCREENSHOTS"])
AUDIT = (pathlib.Path(__file__).parent / "audit.js").read_text()
# Deque's axe-core, which judges the pages independently of this project.
AXE = pathlib.Path(os.environ["NOROSHI_AXE"]).read_text()
RUN_AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, { resultTypes: ["violations"], preload: false }).then(
  ({ violations }) => done(violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(" ")}: ${node.html.slice(0, 120)}`))),
  (error) => done([String(error)]));
"""
TABBABLE = """
const shown = (element) => element.checkVisibility({ visibilityProperty: true })
  && element.getClientRects().length > 0;
window.tabbable = [...document.querySelectorAll(
  "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")]
  .filter((element) => shown(element) && !element.disabled && element.tabIndex >= 0
    && !(element.type === "radio" && !element.checked
      && document.querySelector(`input[type=radio][name="${element.name}"]:checked`)));
document.activeElement?.blur();
return window.tabbable.length;
"""
FOCUSED = """
const element = document.activeElement;
if (!element || element === document.body) return null;
// The ring is around what has the focus inside of a component.
let inner = element;
while (inner.shadowRoot?.activeElement) inner = inner.shadowRoot.activeElement;
const ringed = [inner, element.closest(".choice, .segmented label")].some((candidate) => {
  if (!candidate) return false;
  const style = getComputedStyle(candidate);
  return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0);
});
const text = (element.textContent || element.value || "").trim().slice(0, 40);
return [window.tabbable.indexOf(element), ringed,
  `<${element.tagName.toLowerCase()} ${element.id || element.name || element.className}> ${text}`];
"""
LANGUAGES = ("en", "ja", "pt-BR")
DESKTOP = (1280, 900)
PHONE = (390, 844)


class BrowserTest(unittest.TestCase):
    maxDiff = None

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

    def log_in(self, browser, console=CONSOLE, workspace=""):
        """Signs in; a workspace may have credentials of its own."""
        prefix = f"NOROSHI_{workspace.upper()}_"
        browser.get(console + "/console/login")
        self.find(browser, "#email").send_keys(os.environ.get(prefix + "EMAIL", EMAIL))
        self.find(browser, "#password").send_keys(os.environ.get(prefix + "PASSWORD", PASSWORD))
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
        browser.execute_script(AXE)
        self.assertEqual(browser.execute_async_script(RUN_AXE), [], where)

    def check_keyboard(self, browser, where):
        """Tab visits every control once, in the page's order, each with a ring around it."""
        count = browser.execute_script(TABBABLE)
        visited = []
        # A field for a time has several stops of its own.
        for _ in range(count + 60):
            ActionChains(browser).send_keys(Keys.TAB).perform()
            focused = browser.execute_script(FOCUSED)
            if focused is None:
                # Past the last one the browser itself would have the focus.
                break
            index, ringed, name = focused
            self.assertTrue(ringed, f"{where}: no focus ring on {name}")
            if index in visited[:-1]:
                break
            if index >= 0 and index not in visited:
                visited.append(index)
        self.assertEqual(visited, sorted(visited), where)
        missed = set(range(count)) - set(visited)
        names = browser.execute_script(
            "return arguments[0].map((i) => window.tabbable[i].outerHTML.slice(0, 120))",
            sorted(missed))
        self.assertEqual(names, [], f"{where}: the keyboard does not reach these")
