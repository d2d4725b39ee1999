"""Every page with no, some and very much data, in every language, light and dark, wide and narrow."""
import os

from support import DESKTOP, LANGUAGES, PHONE, BrowserTest

PAGES = {
    "overview": "/console",
    "pushes": "/console/push",
    "composer": "/console/push/new",
    "push": "/console/push/9",
    "recipients": "/console/push/9/recipients",
    "campaigns": "/console/campaigns",
    "campaign": "/console/campaigns/2",
    "campaign-wizard": "/console/campaigns/2/edit",
    "new-campaign": "/console/campaigns/new",
    "news": "/console/news",
    "news-item": "/console/news/2",
    "new-news": "/console/news/new",
    "segments": "/console/segments",
    "lists": "/console/segments/lists",
    "segment": "/console/segments/1",
    "new-segment": "/console/segments/new",
    "events": "/console/events",
    "attributes": "/console/attributes",
    "users": "/console/users",
    "user": "/console/users/3",
    "apps": "/console/settings/apps",
    "keys": "/console/settings/keys",
    "team": "/console/settings/team",
    "limits": "/console/settings/limits",
    "audit": "/console/settings/audit",
    "phone": "/phones/phone-1",
}
# Without data these do not exist.
THINGS = ("push", "recipients", "campaign", "campaign-wizard", "news-item", "segment", "user")


class Pages(BrowserTest):
    def look(self, size_name, language, size, dark):
        console = os.environ["NOROSHI_PREVIEW_" + size_name.upper()]
        browser = self.open(language, size, dark)
        self.log_in(browser, console)
        for name, path in PAGES.items():
            if size_name == "empty" and name in THINGS:
                continue
            shape = "phone" if size == PHONE else "desktop"
            where = f"{size_name}-{language}-{shape}-{'dark' if dark else 'light'}-{name}"
            with self.subTest(where):
                browser.get(console + path)
                self.find(browser, "h1")
                self.picture(browser, where)
                self.check_page(browser, where)

    def test_some_data_on_a_desktop_in_every_language(self):
        for language in LANGUAGES:
            self.look("small", language, DESKTOP, dark=False)

    def test_some_data_in_the_dark(self):
        self.look("small", "en", DESKTOP, dark=True)

    def test_some_data_on_a_phone(self):
        self.look("small", "ja", PHONE, dark=False)
        self.look("small", "pt-BR", PHONE, dark=True)

    def test_no_data(self):
        self.look("empty", "en", DESKTOP, dark=False)
        self.look("empty", "pt-BR", PHONE, dark=False)

    def test_very_much_data(self):
        self.look("large", "pt-BR", DESKTOP, dark=False)
