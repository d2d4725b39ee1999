"""What is written is not lost, and what is sent is sent once."""
import time

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support import CONSOLE
from table import JourneyTest

POST_AGAIN = """
const [fields, done] = arguments;
fetch("/console/push/send", { method: "POST", body: new URLSearchParams(fields) })
  .then((answer) => done(answer.url), (error) => done(String(error)));
"""
WATCH_FETCH = """
const send = window.fetch;
window.fetch = (address, options) => {
  if (options?.method === "POST" && String(address).includes("/drafts")) {
    window.asked = (window.asked ?? 0) + 1;
  }
  return send(address, options);
};
"""


class Drafts(JourneyTest):
    def value(self, browser, selector):
        return self.find(browser, selector).get_attribute("value")

    def token(self, browser):
        return browser.execute_script("return document.querySelector('[name=csrf]').value")

    def switch(self, browser, language):
        buttons = browser.find_elements(By.CSS_SELECTOR, f".languages [value={language}]")
        browser.execute_script("arguments[0].click()", buttons[0])
        self.wait(browser, lambda: browser.execute_script(
            "return document.documentElement.lang") == language)

    def test_what_is_written_outlives_a_reload_a_language_a_review_and_the_session(self):
        browser = self.open()
        self.log_in(browser)
        browser.get(CONSOLE + "/console/push/new")
        self.find(browser, "#title").send_keys("Half a thought")
        self.wait(browser, lambda: "saved" in self.text(browser, "[data-saved]"))
        address = browser.current_url
        self.assertIn("/console/push/drafts/", address)
        self.check_page(browser, "composer, saved")
        browser.refresh()
        self.assertEqual(self.value(browser, "#title"), "Half a thought")
        self.switch(browser, "ja")
        self.assertEqual(browser.current_url, address)
        self.assertEqual(self.value(browser, "#title"), "Half a thought")
        self.switch(browser, "en")
        # A review that finds a mistake has kept what it was given.
        self.find(browser, "#url").send_keys("no address")
        self.find(browser, "#message").send_keys("Now whole")
        self.find(browser, ".form-actions [data-review]").click()
        self.find(browser, ".faults a[href='#url']")
        # Chromium reports the answer to a form with a mistake as an error of the page.
        browser.get_log("browser")
        self.wait(browser, lambda: browser.current_url == address)
        self.switch(browser, "pt-BR")
        self.assertEqual(self.value(browser, "#message"), "Now whole")
        self.switch(browser, "en")
        self.find(browser, "#url").clear()
        self.find(browser, ".form-actions [data-review]").click()
        self.find(browser, ".review .primary")
        self.switch(browser, "ja")
        self.find(browser, ".review .primary")
        self.picture(browser, "draft-review-ja")
        self.switch(browser, "en")
        browser.delete_all_cookies()
        browser.get(CONSOLE + "/console/push")
        self.log_in(browser)
        browser.get(CONSOLE + "/console/push")
        self.picture(browser, "drafts")
        self.check_page(browser, "history with drafts")
        self.find(browser, ".row-link[href*='/drafts/']").click()
        self.assertEqual(self.value(browser, "#title"), "Half a thought")
        self.assertEqual(self.value(browser, "#message"), "Now whole")

    def test_what_is_on_its_way_when_the_page_is_left_arrives(self):
        browser = self.open()
        self.log_in(browser)
        title = f"Left {time.time_ns()}"
        browser.get(CONSOLE + "/console/push/new")
        # So slow that the page is left while its words are on their way.
        slow = {"offline": False, "latency": 2000, "downloadThroughput": 100, "uploadThroughput": 100}
        browser.execute_cdp_cmd("Network.enable", {})
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", slow)
        browser.execute_script(WATCH_FETCH)
        self.find(browser, "#title").send_keys(title)
        self.wait(browser, lambda: browser.execute_script("return window.asked > 0"))
        browser.get("about:blank")
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})

        def kept():
            browser.get(CONSOLE + "/console/push")
            return title in browser.find_element(By.TAG_NAME, "main").text
        self.wait(browser, kept, seconds=20)

    def test_the_last_words_arrive_where_somebody_has_signed_in_anew_in_another_window(self):
        browser = self.open()
        self.log_in(browser)
        title = f"Last {time.time_ns()}"
        browser.get(CONSOLE + "/console/push/new")
        writing = browser.current_window_handle
        self.find(browser, "#title").send_keys(title)
        self.wait(browser, lambda: "saved" in self.text(browser, "[data-saved]"))
        token = self.token(browser)
        browser.switch_to.new_window("tab")
        browser.delete_all_cookies()
        browser.get(CONSOLE + "/console/push")
        self.log_in(browser)
        self.assertNotEqual(self.token(browser), token)
        browser.switch_to.window(writing)
        # Closed before the pause after which it would be saved.
        self.find(browser, "#title").send_keys(", to the end")
        browser.get("about:blank")

        def kept():
            browser.get(CONSOLE + "/console/push")
            return f"{title}, to the end" in browser.find_element(By.TAG_NAME, "main").text
        self.wait(browser, kept, seconds=20)

    def test_a_push_is_sent_once_whatever_is_posted_again(self):
        browser = self.open()
        self.log_in(browser)
        browser.get(CONSOLE + "/console/push/new")
        self.find(browser, "#message").send_keys("Only once")
        browser.execute_script("document.querySelector('[name=audience][value=user]').click()")
        self.find(browser, "#user").send_keys("ada")
        self.find(browser, "#title").send_keys("Once", Keys.ENTER)
        self.find(browser, ".review .primary")
        ActionChains(browser).send_keys(Keys.ENTER).perform()
        fields = browser.execute_script(
            "return [...new FormData(document.querySelector('.review form'))]")
        review = browser.current_url
        self.find(browser, ".review .primary").click()
        self.find(browser, ".detail-figures")
        push = browser.current_url.split("?")[0]
        for _ in range(2):
            self.assertEqual(browser.execute_async_script(POST_AGAIN, fields).split("?")[0], push)
        # Back, and the review's own address in a second window, lead to the push.
        browser.back()
        self.wait(browser, lambda: browser.current_url.split("?")[0] == push)
        browser.switch_to.new_window("tab")
        browser.get(review)
        self.assertEqual(browser.current_url.split("?")[0], push)
        browser.get(CONSOLE + "/console/push")
        titles = [link.text for link in browser.find_elements(By.CSS_SELECTOR, "tbody .row-link")]
        self.assertEqual(titles.count("Once"), 1)
