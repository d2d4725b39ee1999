"""The parts of the console that a journey uses only in passing, each used for what it is for."""
import pathlib
import subprocess
import tempfile
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from support import CONSOLE, PHONE
from table import JourneyTest


class Parts(JourneyTest):
    def setUp(self):
        self.browser = self.open()
        self.log_in(self.browser)
        self.stamp = str(time.time_ns())[-8:]

    def go(self, path):
        self.browser.get(CONSOLE + path)

    def certificate(self, bundle):
        """An APNs certificate of this test's own, for development and production."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(lambda: [file.unlink() for file in folder.iterdir()] + [folder.rmdir()])
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "100",
             "-keyout", folder / "key.pem", "-out", folder / "certificate.pem",
             "-subj", f"/UID={bundle}/CN=Apple Push Services: {bundle}",
             "-addext", "1.2.840.113635.100.6.3.1=DER:0500",
             "-addext", "1.2.840.113635.100.6.3.2=DER:0500"],
            check=True, capture_output=True)
        subprocess.run(
            ["openssl", "pkcs12", "-export", "-inkey", folder / "key.pem",
             "-in", folder / "certificate.pem", "-out", folder / "push.p12",
             "-passout", "pass:tea"],
            check=True, capture_output=True)
        return str(folder / "push.p12")

    def upload(self, card, file, password):
        browser = self.browser
        details = card().find_element(By.CSS_SELECTOR, "details")
        if not details.get_attribute("open"):
            details.find_element(By.TAG_NAME, "summary").click()
        browser.execute_script(
            "arguments[0].click()", card().find_element(By.CSS_SELECTOR, "[value=certificate]"))
        card().find_element(By.CSS_SELECTOR, "[name=p12]").send_keys(file)
        card().find_element(By.CSS_SELECTOR, "[name=password]").send_keys(password)
        card().find_element(By.CSS_SELECTOR, "details form .primary").click()

    def test_a_certificate_is_uploaded_described_and_tried(self):
        browser = self.browser
        bundle = f"example.p{self.stamp}"
        self.go("/console/settings/apps")
        self.find(browser, "section:last-of-type > .body > details > summary").click()
        self.type(browser, "#name", f"Certificate {self.stamp}")
        Select(self.find(browser, "#platform")).select_by_value("ios")
        self.type(browser, "#identifier", bundle)
        self.choose(browser, "form[action='/console/settings/apps'] .primary")

        def card():
            return self.wait(browser, lambda: next(
                (card for card in browser.find_elements(By.CSS_SELECTOR, ".app-card")
                 if bundle in card.text), None))

        file = self.certificate(bundle)
        self.upload(card, file, "coffee")
        self.wait(browser, lambda: "The password does not open" in card().text)
        # The browser notes the refusal, which is meant.
        browser.get_log("browser")
        self.upload(card, file, "tea")
        self.wait(browser, lambda: f"{bundle}, " in card().text)
        self.assertIn("production", card().text)
        self.check_page(browser, "apps with a certificate")
        card().find_element(By.CSS_SELECTOR, "form[action$='/test'] button").click()
        self.wait(browser, lambda: card().find_elements(By.CSS_SELECTOR, ".test-result"))
        self.picture(browser, "journey-certificate")

    def test_a_segment_is_put_together_from_rows(self):
        browser = self.browser
        self.go("/console/segments/new")
        self.type(browser, "#name", f"Rows {self.stamp}")
        self.type(browser, "[name=attributeName]", "favourite_tea")
        self.type(browser, "[name=attributeValue]", "sencha")
        condition = lambda: self.find(browser, "#condition").get_attribute("value")
        self.wait(browser, lambda: condition() == 'favourite_tea = "sencha"')
        self.wait(browser, lambda: "1 user" in self.text(browser, "[data-reach-text]"))
        self.type(browser, "[name=eventName]", "menu_viewed")
        Select(self.find(browser, "[name=eventDone]")).select_by_value("not")
        self.wait(browser, lambda: "menu_viewed not done" in condition())
        # What is written leads the rows in turn; what no row can say stays as text.
        self.type(browser, "#condition", 'favourite_tea = "hojicha" and session done in last 30 days')
        self.wait(browser, lambda: self.find(
            browser, "[name=attributeValue]").get_attribute("value") == "hojicha")
        self.assertEqual(self.text(browser, ".row.written code"), "session done in last 30 days")
        self.check_page(browser, "segment, built")
        self.picture(browser, "journey-segment-rows")
        self.find(browser, "[data-remove-written]").click()
        self.wait(browser, lambda: condition() == 'favourite_tea = "hojicha"')
        self.find(browser, ".form-actions .primary").click()
        self.find(browser, ".notice")

    def test_a_test_goes_to_the_users_that_are_named(self):
        browser = self.browser
        console, phone = self.open_phone(browser)
        browser.switch_to.window(console)
        self.go("/console/push/new")
        title = f"Tried {self.stamp}"
        self.type(browser, "#title", title)
        self.type(browser, "#message", "Hello {{${first_name}}}")
        self.type(browser, "#testUsers", "ada, nobody-of-this-name")
        self.find(browser, "[data-test]").click()
        self.wait(browser, lambda: "ada" in self.text(browser, "[data-test-text]"))
        self.assertIn("nobody-of-this-name", self.text(browser, "[data-test-text]"))
        self.receive(browser, console, phone, title)

    def send_with_buttons(self, title, buttons, category=""):
        browser = self.browser
        self.go("/console/push/new")
        self.type(browser, "#title", title)
        self.type(browser, "#message", "A cup?")
        browser.execute_script(
            "for (const details of document.querySelectorAll('details')) details.open = true")
        Select(self.find(browser, "#buttons")).select_by_value(buttons)
        if category:
            self.type(browser, "#category", category)
        self.find(browser, ".form-actions [data-review]").click()
        self.find(browser, ".review .primary").click()
        self.find(browser, ".detail-figures")

    def test_buttons_are_pressed_and_an_answer_is_typed_on_the_phone(self):
        browser = self.browser
        console, phone = self.open_phone(browser)
        browser.switch_to.window(console)
        title = f"Invited {self.stamp}"
        self.send_with_buttons(title, "acceptDecline")
        browser.switch_to.window(phone)
        self.expand(browser, title)
        self.check_page(browser, "phone with buttons")
        self.find(browser, ".actions-sheet > button").click()
        # The first button opens the app, which counts as an open of the push.
        self.wait(browser, lambda: self.text(browser, ".app-card .opened-by") == title)
        browser.switch_to.window(console)
        self.wait(browser, lambda: self.text(browser, "[data-figure=direct]") == "1")
        # The list of devices tells of it without a reload.
        self.wait(browser, lambda: "Opened" in self.text(browser, "[data-fresh=dispatches]"))

        title = f"Asked {self.stamp}"
        self.send_with_buttons(title, "custom", "teahouse_reply")
        browser.switch_to.window(phone)
        self.find(browser, "[data-do=lock]").click()
        self.expand(browser, title)
        self.type(browser, ".actions-sheet input", "Two, please")
        self.check_page(browser, "phone with an answer")
        self.find(browser, ".actions-sheet form button").click()
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".notes .note"))

    def test_what_is_done_in_the_shop_on_the_phone_is_in_the_users_history(self):
        browser = self.browser
        console, phone = self.open_phone(browser)
        self.find(browser, "[data-do=unlock]").click()
        self.find(browser, ".app:not(.ghost)").click()
        # A guest of this test's own; whoever was logged in leaves first.
        guest = f"guest-{self.stamp}"
        self.find(browser, ".shop")
        if not browser.find_elements(By.CSS_SELECTOR, ".shop form"):
            self.choose(browser, ".shop > button:last-child")
        self.wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".shop form"))
        self.choose(browser, ".shop .tea:nth-of-type(2)")
        self.wait(browser, lambda: "Assam" in self.text(browser, ".shop > button:not(.tea)"))
        self.choose(browser, ".shop > button:not(.tea)")
        self.wait(browser, lambda: "Assam" in self.text(browser, ".shop .cart"))
        self.check_page(browser, "phone with a cart")
        self.picture(browser, "journey-shop")
        self.type(browser, ".shop form input", guest)
        self.choose(browser, ".shop form button")
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".shop form"))
        self.choose(browser, ".shop .cart + button")
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".shop .cart"))
        browser.switch_to.window(console)
        for told in ("viewed_tea", "Assam", "added_to_cart", "signed_up"):
            with self.subTest(told):
                self.wait(browser, lambda: self.tells(guest, told), 20)

    def tells(self, guest, told):
        """Whether the history of a user says something."""
        self.go(f"/console/users?text={guest}")
        rows = self.browser.find_elements(By.CSS_SELECTOR, "tbody .row-link")
        if not rows:
            return False
        self.browser.get(rows[0].get_attribute("href"))
        return told in self.browser.find_element(By.TAG_NAME, "body").text

    def test_a_push_story_is_written_paged_on_the_phone_opened_and_counted_by_page(self):
        browser = self.browser
        console, phone = self.open_phone(browser)
        browser.switch_to.window(console)
        title = f"Three teas {self.stamp}"
        self.go("/console/push/new")
        self.type(browser, "#title", title)
        self.type(browser, "#message", "For {{${first_name}}}")
        self.type(browser, "#previewUser", "ada")
        self.find(browser, ".options summary").click()
        Select(self.find(browser, "[data-pattern]")).select_by_value("noroshi_story")
        rows = self.wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".row.page"))
        self.assertEqual(len(rows), 3)
        for number, row in enumerate(rows, 1):
            for name, text in (
                    ("storyImage", f"https://127.0.0.1:9/tea{number}.png"),
                    ("storyTitle", f"Tea {number} for {{{{${{first_name}}}}}}"),
                    ("storyURL", f"https://aoi.example/tea/{number}")):
                row.find_element(By.CSS_SELECTOR, f"[name={name}]").send_keys(text)
        # The preview is drawn for the chosen user, and turned by its arrows.
        self.wait(browser, lambda: "Tea 1 for Ada" in self.text(browser, ".story-page"))
        self.choose(browser, ".story-bar button:last-child")
        self.wait(browser, lambda: "Tea 2 for Ada" in self.text(browser, ".story-page"))
        self.check_page(browser, "composer with a story")
        self.picture(browser, "journey-story-composer")
        self.choose(browser, "[name=audience][value=user]")
        self.type(browser, "#user", "ada")
        self.find(browser, ".form-actions .primary").click()
        self.find(browser, ".review .primary")
        self.assertIn("https://127.0.0.1:9/tea3.png", self.text(browser, ".review"))
        self.find(browser, ".review .primary").click()
        self.find(browser, ".detail-figures")
        browser.switch_to.window(phone)
        self.expand(browser, title)
        place = lambda: self.text(browser, ".story-place")
        self.wait(browser, lambda: "Tea 1 for Ada" in self.text(browser, ".story-page"))
        # The pages turn by themselves, until a finger does.
        self.wait(browser, lambda: place() == "2 / 3", 20)
        self.find(browser, ".story-bar button:last-child").click()
        self.wait(browser, lambda: place() == "3 / 3")
        self.find(browser, ".story-bar button:first-child").click()
        self.wait(browser, lambda: place() == "2 / 3")
        self.find(browser, ".story-bar button:last-child").click()
        self.wait(browser, lambda: place() == "3 / 3")
        self.check_page(browser, "phone with a story")
        self.picture(browser, "journey-story-phone")
        self.find(browser, ".story-page").click()
        self.wait(browser, lambda: self.text(browser, ".app-card .opened-by") == title)
        self.assertEqual(self.text(browser, ".app-card .link"), "https://aoi.example/tea/3")
        browser.switch_to.window(console)
        # The pages are counted without a reload.
        third = "[data-story-page='3'] td:last-child"
        self.wait(browser, lambda: self.text(browser, third) == "1", 20)
        self.assertEqual(self.text(browser, "[data-story-page='2'] td:last-child"), "0")
        self.check_page(browser, "push with a story")
        self.picture(browser, "journey-story-counted")

    def test_what_a_phones_bar_has_no_place_for_is_in_its_sheet(self):
        browser = self.browser
        self.dress(browser, PHONE)
        self.go("/console")
        self.find(browser, "[data-more] summary").click()
        sheet = self.find(browser, "[data-more] .sheet")
        self.picture(browser, "journey-more")
        self.check_page(browser, "sheet of further places")
        browser.switch_to.active_element.send_keys(Keys.ESCAPE)
        self.wait(browser, lambda: not sheet.is_displayed())
        self.find(browser, "[data-more] summary").click()
        self.find(browser, "[data-more] a[href='/console/users']").click()
        self.find(browser, "table")
