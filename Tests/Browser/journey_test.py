"""A newcomer's path: from the first login to a push that is opened on a virtual phone."""
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support import CONSOLE, EMAIL, LANGUAGES, PASSWORD
from table import JourneyTest


class Journey(JourneyTest):
    def test_a_push_is_written_sent_received_and_opened_in_every_language(self):
        for language in LANGUAGES:
            with self.subTest(language):
                browser = self.open(language)
                self.log_in(browser)
                console, phone = self.open_phone(browser)
                browser.switch_to.window(console)
                title = f"Saturday {language}"
                self.write(browser, title, "Only today 🔥")
                browser.switch_to.window(phone)
                self.wait(browser, lambda: self.text(browser, ".note .line b") == title, 5)
                self.picture(browser, f"journey-{language}-received")
                self.check_page(browser, "phone with a notification")
                self.find(browser, ".note .face").click()
                self.wait(browser, lambda: self.text(browser, ".app-card .opened-by") == title)
                self.assertEqual(
                    self.text(browser, ".app-card .link"), "https://aoi.example/menu")
                self.assertIn("menu", self.text(browser, ".app-card dl"))
                self.picture(browser, f"journey-{language}-opened")
                self.check_page(browser, "phone with the app")
                browser.switch_to.window(console)
                # The open comes in by itself, without a reload.
                self.wait(browser,
                          lambda: self.text(browser, ".detail-figures [data-figure=opened]") != "0")
                self.assertNotEqual(
                    self.text(browser, ".detail-figures [data-figure=delivered]"), "0")
                self.picture(browser, f"journey-{language}-counted")
                self.check_page(browser, "push after the open")
                browser.quit()

    def test_a_form_with_a_mistake_keeps_what_was_typed(self):
        browser = self.open()
        self.log_in(browser)
        browser.get(CONSOLE + "/console/push/new")
        self.find(browser, "#message").send_keys("Hello")
        self.find(browser, "#url").send_keys("not an address")
        self.find(browser, ".form-actions [data-review]").click()
        self.find(browser, ".faults a[href='#url']").click()
        self.assertEqual(browser.switch_to.active_element.get_attribute("id"), "url")
        self.assertEqual(self.find(browser, "#message").get_attribute("value"), "Hello")
        self.assertEqual(self.find(browser, "#url").get_attribute("aria-invalid"), "true")

    def test_with_the_keyboard_alone(self):
        browser = self.open()
        browser.get(CONSOLE + "/console/login")
        keys = ActionChains(browser)
        keys.send_keys(EMAIL, Keys.TAB, PASSWORD, Keys.ENTER).perform()
        self.find(browser, ".title-row h1")
        ActionChains(browser).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
        self.find(browser, ".palette input")
        ActionChains(browser).send_keys("New push").perform()
        self.wait(browser, lambda: "New push" in self.text(browser, ".palette [aria-selected=true]"))
        ActionChains(browser).send_keys(Keys.ENTER).perform()
        self.find(browser, "#message")
        order = []
        for _ in range(60):
            ActionChains(browser).send_keys(Keys.TAB).perform()
            place = browser.switch_to.active_element
            outline = browser.execute_script(
                "const e = arguments[0]; const s = getComputedStyle(e);"
                "const box = e.closest('.choice, .segmented label');"
                "return s.outlineStyle !== 'none' || (box && getComputedStyle(box).outlineStyle"
                " !== 'none')", place)
            name = place.get_attribute("id") or place.get_attribute("name") or place.text
            self.assertTrue(outline, f"no focus ring: {name}")
            order.append(name)
            if name == "title":
                place.send_keys("From the keyboard")
            if name == "message":
                place.send_keys("No mouse was used")
                break
        self.assertLess(order.index("title"), order.index("message"))
        ActionChains(browser).send_keys(Keys.TAB).perform()
        self.assertEqual(browser.switch_to.active_element.get_attribute("id"), "url")
        # Enter in a text field reviews, and a second one does not send.
        ActionChains(browser).send_keys(Keys.ENTER).perform()
        send = self.find(browser, ".review .primary")
        ActionChains(browser).send_keys(Keys.ENTER).perform()
        self.assertTrue(self.find(browser, ".review .primary").is_displayed())
        while browser.switch_to.active_element != send:
            ActionChains(browser).send_keys(Keys.TAB).perform()
        ActionChains(browser).send_keys(Keys.ENTER).perform()
        self.find(browser, ".detail-figures")

    def test_the_phone_without_a_network_gets_the_push_when_it_is_back(self):
        browser = self.open()
        self.log_in(browser)
        console, phone = self.open_phone(browser)
        browser.switch_to.window(phone)
        switch = browser.find_element(By.CSS_SELECTOR, "[data-airplane]")
        browser.execute_script("arguments[0].click()", switch)
        self.find(browser, ".status .airplane")
        browser.switch_to.window(console)
        self.write(browser, "While you were away", "It waited")
        self.wait(browser,
                  lambda: self.text(browser, ".detail-figures [data-figure=delivered]") != "0")
        browser.switch_to.window(phone)
        self.assertEqual(browser.find_elements(By.CSS_SELECTOR, ".note"), [])
        browser.execute_script("arguments[0].click()", switch)
        self.find(browser, ".status .wifi")
        self.assertEqual(self.text(browser, ".note .line b"), "While you were away")

    def test_a_notification_is_dragged_away_and_expanded(self):
        browser = self.open()
        self.log_in(browser)
        console, phone = self.open_phone(browser)
        browser.switch_to.window(console)
        self.write(browser, "To be dragged", "Left, please")
        browser.switch_to.window(phone)
        face = self.find(browser, ".note .face")
        ActionChains(browser).drag_and_drop_by_offset(face, -150, 0).perform()
        self.find(browser, ".note.is-open .behind button").click()
        self.assertEqual(self.text(browser, ".sheet-body b"), "To be dragged")
        self.check_page(browser, "phone with an expanded notification")
        ActionChains(browser).send_keys(Keys.ESCAPE).perform()
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".veil"))
        face = self.find(browser, ".note .face")
        ActionChains(browser).drag_and_drop_by_offset(face, -280, 0).perform()
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".notes .note"))
