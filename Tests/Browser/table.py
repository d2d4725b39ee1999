"""The console and a virtual phone side by side."""
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By

from support import CONSOLE, BrowserTest


class JourneyTest(BrowserTest):
    """What the journeys share: a phone on the table, and a push that is written."""

    def open_phone(self, browser):
        """Ada's phone in its own window, locked; returns the console's and the phone's handle."""
        console = browser.current_window_handle
        browser.switch_to.new_window("window")
        self.dress(browser)
        browser.get(CONSOLE + "/phones")
        self.wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".glass.is-locked, "
                                                         ".glass.is-home, .glass.is-app"))
        # The table has one phone, on which a test before may have been somebody else.
        if self.text(browser, "[data-who]") != "ada":
            self.type(browser, "[data-login] input", "ada")
            self.find(browser, "[data-login] button").click()
            self.wait(browser, lambda: self.text(browser, "[data-who]") == "ada")
        lock = self.find(browser, "[data-do=lock]")
        if lock.is_enabled():
            lock.click()
        self.find(browser, ".glass.is-locked .clock")
        clear = [button for button in browser.find_elements(By.CSS_SELECTOR, ".notes .face")]
        for _ in clear:
            ActionChains(browser).context_click(self.find(browser, ".note .face")).perform()
            self.find(browser, ".actions-sheet > button:last-child").click()
            self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".veil"))
        return console, browser.current_window_handle

    def write(self, browser, title, message):
        browser.get(CONSOLE + "/console")
        self.find(browser, ".title-row .primary").click()
        self.find(browser, "#title").send_keys(title)
        self.find(browser, "#message").send_keys(message)
        self.find(browser, "#url").send_keys("https://aoi.example/menu")
        self.find(browser, "[name=key]").send_keys("screen")
        self.find(browser, "[name=value]").send_keys("menu")
        browser.execute_script("document.querySelector('[name=badge][value=set]').click()")
        self.wait(browser, lambda: self.text(browser, "[data-preview=title]") == title)
        self.wait(browser, lambda: self.text(browser, "[data-preview=badge]") == "1")
        self.wait(browser, lambda: self.text(browser, "[data-size-text]") != "")
        self.check_page(browser, "composer, filled in")
        self.find(browser, ".form-actions [data-review]").click()
        self.find(browser, ".review .primary")
        self.check_page(browser, "review")
        self.find(browser, ".review .primary").click()
        self.find(browser, ".detail-figures")

    def receive(self, browser, console, phone, title, seconds=10):
        """Waits for a notification on the phone and opens it; ends in the console's window."""
        browser.switch_to.window(phone)
        self.wait(browser, lambda: self.text(browser, ".note .line b") == title, seconds)
        self.find(browser, ".note .face").click()
        self.wait(browser, lambda: self.text(browser, ".app-card .opened-by") == title)
        browser.switch_to.window(console)

    def expand(self, browser, title):
        """Waits for a notification on the locked phone and looks at it in full."""
        self.wait(browser, lambda: self.text(browser, ".note .line b") == title, 20)
        ActionChains(browser).context_click(self.find(browser, ".note .face")).perform()
        self.find(browser, ".actions-sheet")

    def type(self, browser, selector, text):
        """Writes into a field, over what is there."""
        field = self.find(browser, selector)
        field.clear()
        field.send_keys(text)

    def choose(self, browser, selector):
        """Picks a radio button or a box, which may be drawn as something else."""
        browser.execute_script("document.querySelector(arguments[0]).click()", selector)
