"""A server with an empty database of its own, which is filled by commands."""
import os
import pathlib
import tempfile
import unittest

from selenium.webdriver.common.by import By

import databases
from support import BrowserTest
from web_sdk_test import SERVER, Program, command


@unittest.skipUnless(SERVER, "NOROSHI_SERVER_BINARY names the server's binary")
class OwnServerTest(BrowserTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.fill()
        server = Program("serve", "--listen", "127.0.0.1:0", "--log-level", "error",
                         *self.database)
        self.addCleanup(server.end)
        self.console = server.address
        self.browser = self.open()

    def fill(self):
        """What there is before the server starts."""

    @property
    def database(self):
        return ["--database", databases.address(self.folder / "noroshi.sqlite")]

    def command(self, *words):
        """The last line that a command prints."""
        return command(*words, *self.database)

    def member(self, name, *more):
        """A member of the only workspace, who can log in."""
        email = f"{name.lower()}@example.com"
        os.environ[f"NOROSHI_{name.upper()}_EMAIL"] = email
        os.environ[f"NOROSHI_{name.upper()}_PASSWORD"] = self.command(
            "member", "create", "--name", name, "--email", email, *more)

    def apply(self, name, files, *more):
        """Applies a folder of files."""
        for path, text in files.items():
            file = self.folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        plan = self.command("plan", str(self.folder / name), "--no-counts", *more).split()[-1]
        self.command("apply", str(self.folder / name), "--plan", plan, *more)

    def go(self, path):
        self.browser.get(self.console + path)

    def speak(self, language):
        """Chooses a language in the page's menu."""
        button = self.browser.find_elements(
            By.CSS_SELECTOR, f".languages [value='{language}']")[0]
        self.browser.execute_script("arguments[0].click()", button)
        self.wait(self.browser, lambda: self.browser.execute_script(
            "return document.documentElement.lang") == language)
