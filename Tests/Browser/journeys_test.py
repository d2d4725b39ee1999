"""The ways through the console beside the newcomer's: each ends with what somebody wanted."""
import datetime
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from support import CONSOLE
from table import JourneyTest


class Journeys(JourneyTest):
    def setUp(self):
        self.browser = self.open()
        self.log_in(self.browser)
        # So that what is made in one run is not taken for that of another.
        self.stamp = str(time.time_ns())[-8:]

    def go(self, path):
        self.browser.get(CONSOLE + path)

    def test_a_campaign_goes_through_the_wizard_is_sent_and_opened(self):
        browser = self.browser
        console, phone = self.open_phone(browser)
        browser.switch_to.window(console)
        self.go("/console/campaigns/new")
        name, title = f"Tea week {self.stamp}", f"Tea {self.stamp}"
        self.type(browser, "#name", name)
        self.type(browser, "[name='v0.title']", title)
        self.type(browser, "[name='v0.message']", "Hello {{${first_name}}}")
        self.type(browser, "#previewUser", "ada")
        self.wait(browser, lambda: "Hello Ada" in self.text(browser, "[data-preview=message]"))
        self.check_page(browser, "wizard, message")
        self.find(browser, "[data-next]").click()
        self.wait(browser, lambda: "device" in self.text(browser, "[data-reach-text]"))
        self.check_page(browser, "wizard, audience")
        self.picture(browser, "journey-campaign-audience")
        self.find(browser, "[data-next]").click()
        self.find(browser, "[name=delivery]")
        self.check_page(browser, "wizard, schedule")
        self.picture(browser, "journey-campaign-schedule")
        self.find(browser, "[data-review-step]").click()
        self.find(browser, ".review .primary")
        self.check_page(browser, "wizard, confirm")
        self.picture(browser, "journey-campaign-confirm")
        self.find(browser, ".review .primary").click()
        self.find(browser, ".detail-figures")
        self.receive(browser, console, phone, title, 20)
        # The launch's own row tells of the open without a reload.
        self.wait(browser, lambda: self.text(browser, ".push-list [data-figure=opened]") == "1")
        # So do the campaign's own figures and its state.
        opened = "[data-fresh=figures] > dl > div:nth-child(3) .value"
        self.wait(browser, lambda: self.text(browser, opened) == "1")
        self.wait(browser, lambda: "Ended" in self.text(browser, "[data-fresh=title] .mark"))
        browser.refresh()
        self.assertEqual(browser.find_elements(By.CSS_SELECTOR, ".notice"), [])
        self.check_page(browser, "campaign after the open")
        self.picture(browser, "journey-campaign-opened")
        self.find(browser, "a[href*='/console/why']").click()
        self.type(browser, "#user", "ada")
        self.choose(browser, "form.body .primary")
        self.wait(browser, lambda: "Opened at" in self.text(browser, ".answer"))
        self.check_page(browser, "why, campaign")
        self.picture(browser, "journey-why")

    def test_news_is_written_published_and_pushed(self):
        browser = self.browser
        console, phone = self.open_phone(browser)
        browser.switch_to.window(console)
        self.go("/console/news/new")
        title = f"New leaves {self.stamp}"
        self.type(browser, "#title", title)
        self.type(browser, "#text", "The first harvest is in.")
        self.choose(browser, "[name=publication][value=now]")
        self.find(browser, ".form-actions .primary").click()
        self.find(browser, ".title-row .mark.good")
        self.go("/console/news")
        row = next(row for row in browser.find_elements(By.CSS_SELECTOR, "tbody tr")
                   if title in row.text)
        row.find_element(By.CSS_SELECTOR, "a.button").click()
        self.wait(browser, lambda: self.find(browser, "#message").get_attribute("value") == title)
        self.type(browser, "#title", title)
        self.find(browser, ".form-actions [data-review]").click()
        self.find(browser, ".review .primary").click()
        self.find(browser, ".detail-figures")
        self.receive(browser, console, phone, title)

    def test_a_segment_is_built_counted_and_used(self):
        browser = self.browser
        self.go("/console/segments/new")
        name = f"Sencha {self.stamp}"
        self.type(browser, "#name", name)
        self.type(browser, "#condition", 'favourite_tea = "sencha')
        self.find(browser, "[data-fault=condition]")
        self.type(browser, "#condition", 'favourite_tea = "sencha"')
        self.wait(browser, lambda: "1 user" in self.text(browser, "[data-reach-text]"))
        self.check_page(browser, "segment, counted")
        self.picture(browser, "journey-segment")
        self.find(browser, ".form-actions .primary").click()
        self.wait(browser, lambda: name in browser.find_element(By.TAG_NAME, "main").text)
        self.go("/console/push/new?audience=segment")
        Select(self.find(browser, "#segment")).select_by_visible_text(name)
        self.type(browser, "#message", "For those who like sencha")
        self.wait(browser, lambda: "1 user" in self.text(browser, "[data-reach-text]"))
        self.find(browser, ".form-actions [data-review]").click()
        self.wait(browser, lambda: name in self.text(browser, ".review .pairs-list"))

    def reserve(self, title):
        """The last steps of the rakuza ways: a time, the confirmation, the reservation."""
        browser = self.browser
        self.choose(browser, "[name=timing][value=later]")
        day = (datetime.date.today() + datetime.timedelta(days=2)).isoformat()
        browser.execute_script(
            "document.querySelector('#deliverAt').value = arguments[0]", f"{day}T09:30")
        Select(self.find(browser, "#extraction")).select_by_value("whenReserved")
        self.find(browser, ".form-actions [data-review]").click()
        self.find(browser, ".review .primary")
        self.check_page(browser, f"review of {title}")
        self.picture(browser, "journey-reservation")
        self.find(browser, ".review .primary").click()
        self.find(browser, ".detail-figures")
        self.go("/console/push?state=scheduled")
        self.assertIn(title, self.find(browser, "[data-live] tbody").text)

    def test_a_broadcast_is_reserved_changed_and_cancelled(self):
        browser = self.browser
        title = f"To all {self.stamp}"
        self.go("/console/push/new")
        self.type(browser, "#title", title)
        self.type(browser, "#message", "See you on Saturday")
        self.reserve(title)
        self.find(browser, "[data-live] tbody a.row-link").click()
        self.find(browser, "a[href$='/edit']").click()
        self.wait(browser, lambda: self.find(browser, "#title").get_attribute("value") == title)
        self.type(browser, "#message", "See you on Sunday")
        self.find(browser, ".form-actions [data-review]").click()
        self.find(browser, ".review .primary").click()
        self.wait(browser, lambda: "Sunday" in self.text(browser, ".mini-screen"))
        self.choose(browser, "form[action$='/cancel'] button")
        self.choose(browser, "dialog.question[open] .danger")
        self.wait(browser, lambda: not browser.find_elements(
            By.CSS_SELECTOR, "form[action$='/cancel']"))

    def test_a_push_by_attributes_is_reserved(self):
        browser = self.browser
        title = f"By attribute {self.stamp}"
        self.go("/console/push/new")
        self.type(browser, "#title", title)
        self.type(browser, "#message", "Hojicha is back")
        self.choose(browser, "[name=audience][value=matching]")
        self.choose(browser, "[name=filterBy][value=attributes]")
        self.type(browser, "[name=attributeName]", "favourite_tea")
        self.type(browser, "[name=attributeValue]", "hojicha")
        self.wait(browser, lambda: "1 user" in self.text(browser, "[data-reach-text]"))
        self.reserve(title)

    def test_a_push_by_contact_history_is_reserved(self):
        browser = self.browser
        title = f"By contact {self.stamp}"
        self.go("/console/push/new")
        self.type(browser, "#title", title)
        self.type(browser, "#message", "We miss you")
        self.choose(browser, "[name=audience][value=matching]")
        self.choose(browser, "[name=filterBy][value=contacts]")
        self.type(browser, "[name=eventName]", "coupon_used")
        Select(self.find(browser, "[name=eventDone]")).select_by_value("not")
        self.type(browser, "[name=eventDays]", "30")
        self.wait(browser, lambda: "3 users" in self.text(browser, "[data-reach-text]"))
        self.reserve(title)

    def test_a_user_is_found_and_followed(self):
        browser = self.browser
        self.go("/console/users")
        self.type(browser, "[name=text]", "ada")
        self.find(browser, "[role=search] button").click()
        self.find(browser, "tbody a.row-link").click()
        self.wait(browser, lambda: "sencha" in browser.find_element(By.TAG_NAME, "main").text)
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "[aria-busy=true]"))
        self.check_page(browser, "user with a timeline")
        self.find(browser, "a[href*='/console/why']").click()
        self.assertEqual(self.find(browser, "#user").get_attribute("value"), "ada")

    def test_the_settings_keep_what_is_chosen_and_log_it(self):
        browser = self.browser
        name = f"shop {self.stamp}"
        self.go("/console/settings/keys")
        if not self.find(browser, "summary").get_attribute("aria-expanded"):
            browser.execute_script(
                "document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        self.type(browser, "#name", name)
        self.choose(browser, "[name=permission][value='users.track']")
        self.type(browser, "#addresses", "not-an-address")
        self.choose(browser, "form[action='/console/settings/keys'] .primary")
        self.wait(browser, lambda: "not-an-address" in self.text(browser, ".fault"))
        # The browser notes the refusal, which is meant.
        browser.get_log("browser")
        self.assertEqual(self.find(browser, "#name").get_attribute("value"), name)
        self.type(browser, "#addresses", "127.0.0.0/8")
        self.choose(browser, "form[action='/console/settings/keys'] .primary")
        self.find(browser, "#secret")
        self.check_page(browser, "a new key")
        self.picture(browser, "journey-key")
        self.go("/console/settings/limits")
        self.type(browser, "[name=capMessages]", "50")
        self.type(browser, "[name=capDays]", "1")
        self.find(browser, ".form-actions .primary").click()
        self.find(browser, ".notice, [role=status]")
        self.go("/console/settings/team")
        self.choose(browser, "details.options summary")
        email = f"viewer{self.stamp}@example.com"
        for field, text in (("name", "Vi"), ("email", email), ("password", "only-looking-1")):
            self.type(browser, f"#{field}", text)
        Select(self.find(browser, "#role")).select_by_value("viewer")
        self.choose(browser, "form[action='/console/settings/team'] .primary")
        self.wait(browser, lambda: email in browser.find_element(By.TAG_NAME, "main").text)
        self.go("/console/settings/audit")
        log = browser.find_element(By.TAG_NAME, "tbody").text
        for text in (name, email):
            self.assertIn(text, log)
        # Who only looks may not write, whatever address is typed.
        viewer = self.open("ja")
        viewer.get(CONSOLE + "/console/login")
        self.find(viewer, "#email").send_keys(email)
        self.find(viewer, "#password").send_keys("only-looking-1")
        self.find(viewer, "form.login .primary").click()
        self.wait(viewer, lambda: viewer.current_url.endswith("/console"))
        self.assertEqual(viewer.find_elements(By.CSS_SELECTOR, "a[href='/console/push/new']"), [])
        viewer.get(CONSOLE + "/console/settings/keys")
        self.find(viewer, "h1")
        self.picture(viewer, "journey-no-permission")
        self.assertEqual(viewer.find_elements(By.CSS_SELECTOR, "#addresses"), [])

    def drawn(self, browser, selector):
        """A text of the message that the renderer has drawn."""
        return browser.execute_script(
            "return document.querySelector('.noroshi-message')?.shadowRoot"
            ".querySelector(arguments[0])?.textContent", selector)

    def test_an_in_app_message_is_written_seen_on_a_phone_tapped_and_counted(self):
        browser = self.browser
        name, user = f"First cup {self.stamp}", f"taster{self.stamp}"
        self.go("/console/in-app")
        self.find(browser, ".title-row .primary, .empty .primary").click()
        self.type(browser, "#name", name)
        self.type(browser, "[name='v0.header']", "Welcome, {{${first_name} | default: 'dear guest'}")
        self.wait(browser, lambda: "Liquid" in self.text(browser, "[data-fault='v0.header']"))
        self.find(browser, "[name='v0.header']").send_keys("}")
        self.type(browser, "[name='v0.text']", "The first cup is on us.")
        self.type(browser, "#previewUser", "ada")
        self.wait(browser, lambda: self.drawn(browser, "h2") == "Welcome, Ada")
        # A button that is not used is closed.
        self.find(browser, "details:has([name='v0.b0.text']) > summary").click()
        self.type(browser, "[name='v0.b0.text']", "Show the menu")
        Select(self.find(browser, "[name='v0.b0.action']")).select_by_value("url")
        self.type(browser, "[name='v0.b0.url']", "teahouse://menu")
        self.wait(browser, lambda: self.drawn(browser, ".buttons") == "Show the menu")
        # A second variant begins as a copy, and goes again.
        self.find(browser, "[data-add-variant]").click()
        self.type(browser, "[name='v1.text']", "Or this one.")
        self.wait(browser, lambda: self.drawn(browser, "p") == "Or this one.")
        self.assertEqual(self.find(browser, "[name='v1.b0.url']").get_attribute("value"),
                         "teahouse://menu")
        self.check_page(browser, "an in-app message with two variants")
        self.find(browser, "[data-variant='1'] [data-remove-variant]").click()
        self.wait(browser, lambda: self.drawn(browser, "p") == "The first cup is on us.")
        self.find(browser, "[data-next]").click()
        self.wait(browser, lambda: self.find(browser, "[name='t0.kind']").is_displayed())
        self.check_page(browser, "an in-app message's trigger")
        self.find(browser, "[data-go=audience]").click()
        self.choose(browser, "[name=audience][value=matching]")
        self.choose(browser, "[name=filterBy][value=filter]")
        self.type(browser, "#filter", f'external_id = "{user}"')
        self.wait(browser, lambda: "0 users" in self.text(browser, "[data-reach-text]"))
        self.check_page(browser, "an in-app message, filled in")
        self.picture(browser, "journey-in-app-form")
        self.find(browser, "[name=step][value=activate]").click()
        self.wait(browser, lambda: "/activate" in browser.current_url)
        self.check_page(browser, "the review of an in-app message")
        self.find(browser, ".review .form-actions .primary").click()
        self.wait(browser, lambda: "Active" in self.text(browser, ".title-row .mark"))
        address = browser.current_url.partition("?")[0]

        console, phone = self.open_phone(browser)
        browser.switch_to.window(phone)
        self.find(browser, "[data-do=unlock]").click()
        self.find(browser, ".glass.is-home button.app").click()
        self.find(browser, ".glass.is-app")
        self.type(browser, "#user", user)
        self.find(browser, "[data-login] button.button").click()
        self.wait(browser, lambda: self.drawn(browser, "h2") == "Welcome, dear guest", 30)
        self.check_page(browser, "phone with an in-app message")
        self.picture(browser, "journey-in-app-phone")
        browser.execute_script(
            "document.querySelector('.noroshi-message').shadowRoot.querySelector('.choice').click()")
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".in-app"))
        browser.switch_to.window(console)

        def figures():
            browser.get(address)
            return [self.text(browser, f"[data-figure={figure}]")
                    for figure in ("impressions", "clicks")]
        self.wait(browser, lambda: figures() == ["1", "1"], 30)
        self.assertIn(user, browser.find_element(By.TAG_NAME, "main").text)
        self.check_page(browser, "an in-app message with its figures")
        self.picture(browser, "journey-in-app-detail")
        self.find(browser, "form[action$='/pause'] button").click()
        self.wait(browser, lambda: "Paused" in self.text(browser, ".title-row .mark"))
        self.go("/console/settings/audit")
        self.assertIn("In-app message paused", browser.find_element(By.TAG_NAME, "tbody").text)
