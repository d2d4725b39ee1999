"""What the console asks and what it finds wrong, in the page's words."""
import time
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support import CONSOLE
from table import JourneyTest

OPEN = "dialog.question[open]"


class AsksTest(JourneyTest):
    def setUp(self):
        self.browser = self.open()
        self.log_in(self.browser, CONSOLE)

    def go(self, path):
        self.browser.get(CONSOLE + path)

    def dialogs(self):
        return self.browser.find_elements(By.CSS_SELECTOR, OPEN)

    def focused(self):
        return self.browser.switch_to.active_element

    def revoke_button(self, name):
        for form in self.browser.find_elements(By.CSS_SELECTOR, "form[data-confirm]"):
            fields = form.find_elements(By.CSS_SELECTOR, f"[name=name][value='{name}']")
            if fields:
                return form.find_element(By.TAG_NAME, "button")
        return None

    def test_what_cannot_be_taken_back_is_asked_in_a_dialog(self):
        browser = self.browser
        name = f"asks {time.time_ns()}"
        self.go("/console/settings/keys")
        self.browser.execute_script(
            "for (const fold of document.querySelectorAll('details')) fold.open = true")
        self.type(browser, "#name", name)
        self.choose(browser, "[name=permission][value='users.track']")
        self.choose(browser, "form[action='/console/settings/keys'] .primary")
        self.go("/console/settings/keys")
        button = self.revoke_button(name)
        label = button.text

        # Enter does what is safe, as Escape does; the dialog has the form's verb.
        for key in [Keys.ENTER, Keys.ESCAPE]:
            button.click()
            self.wait(browser, self.dialogs)
            dialog = self.dialogs()[0]
            self.assertIn(name, dialog.text)
            self.assertEqual(dialog.find_element(By.CSS_SELECTOR, ".danger").text, label)
            self.check_page(browser, "question")
            self.picture(browser, "question")
            self.focused().send_keys(key)
            self.wait(browser, lambda: not self.dialogs())
            self.assertEqual(self.focused().text, label)
        self.go("/console/settings/keys")
        self.assertIsNotNone(self.revoke_button(name))

        self.revoke_button(name).click()
        self.choose(browser, OPEN + " .danger")
        self.wait(browser, lambda: not self.dialogs() and self.revoke_button(name) is None)

    def test_a_field_says_what_it_wants_in_the_language_of_the_page(self):
        browser = self.browser
        for language, missing, email in [
            ("en", "Fill this in.", "email address"),
            ("ja", "入力してください。", "メールアドレス"),
            ("pt-BR", "Preencha este campo.", "e-mail"),
        ]:
            buttons = browser.find_elements(By.CSS_SELECTOR, f".languages [value='{language}']")
            browser.execute_script("arguments[0].click()", buttons[0])
            self.wait(browser, lambda: browser.execute_script(
                "return document.documentElement.lang") == language)
            self.go("/console/settings/team")
            browser.execute_script(
                "for (const fold of document.querySelectorAll('details')) fold.open = true")
            self.choose(browser, "form[action='/console/settings/team'] .primary")
            line = "#name ~ .fault"
            self.wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, line))
            self.assertEqual(self.text(browser, line), missing)
            self.assertEqual(self.focused().get_attribute("id"), "name")
            self.assertEqual(self.focused().get_attribute("aria-invalid"), "true")
            self.check_page(browser, f"validity {language}")
            self.picture(browser, f"validity-{language}")
            # It goes as soon as the field is right; the next one says its own.
            self.type(browser, "#name", "Ada")
            self.assertEqual(browser.find_elements(By.CSS_SELECTOR, line), [])
            self.type(browser, "#email", "ada")
            self.choose(browser, "form[action='/console/settings/team'] .primary")
            self.assertIn(email, self.text(browser, "#email ~ .fault"))


if __name__ == "__main__":
    unittest.main()
