"""A member of two workspaces changes between them by the menu in the header."""
from selenium.webdriver.common.by import By

from own_server import OwnServerTest
from support import DESKTOP, LANGUAGES, PHONE

BLOCK = "name: {name}\ncontent: Hello\n"
BLOCKS = "/console/blocks"


class Workspaces(OwnServerTest):
    def fill(self):
        self.member("Ada")
        self.member("Ben", "--role", "viewer")
        self.command("workspace", "create", "--name", "Harbor", "--time-zone", "Asia/Tokyo",
                     "--administrator", "ada@example.com")
        self.command("member", "add", "--workspace", "Harbor", "--email", "ben@example.com",
                     "--role", "administrator")
        for workspace, name in (("Default", "greeting"), ("Harbor", "anchor")):
            self.apply(workspace, {f"content-blocks/{name}.yaml": BLOCK.format(name=name)},
                       "--workspace", workspace)

    def open_menu(self):
        self.find(self.browser, ".workspaces summary").click()
        self.find(self.browser, ".workspaces[open] button")

    def change(self, name):
        self.open_menu()
        button = next(button for button in self.browser.find_elements(
            By.CSS_SELECTOR, ".workspaces[open] button") if name in button.text)
        button.click()
        self.wait(self.browser, lambda: self.browser.current_url == self.console + "/console")
        self.check_is_in(name)

    def check_is_in(self, name):
        self.assertEqual(self.text(self.browser, ".workspaces summary .name"), name)

    def check_blocks(self, shown, hidden):
        text = self.text(self.browser, "main")
        self.assertIn(shown, text)
        self.assertNotIn(hidden, text)

    def test_a_member_sees_only_what_belongs_to_the_workspace_that_is_open(self):
        browser = self.browser
        self.log_in(browser, self.console, "ben")
        self.check_is_in("Default")
        self.go(BLOCKS)
        self.check_blocks("greeting", "anchor")
        block = self.find(browser, "main tbody a[href*='/console/blocks/']").get_attribute("href")
        self.go("/console/settings/team")
        self.assertNotIn("ben@example.com", self.text(browser, "body"))
        # A page that is refused is an error of the browser's.
        browser.get_log("browser")

        # The menu is for everybody's eyes, hands and languages.
        for language in LANGUAGES:
            self.go(BLOCKS)
            self.speak(language)
            for size in (DESKTOP, PHONE):
                self.dress(browser, size)
                self.open_menu()
                self.check_page(browser, f"the menu of workspaces in {language}, {size}")
                browser.refresh()
        self.dress(browser)
        self.speak("en")
        browser.execute_script("document.querySelector('.workspaces').open = true")
        self.check_keyboard(browser, "the menu of workspaces")
        self.picture(browser, "workspaces-menu")
        browser.refresh()

        self.change("Harbor")
        # What the browser has seen before is not shown again as if nothing had happened.
        browser.back()
        self.wait(browser, lambda: browser.current_url == self.console + BLOCKS)
        self.check_is_in("Harbor")
        self.check_blocks("anchor", "greeting")
        browser.forward()
        self.check_is_in("Harbor")
        self.go(BLOCKS)
        browser.refresh()
        self.check_blocks("anchor", "greeting")
        for language in ("ja", "en"):
            self.speak(language)
            self.check_is_in("Harbor")
            self.check_blocks("anchor", "greeting")
        # An address from before leads nowhere here, and the role is the one of this workspace.
        browser.get(block)
        self.assertNotIn("greeting", self.text(browser, "body"))
        self.go("/console/settings/team")
        self.assertIn("ben@example.com", self.text(browser, "main"))

        self.change("Default")
        browser.get(block)
        self.assertIn("greeting", self.text(browser, "main"))

    def test_the_next_login_begins_in_the_workspace_that_was_open_last(self):
        browser = self.browser
        self.log_in(browser, self.console, "ben")
        self.change("Harbor")
        browser.delete_all_cookies()
        self.log_in(browser, self.console, "ben")
        self.check_is_in("Harbor")

    def test_a_form_of_the_other_workspace_changes_nothing_here(self):
        browser = self.browser
        self.log_in(browser, self.console, "ada")
        self.go(BLOCKS)
        self.find(browser, "main tbody a[href*='/console/blocks/']").click()
        form = browser.current_window_handle
        self.find(browser, "#description").send_keys("written before")
        browser.switch_to.new_window("tab")
        self.go("/console")
        self.change("Harbor")
        browser.close()
        browser.switch_to.window(form)
        self.find(browser, ".form-actions .primary").click()
        self.wait(browser, lambda: "written before" not in self.text(browser, "body"))
        self.go(BLOCKS)
        self.check_blocks("anchor", "greeting")
        self.change("Default")
        self.go(BLOCKS)
        self.find(browser, "main tbody a[href*='/console/blocks/']").click()
        self.assertEqual(self.find(browser, "#description").get_attribute("value"), "")
