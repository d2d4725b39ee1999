"""A rehearsal from a campaign's page: its progress, its report, and how it is stopped."""
import os
import unittest

from support import DESKTOP, PHONE, BrowserTest


class Rehearsal(BrowserTest):
    def setUp(self):
        self.console = os.environ["NOROSHI_PREVIEW_SMALL"]

    def begin(self, browser, path, days):
        """Goes to a rehearsal by the button of its campaign or journey, and begins it."""
        browser.get(self.console + path)
        self.find(browser, f'a[href="{path}/rehearsal"]').click()
        self.find(browser, "#days").clear()
        self.find(browser, "#days").send_keys(str(days))
        self.find(browser, ".form-actions .primary").click()

    def ended(self, browser):
        """The page shows the report by itself, without being loaded again."""
        return self.wait(
            browser, lambda: browser.find_elements("css selector", "[data-fresh=report] h2"),
            seconds=120)

    def test_the_report_comes_by_itself_and_is_accessible(self):
        for name, language, size, dark, path in (
                ("light", "en", DESKTOP, False, "/console/campaigns/1"),
                ("dark", "ja", DESKTOP, True, "/console/campaigns/4"),
                ("phone", "pt-BR", PHONE, True, "/console/campaigns/1"),
                ("journey", "en", PHONE, False, "/console/journeys/1")):
            with self.subTest(name):
                browser = self.open(language, size, dark)
                self.log_in(browser, self.console, "small")
                self.begin(browser, path, 30)
                self.ended(browser)
                # Anew, without the parts that were fetched again and again while it was played.
                browser.get(browser.current_url)
                for day in browser.find_elements("css selector", ".rehearsal-day summary")[:2]:
                    # On a phone the navigation is in front of the lower edge.
                    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", day)
                    day.click()
                self.picture(browser, f"rehearsal-{name}")
                self.check_page(browser, name)
                # From its beginning, and not from where something was pressed.
                browser.get(browser.current_url)
                self.check_keyboard(browser, name)

    def test_one_that_is_stopped_says_so(self):
        browser = self.open()
        self.log_in(browser, self.console, "small")
        self.begin(browser, "/console/campaigns/1", 60)
        self.find(browser, "[data-fresh=stop] button, [data-fresh=report] h2")
        for button in browser.find_elements("css selector", "[data-fresh=stop] button"):
            button.click()
            self.wait(browser, lambda: self.find(browser, "[data-fresh=state] h2"))
            self.assertIn("stopped", self.text(browser, "[data-fresh=state] h2"))


if __name__ == "__main__":
    unittest.main()
