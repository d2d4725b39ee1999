"""What is written in a form is kept, and begins once, after it was seen."""
from selenium.common.exceptions import ElementNotInteractableException
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support import CONSOLE
from table import JourneyTest

POST_AGAIN = """
const [address, fields, done] = arguments;
fetch(address, { method: "POST", body: new URLSearchParams(fields) })
  .then((answer) => done(answer.url), (error) => done(String(error)));
"""

# The forms besides the push's: where they are, and the field that lists call a draft by.
FORMS = [
    ("campaigns", "#name"), ("segments", "#name"), ("in-app", "#name"), ("news", "#title"),
]


class Forms(JourneyTest):
    def value(self, browser, selector):
        return self.find(browser, selector).get_attribute("value")

    def switch(self, browser, language):
        buttons = browser.find_elements(By.CSS_SELECTOR, f".languages [value={language}]")
        browser.execute_script("arguments[0].click()", buttons[0])
        self.wait(browser, lambda: browser.execute_script(
            "return document.documentElement.lang") == language)

    def saved(self, browser):
        self.wait(browser, lambda: "/drafts/" in browser.current_url)

    def names(self, browser, folder):
        """The rows of a list that are no drafts."""
        browser.get(f"{CONSOLE}/console/{folder}")
        links = browser.find_elements(By.CSS_SELECTOR, "tbody .row-link")
        return [link.text for link in links if "/drafts/" not in link.get_attribute("href")]

    def write_campaign(self, browser, name):
        browser.get(CONSOLE + "/console/campaigns/new")
        self.find(browser, "#name").send_keys(name)
        self.find(browser, '[name="v0.message"]').send_keys("Leaves")
        self.choose(browser, "[name=audience][value=user]")
        browser.execute_script("document.querySelector('#user').value = 'ada'")

    def review_campaign(self, browser):
        browser.execute_script("document.querySelector('form[data-campaign]').requestSubmit()")
        self.find(browser, ".review .primary")

    def test_every_form_outlives_a_reload_a_language_a_page_and_the_session(self):
        browser = self.open()
        self.log_in(browser)
        for folder, field in FORMS:
            browser.get(f"{CONSOLE}/console/{folder}/new")
            self.find(browser, field).send_keys(f"Half of {folder}")
            self.saved(browser)
            address = browser.current_url
            self.check_page(browser, f"{folder}, saved")
            browser.refresh()
            self.assertEqual(self.value(browser, field), f"Half of {folder}")
            # What is written just before goes along.
            self.find(browser, field).send_keys("!")
            self.switch(browser, "ja")
            self.assertEqual(browser.current_url, address)
            self.assertEqual(self.value(browser, field), f"Half of {folder}!")
            self.switch(browser, "en")
            self.find(browser, field).send_keys("?")
            browser.get(f"{CONSOLE}/console/{folder}")
            self.picture(browser, f"drafts-{folder}")
            self.check_page(browser, f"{folder} with drafts")
            browser.delete_all_cookies()
            browser.get(CONSOLE + "/console")
            self.log_in(browser)
            browser.get(f"{CONSOLE}/console/{folder}")
            self.find(browser, ".row-link[href*='/drafts/']").click()
            self.assertEqual(self.value(browser, field), f"Half of {folder}!?")

    def test_a_campaign_begins_once_whatever_is_posted_again(self):
        browser = self.open()
        self.log_in(browser)
        self.write_campaign(browser, "Only once")
        self.review_campaign(browser)
        self.check_page(browser, "review of a campaign")
        self.picture(browser, "campaign-review")
        ActionChains(browser).send_keys(Keys.ENTER).send_keys(Keys.ENTER).perform()
        review = browser.current_url
        self.assertIn("/review", review)
        fields = browser.execute_script(
            "return [...new FormData(document.querySelector('.review form'))]")
        fields.append(["step", "activate"])
        self.find(browser, ".review .primary").click()
        self.find(browser, ".detail-figures")
        campaign = browser.current_url.split("?")[0]
        for _ in range(2):
            answer = browser.execute_async_script(POST_AGAIN, "/console/campaigns/save", fields)
            self.assertEqual(answer.split("?")[0], campaign)
        browser.back()
        self.wait(browser, lambda: browser.current_url.split("?")[0] == campaign)
        browser.switch_to.new_window("tab")
        browser.get(review)
        self.assertEqual(browser.current_url.split("?")[0], campaign)
        self.assertEqual(self.names(browser, "campaigns").count("Only once"), 1)
        # It is over: its button leads to a review again, not to another launch.
        browser.get(campaign)
        browser.execute_script("location.href = location.pathname + '/activate'")
        self.wait(browser, lambda: "/activate" in browser.current_url
                  or browser.current_url.split("?")[0] == campaign)

    def test_several_lines_begin_from_the_review_of_what_was_kept(self):
        browser = self.open()
        self.log_in(browser)
        self.write_campaign(browser, "Several lines")
        self.find(browser, '[name="v0.message"]').send_keys("\n\nfall")
        self.saved(browser)
        browser.refresh()
        self.assertEqual(self.value(browser, '[name="v0.message"]'), "Leaves\n\nfall")
        # A script has kept it last, and the form of the review sends the ends of lines otherwise.
        browser.get(browser.current_url.split("?")[0] + "/review")
        self.find(browser, ".review .primary").click()
        self.find(browser, ".detail-figures")
        self.assertEqual(self.names(browser, "campaigns").count("Several lines"), 1)

    def test_enter_sends_nothing_in_any_field(self):
        browser = self.open()
        self.log_in(browser)
        # A message that is saved and not active has not been sent.
        lists = {"push": "push", "campaigns": "campaigns", "in-app": "in-app?state=active",
                 "news": "news"}
        before = {folder: self.names(browser, path) for folder, path in lists.items()}
        for folder in before:
            browser.get(f"{CONSOLE}/console/{folder}/new")
            inputs = "main form input:not([type=hidden], [type=radio], [type=checkbox])"
            count = len(browser.find_elements(By.CSS_SELECTOR, inputs))
            for index in range(count):
                browser.get(f"{CONSOLE}/console/{folder}/new")
                # Scripts add fields, such as color pickers.
                field = self.wait(
                    browser, lambda: browser.find_elements(By.CSS_SELECTOR, inputs)[index:])[0]
                browser.execute_script("""
                    for (const name of ["name", "title", "message", "v0.message", "v0.text"]) {
                      const field = document.querySelector(`main form [name="${name}"]`);
                      if (field) field.value = "Enter";
                    }""")
                try:
                    field.send_keys(Keys.ENTER)
                except ElementNotInteractableException:
                    # Part of a choice that is not made.
                    continue
                ActionChains(browser).send_keys(Keys.ENTER).send_keys(Keys.ENTER).perform()
        for folder, names in before.items():
            self.assertEqual(self.names(browser, lists[folder]), names, folder)
        browser.get_log("browser")

    def test_two_windows_with_one_draft_lose_nothing(self):
        browser = self.open()
        self.log_in(browser)
        browser.get(CONSOLE + "/console/campaigns/new")
        self.find(browser, "#name").send_keys("First")
        self.saved(browser)
        address = browser.current_url
        first = browser.current_window_handle
        browser.switch_to.new_window("tab")
        browser.get(address)
        self.type(browser, "#name", "Second")
        self.wait(browser, lambda: "saved" in self.text(browser, "[data-saved]"))
        browser.switch_to.window(first)
        self.find(browser, "#name").send_keys(" of all")
        self.wait(browser, lambda: "Another window" in self.text(browser, "[data-saved]"))
        self.assertNotEqual(browser.current_url, address)
        browser.get(CONSOLE + "/console/campaigns")
        drafts = [link.text for link in
                  browser.find_elements(By.CSS_SELECTOR, ".row-link[href*='/drafts/']")]
        self.assertIn("First of all", drafts)
        self.assertIn("Second", drafts)

    def test_a_session_that_ends_while_one_writes_takes_nothing_along(self):
        browser = self.open()
        self.log_in(browser)
        self.write_campaign(browser, "Still")
        browser.delete_all_cookies()
        self.find(browser, "#name").send_keys(" here")
        self.wait(browser, lambda: "no longer signed in" in self.text(browser, "[data-saved]"))
        browser.execute_script("document.querySelector('form[data-campaign]').requestSubmit()")
        self.assertEqual(self.value(browser, "#name"), "Still here")
        here = browser.current_window_handle
        browser.switch_to.new_window("tab")
        browser.get(CONSOLE + "/console")
        self.log_in(browser)
        browser.switch_to.window(here)
        self.review_campaign(browser)
        self.assertEqual(self.text(browser, "h1"), "Still here")
        browser.get_log("browser")
