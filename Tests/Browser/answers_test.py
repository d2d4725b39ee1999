"""What a marketer asks is answered in at most three clicks from the overview."""
import os

from selenium.webdriver.common.by import By

from support import LANGUAGES, BrowserTest

MOST = 3


class Answers(BrowserTest):
    """On the sample workspace, with the words of every language."""

    def setUp(self):
        self.console = os.environ["NOROSHI_PREVIEW_SMALL"]

    def ask(self, language, *clicks):
        """Begins on the overview and clicks one after the other; an address is followed only where
        a link to it is shown."""
        browser = self.open(language)
        self.log_in(browser, self.console, "small")
        self.assertLessEqual(len(clicks), MOST)
        for click in clicks:
            link = self.find(browser, click)
            before = browser.current_url
            link.click()
            self.wait(browser, lambda: browser.current_url != before)
        return browser

    def test_which_variant_is_better_and_how_sure_that_is(self):
        for language in LANGUAGES:
            browser = self.ask(language, "nav a[href$='/console/campaigns']",
                               "tr a.row-link")
            self.find(browser, "[data-fresh=experiment] .answer b")
            # Each comparison with its interval, drawn and written.
            self.find(browser, ".experiment svg.interval")
            self.assertRegex(self.text(browser, ".experiment .quiet"), r"\d")

    def test_which_in_app_message_is_better(self):
        browser = self.ask("en", "nav a[href$='/console/in-app']",
                           "tbody tr:last-child a.row-link")
        self.find(browser, ".answer b")
        self.find(browser, ".experiment svg.interval")

    def test_where_people_drop_on_the_way_to_a_purchase(self):
        for language in LANGUAGES:
            browser = self.ask(language, "nav a[href$='/console/reports']",
                               ".suggestions li:nth-child(1) a")
            steps = browser.find_elements(By.CSS_SELECTOR, "table.funnel tbody tr")
            self.assertGreaterEqual(len(steps), 2)

    def test_whether_buyers_come_back(self):
        for language in LANGUAGES:
            browser = self.ask(language, "nav a[href$='/console/reports']",
                               ".suggestions li:nth-child(2) a")
            self.assertIn("first=purchase", browser.current_url)
            self.find(browser, "table th")

    def test_what_a_campaign_earned(self):
        browser = self.ask("en", "nav a[href$='/console/campaigns']", "tr a.row-link")
        earned = "[data-fresh=conversions] tr:nth-child(2) td:last-child"
        self.assertRegex(self.text(browser, earned), r"^[\d,.]+$")
