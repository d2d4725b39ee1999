"""What comes from files says so in the console, and a patch makes the files say what is there."""
import subprocess

from own_server import OwnServerTest
from support import DESKTOP, LANGUAGES, PHONE

BLOCK = """# What stands below every message.
name: footer   # the same everywhere
content: "Bye, {{ ${first_name} }}"
"""
FETCH = """
const [address, done] = arguments;
fetch(address).then((answer) => answer.text()).then(done, (error) => done(String(error)));
"""


class Files(OwnServerTest):
    def fill(self):
        self.member("Ada")
        self.apply("content", {"content-blocks/footer.yaml": BLOCK})

    def open_block(self):
        self.go("/console/blocks")
        self.find(self.browser, "main tbody a[href*='/console/blocks/']").click()
        self.find(self.browser, "#content")

    def check_everywhere(self, path, where):
        """The page in every language, on a desk and on a phone."""
        for language in LANGUAGES:
            self.go(path)
            self.speak(language)
            for size in (DESKTOP, PHONE):
                self.dress(self.browser, size)
                self.check_page(self.browser, f"{where} in {language}, {size}")
        self.dress(self.browser)
        self.speak("en")
        self.check_keyboard(self.browser, where)

    def test_a_row_names_its_file_and_a_patch_takes_its_change_there(self):
        browser = self.browser
        self.log_in(browser, self.console, "ada")
        self.go("/console/files")
        self.assertIn("The files say what is here.", self.text(browser, "main"))
        self.check_everywhere("/console/files", "files that say the same")

        self.open_block()
        self.assertIn("content-blocks/footer.yaml", self.text(browser, ".file-notice"))
        self.assertIn("would undo", self.text(browser, ".file-notice"))
        self.check_page(browser, "a row from a file")
        self.find(browser, "#content").clear()
        self.find(browser, "#content").send_keys("Farewell, {{ ${first_name} }}")
        self.find(browser, ".form-actions .primary").click()
        self.wait(browser, lambda: "saved" in self.text(browser, ".notice"))
        self.assertIn("still says what was here before", self.text(browser, ".file-notice"))
        self.check_page(browser, "a row that its file does not say")
        self.picture(browser, "files-notice")
        self.find(browser, ".file-notice a").click()
        self.wait(browser, lambda: "/console/files" in browser.current_url)
        shown = self.text(browser, ".patch pre")
        self.assertIn('-content: "Bye, {{ ${first_name} }}"', shown)
        self.assertIn('+content: "Farewell, {{ ${first_name} }}"', shown)
        self.assertNotIn("-name", shown)
        self.check_everywhere("/console/files", "files that say something else")
        self.picture(browser, "files-patch")

        # Downloaded and applied in the repository, nothing is left to be applied.
        address = self.find(browser, "a[download]").get_attribute("href")
        (self.folder / "noroshi.patch").write_text(
            browser.execute_async_script(FETCH, address))
        subprocess.run(["git", "apply", "--directory=content", "noroshi.patch"], check=True,
                       cwd=self.folder)
        content = self.folder / "content"
        self.assertEqual((content / "content-blocks/footer.yaml").read_text(),
                         BLOCK.replace("Bye", "Farewell"))
        self.command("plan", str(content), "--no-counts", "--expect-no-changes")

    def test_released_rows_come_from_no_file(self):
        browser = self.browser
        self.log_in(browser, self.console, "ada")
        self.go("/console/files")
        self.find(browser, ".actions .danger").click()
        self.find(browser, "dialog[open] [data-question-yes]").click()
        self.wait(browser, lambda: "Nothing comes from files" in self.text(browser, "main"))
        self.check_everywhere("/console/files", "no files")
        self.open_block()
        self.assertEqual(browser.find_elements("css selector", ".file-notice"), [])
