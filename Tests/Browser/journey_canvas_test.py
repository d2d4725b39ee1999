"""Messages over days: a journey from a template to people in it, and changed while they wait."""
import os

from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support import LANGUAGES, PHONE, BrowserTest

STEP = "00000000-0000-4000-8000-0000009001"
CART = {"en": "Still in your cart", "ja": "カートに商品があります", "pt-BR": "Ainda no seu carrinho"}


class Canvas(BrowserTest):
    def sample(self, language="en", size=None, dark=False):
        """The console over the sample workspace, signed in."""
        console = os.environ["NOROSHI_PREVIEW_SMALL"]
        browser = self.open(language, **({"size": size} if size else {}), dark=dark)
        self.log_in(browser, console, "small")
        return browser, console

    def look(self, browser, name):
        self.picture(browser, f"canvas-{name}")
        self.check_page(browser, name)

    def press(self, browser, selector):
        """Goes to a control with the keyboard and presses it."""
        control = self.find(browser, selector)
        browser.execute_script("arguments[0].focus()", control)
        control.send_keys(Keys.ENTER)

    def tap(self, browser, selector):
        """Presses what a phone's bar may lie over."""
        browser.execute_script("arguments[0].click()", self.find(browser, selector))

    def titles(self, browser):
        return [title.text for title in browser.find_elements(By.CSS_SELECTOR, ".flow-title b")]

    def begin(self, browser, console, template):
        browser.get(console + "/console/journeys/new")
        self.find(browser, f"[name=template][value={template}]").click()
        self.find(browser, ".flow-step")

    def test_an_abandoned_cart_is_tried_and_published_in_every_language(self):
        for language, (size, dark) in zip(LANGUAGES, ((None, False), (PHONE, True), (None, True))):
            with self.subTest(language):
                browser, console = self.sample(language, size, dark)
                browser.get(console + "/console/journeys/new")
                self.look(browser, f"{language}-templates")
                self.begin(browser, console, "cart")
                self.look(browser, f"{language}-editor")
                # A week in a minute: the phone shows what would have arrived by then.
                self.tap(browser, "a[href$='/trial']")
                self.find(browser, "#user").send_keys("yuki", Keys.ESCAPE, Keys.ENTER)
                self.find(browser, ".trial")
                self.wait(browser, lambda: len(browser.find_elements(
                    By.CSS_SELECTOR, ".screen .banner")) == 2)
                self.look(browser, f"{language}-trial-week")
                self.tap(browser, ".clock-jumps a:nth-child(1)")
                self.wait(browser, lambda: not browser.find_elements(
                    By.CSS_SELECTOR, ".screen .banner"))
                self.tap(browser, ".clock-jumps a:nth-child(2)")
                self.wait(browser, lambda: self.text(
                    browser, ".screen [data-preview=title]") == CART[language])
                self.look(browser, f"{language}-trial-hour")
                self.tap(browser, ".back")
                self.tap(browser, "a[href$='/review']")
                self.find(browser, ".review .primary")
                self.look(browser, f"{language}-review")
                self.tap(browser, ".review .primary")
                self.find(browser, ".notice")
                self.find(browser, "[data-fresh=flow] .flow-step")
                self.look(browser, f"{language}-published")
                browser.quit()

    def test_with_the_keyboard_alone(self):
        browser, console = self.sample()
        browser.get(console + "/console/journeys/new")
        self.press(browser, "[name=template][value=blank]")
        self.press(browser, ".flow-place a")
        self.look(browser, "add")
        self.check_keyboard(browser, "choice of a step")
        self.press(browser, "[name=kind][value=push]")
        field = self.find(browser, "[name='v0.title']")
        field.send_keys("From the keyboard")
        self.find(browser, "[name='v0.message']").send_keys("No mouse was used")
        self.wait(browser, lambda: "saved" in self.text(browser, "[data-saved]"))
        self.look(browser, "push")
        # What was written outlives a reload before it is done.
        browser.refresh()
        self.assertEqual(
            self.find(browser, "[name='v0.title']").get_attribute("value"), "From the keyboard")
        self.press(browser, ".form-actions .primary")
        self.find(browser, ".flow-step")
        self.press(browser, ".flow-place a")
        self.press(browser, "[name=kind][value=delay]")
        amount = self.find(browser, "#span")
        amount.send_keys(Keys.BACKSPACE, "0", Keys.ENTER)
        self.find(browser, ".faults a[href='#span']")
        browser.get_log("browser")
        self.look(browser, "fault")
        self.find(browser, "#span").send_keys(Keys.BACKSPACE, "2", Keys.ENTER)
        self.wait(browser, lambda: self.titles(browser) == ["Wait for a time", "Push"])
        # The step that was written last is where one goes on; the whole page begins at its top.
        browser.get(browser.current_url.partition("#")[0])
        self.check_keyboard(browser, "editor")
        self.press(browser, ".flow-step:nth-of-type(2) .flow-tools summary")
        self.look(browser, "tools")
        self.press(browser, ".flow-tools[open] [value=down]")
        self.wait(browser, lambda: self.titles(browser) == ["Push", "Wait for a time"])
        self.press(browser, "[name=change][value=undo]")
        self.wait(browser, lambda: self.titles(browser) == ["Wait for a time", "Push"])
        self.press(browser, "a[href$='/rules']")
        self.find(browser, "[name=name]")
        self.look(browser, "rules")
        self.check_keyboard(browser, "rules")
        self.find(browser, "[name=name]").send_keys(" by keys")
        self.press(browser, ".form-actions .primary")
        self.find(browser, ".flow-step")
        self.press(browser, "a[href$='/review']")
        self.find(browser, ".review .primary")
        # Enter on the page of the review publishes nothing.
        ActionChains(browser).send_keys(Keys.ENTER).perform()
        self.find(browser, ".review .primary")
        self.press(browser, ".review .primary")
        self.find(browser, "[data-fresh=flow] .flow-step")
        self.assertIn("by keys", self.text(browser, "h1"))

    def test_every_form_of_a_step_is_drawn_well(self):
        browser, console = self.sample()
        self.begin(browser, console, "onboarding")
        self.look(browser, "onboarding")
        flow = browser.current_url.partition("#")[0]
        for kind in ("inApp", "clock", "event", "match", "branch", "split", "update", "webhook",
                     "jump", "journey"):
            with self.subTest(kind):
                browser.get(flow)
                places = browser.find_elements(By.CSS_SELECTOR, ".flow-place a")
                places[-1].click()
                self.find(browser, f"[name=kind][value={kind}]").click()
                self.find(browser, "#stepName")
                self.look(browser, f"form-{kind}")
                browser.get(flow)
                browser.execute_script("document.querySelector('[value=undo]').click()")
                self.find(browser, ".flow-step")

    def test_a_new_version_leads_those_who_wait_where_its_review_said(self):
        browser, console = self.sample()
        browser.get(console + "/console/journeys/1")
        self.find(browser, "[data-fresh=flow] .flow-step")
        self.look(browser, "figures")
        self.find(browser, "form[action$='/edit'] button").click()
        removed = self.find(browser, f"#step-{STEP}03 .flow-tools summary")
        removed.click()
        self.find(browser, f"#step-{STEP}03 > .flow-card [value=remove]").click()
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, f"#step-{STEP}03"))
        self.tap(browser, "a[href$='/review']")
        self.assertIn("go on as before", self.text(browser, ".answer"))
        self.look(browser, "review-keep")
        browser.execute_script("document.querySelector('[name=migration][value=move]').click()")
        self.wait(browser, lambda: "leave" in self.text(browser, ".answer"))
        select = self.find(browser, ".effects select")
        browser.execute_script(
            "arguments[0].value = arguments[1];"
            "arguments[0].dispatchEvent(new Event('change', { bubbles: true }))",
            select, f"{STEP}01")
        self.wait(browser, lambda: "go on at once" in self.text(browser, ".answer"))
        said = self.text(browser, ".answer").split(" ")[0]
        self.look(browser, "review-move")
        self.tap(browser, ".review .primary")
        self.find(browser, ".notice")
        waiting = self.find(browser, f"#step-{STEP}01 .flow-figures .strong a")
        self.assertEqual(waiting.text, said)
        waiting.click()
        self.find(browser, "tbody tr")
        rows = browser.find_elements(By.CSS_SELECTOR, "tbody tr")
        self.assertEqual(str(len(rows)), said)
        self.look(browser, "people")
        rows[0].find_element(By.CSS_SELECTOR, "a").click()
        self.find(browser, ".answer")
        self.look(browser, "person")
