"""Every page with no, some and very much data, in every language, light and dark, wide and narrow."""
import json
import os
import pathlib
import sys
import unittest

from pages import NO_PAGES, PAGES, matches, routes
from support import DESKTOP, LANGUAGES, PHONE, BrowserTest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Benchmarks/console"))
import bench  # noqa: E402


class Coverage(unittest.TestCase):
    def test_every_page_that_the_router_knows_is_looked_at(self):
        known = routes()
        self.assertGreater(len(known), 20)
        covered = {route for route, _, _ in PAGES.values()}
        self.assertEqual(sorted(known - covered - NO_PAGES.keys()), [], "no test looks at these")
        self.assertEqual(sorted(covered - known), [], "these are not there")

    def test_the_benchmark_measures_every_page(self):
        addresses = list(bench.pages(100_000).values())
        fixed = {route for route, _, _ in PAGES.values() if ":" not in route}
        missing = []
        for route, _, _ in PAGES.values():
            found = [address for address in addresses if matches(route, address)
                     and (":" not in route or address not in fixed)]
            if not found and not route.startswith("/phones"):
                missing.append(route)
        self.assertEqual(missing, [])


class Pages(BrowserTest):
    def look(self, size_name, language, size, dark, addresses=None, keyboard=False):
        console = os.environ["NOROSHI_PREVIEW_" + size_name.upper()]
        browser = self.open(language, size, dark)
        where = f"{size_name}-{language}-{'phone' if size == PHONE else 'desktop'}" \
                f"-{'dark' if dark else 'light'}"
        with self.subTest(f"{where}-login"):
            browser.get(console + "/console/login")
            self.find(browser, "h1")
            self.picture(browser, f"{where}-login")
            self.check_page(browser, f"{where}-login")
        self.log_in(browser, console, size_name)
        if addresses is None:
            addresses = {name: address for name, (_, address, needs_data) in PAGES.items()
                         if size_name != "empty" or not needs_data}
        for name, path in addresses.items():
            page = f"{where}-{name}"
            with self.subTest(page):
                browser.get(console + path)
                self.find(browser, "h1")
                self.picture(browser, page)
                self.check_page(browser, page)
                if keyboard:
                    self.check_keyboard(browser, page)

    def test_some_data_on_a_desktop_in_every_language(self):
        for language in LANGUAGES:
            self.look("small", language, DESKTOP, dark=False)

    def test_some_data_in_the_dark(self):
        self.look("small", "en", DESKTOP, dark=True)

    def test_some_data_on_a_phone(self):
        self.look("small", "ja", PHONE, dark=False)
        self.look("small", "pt-BR", PHONE, dark=True)

    def test_some_data_with_the_keyboard(self):
        self.look("small", "en", DESKTOP, dark=False, keyboard=True)

    def test_no_data(self):
        self.look("empty", "en", DESKTOP, dark=False)
        self.look("empty", "pt-BR", PHONE, dark=False)
        self.look("empty", "ja", DESKTOP, dark=True)

    def test_a_hundred_thousand_users_on_the_server_itself(self):
        things = json.loads(os.environ["NOROSHI_LARGE_THINGS"])
        addresses = {name.replace(" ", "-").replace(",", ""): address
                     for name, address in bench.pages(100_000, things).items()
                     if not address.startswith("/console/palette")}
        self.look("large", "pt-BR", DESKTOP, dark=False, addresses=addresses)
        self.look("large", "ja", PHONE, dark=True, addresses=addresses)
