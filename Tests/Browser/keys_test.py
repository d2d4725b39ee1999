"""Single keys of the console: through lists, to their search, to what is new, and off."""
import os

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support import BrowserTest


class SingleKeys(BrowserTest):
    def press(self, browser, keys):
        # To whatever has the focus, as from a keyboard.
        ActionChains(browser).send_keys(keys).perform()

    def test_rows_search_and_what_is_new_are_a_key_away_and_can_be_turned_off(self):
        browser = self.open()
        console = os.environ["NOROSHI_PREVIEW_SMALL"]
        self.log_in(browser, console, "small")
        browser.get(console + "/console/campaigns")
        rows = [row.get_attribute("href")
                for row in browser.find_elements(By.CSS_SELECTOR, "main .row-link")]
        self.assertGreater(len(rows), 0)
        self.press(browser, "j")
        self.assertEqual(browser.switch_to.active_element.get_attribute("href"), rows[0])
        self.press(browser, "j" * len(rows))
        self.assertEqual(browser.switch_to.active_element.get_attribute("href"), rows[-1])
        self.press(browser, "k")
        self.assertEqual(browser.switch_to.active_element.get_attribute("href"),
                         rows[max(0, len(rows) - 2)])

        self.press(browser, "/")
        field = browser.switch_to.active_element
        self.assertEqual(field.get_attribute("name"), "text")
        # What is written is no key.
        field.send_keys("jkc?")
        self.assertEqual(field.get_attribute("value"), "jkc?")
        self.assertFalse(browser.find_elements(By.CSS_SELECTOR, "dialog[open]"))

        browser.get(console + "/console/campaigns")
        self.press(browser, "?")
        self.find(browser, "dialog.keys[open]")
        self.check_page(browser, "keys")
        browser.find_element(By.CSS_SELECTOR, "[data-keys-on]").click()
        self.press(browser, Keys.ESCAPE)
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "dialog[open]"))
        self.press(browser, "c")
        self.assertTrue(browser.current_url.endswith("/console/campaigns"))
        self.press(browser, "?")
        self.find(browser, "dialog.keys[open] [data-keys-on]").click()
        browser.find_element(By.CSS_SELECTOR, "[data-keys-close]").click()
        self.press(browser, "c")
        self.wait(browser, lambda: browser.current_url.endswith("/console/campaigns/new"))
