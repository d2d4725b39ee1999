"""Notifications whose content the SDK's content extension draws, from the composer to the phone: an
address that is asked for, progress, a wheel, a match game; and a story of a campaign's variant."""
import time

from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from support import CONSOLE
from table import JourneyTest


class Expanded(JourneyTest):
    def setUp(self):
        self.browser = self.open()
        self.log_in(self.browser)
        self.stamp = str(time.time_ns())[-8:]
        self.console, self.phone = self.open_phone(self.browser)

    def go(self, path):
        self.browser.switch_to.window(self.console)
        self.browser.get(CONSOLE + path)

    def send(self, pattern, pairs):
        """Sends Ada a push with a pattern, and expands it on her phone."""
        browser = self.browser
        title = f"{pattern.removeprefix('noroshi_')} {self.stamp}"
        self.go("/console/push/new")
        self.type(browser, "#title", title)
        self.type(browser, "#message", "Look inside")
        self.find(browser, ".options summary").click()
        Select(self.find(browser, "[data-pattern]")).select_by_value(pattern)
        rows = browser.find_elements(By.CSS_SELECTOR, "[data-pairs] > *")
        fields = {row.find_element(By.CSS_SELECTOR, "[name=key]").get_property("value"):
                  row.find_element(By.CSS_SELECTOR, "[name=value]") for row in rows}
        for key, value in pairs.items():
            fields[key].clear()
            fields[key].send_keys(value)
        self.choose(browser, "[name=audience][value=user]")
        self.type(browser, "#user", "ada")
        self.find(browser, ".form-actions .primary").click()
        self.find(browser, ".review .primary").click()
        self.find(browser, ".detail-figures")
        browser.switch_to.window(self.phone)
        self.expand(browser, title)
        return title

    def is_told(self, told, seconds=20):
        """Whether Ada's history says something."""
        def tells():
            self.go("/console/users?text=ada")
            self.browser.get(self.find(self.browser, "tbody .row-link").get_attribute("href"))
            # A property and its value are beside each other or below.
            text = self.browser.find_element(By.TAG_NAME, "body").text
            return told in " ".join(text.split())
        try:
            return self.wait(self.browser, tells, seconds)
        except TimeoutException:
            return False

    def test_an_address_is_asked_for_registered_and_thanked_for(self):
        browser = self.browser
        self.send("noroshi_capture", {"capture_kind": "email"})
        field = self.find(browser, ".content input")
        self.assertEqual(field.get_property("placeholder"), "name@example.com")
        address = f"ada{self.stamp}@example.com"
        field.send_keys(address[:-4])
        self.assertEqual(browser.find_elements(By.CSS_SELECTOR, ".content button"), [])
        field.send_keys(address[-4:])
        # The field keeps what is typed, and the focus, while the phone draws the button.
        button = self.find(browser, ".content button")
        self.assertEqual(field.get_property("value"), address)
        self.assertEqual(browser.switch_to.active_element, field)
        self.check_page(browser, "phone that asks for an address")
        self.picture(browser, "journey-expanded-capture")
        button.click()
        self.wait(browser, lambda: "Thank you" in self.text(browser, ".content"))
        self.picture(browser, "journey-expanded-thanks")
        # It closes by itself, and is gone.
        self.wait(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, ".veil"))
        self.assertTrue(self.is_told(address))

    def test_progress_is_that_of_the_user(self):
        browser = self.browser
        self.send("noroshi_progress", {
            "completed_session_count": "3", "total_session_count": "8",
            "next_session_name": "Segments", "next_session_complete_date": "2026-12-24"})
        self.wait(browser, lambda: "3 / 8" in self.text(browser, ".content"))
        self.assertIn("Segments · 2026-12-24", self.text(browser, ".content"))
        bar = self.find(browser, ".content progress")
        self.assertEqual(bar.get_property("value"), 0.375)
        self.check_page(browser, "phone with progress")
        self.picture(browser, "journey-expanded-progress")

    def test_the_wheel_stops_at_the_prize_that_it_says(self):
        browser = self.browser
        self.send("noroshi_wheel", {"prizes": "5 %, 10 %, 20 %, Tea"})
        labels = [text.text for text in
                  self.find(browser, ".content .wheel")
                  .find_elements(By.CSS_SELECTOR, "text")]
        self.assertEqual(labels, ["5 %", "10 %", "20 %", "Tea"])
        self.check_page(browser, "phone with a wheel")
        self.picture(browser, "journey-expanded-wheel")
        self.find(browser, ".content button").click()
        said = self.wait(
            browser, lambda: self.find(browser, ".content p:last-child").text.strip(), 20)
        # The prize is said when the app's three seconds are over; the browser's may end later.
        self.wait(browser, lambda: browser.execute_script(
            "return document.querySelector('.content .wheel svg').getAnimations().length === 0"))
        # Which label is at the top of the disc, as the browser has turned it.
        top = browser.execute_script("""
          const middle = (element) => {
            const { left, top, width, height } = element.getBoundingClientRect();
            return [left + width / 2, top + height / 2];
          };
          return [...document.querySelectorAll(".content .wheel text")]
            .sort((a, b) => middle(a)[1] - middle(b)[1])[0].textContent;""")
        self.assertEqual(said, top)
        self.assertFalse(self.find(browser, ".content button").is_enabled())
        self.picture(browser, "journey-expanded-won")
        self.assertTrue(self.is_told(f"prize {said}"))

    def test_the_match_game_is_played_to_its_end(self):
        browser = self.browser
        self.send("noroshi_match", {"faces": "🍵, 🍡"})
        cards = lambda: browser.find_elements(By.CSS_SELECTOR, ".content button")
        self.wait(browser, lambda: len(cards()) == 4)
        self.assertEqual([card.text for card in cards()], ["?"] * 4)
        self.assertEqual(cards()[0].get_attribute("aria-label"), "Card 1")
        self.check_page(browser, "phone with cards")
        self.picture(browser, "journey-expanded-match")
        open_card = lambda index: (
            cards()[index].click(),
            self.wait(browser, lambda: cards()[index].text != "?"))
        faces = []
        for index in range(4):
            # Two at a time; a third one closes two that differ.
            open_card(index)
            faces.append(cards()[index].text)
        for face in sorted(set(faces)):
            first, second = (index for index, other in enumerate(faces) if other == face)
            if cards()[first].is_enabled():
                for index in (first, second):
                    if cards()[index].text == "?":
                        open_card(index)
                if cards()[first].is_enabled():
                    # The two that lay open were others.
                    open_card(first)
                    open_card(second)
        self.wait(browser, lambda: not any(card.is_enabled() for card in cards()))
        self.picture(browser, "journey-expanded-matched")
        self.assertTrue(self.is_told("match_game_won"))

    def test_a_variant_of_a_campaign_has_pages_of_its_own(self):
        browser = self.browser
        self.go("/console/campaigns/new")
        self.type(browser, "#name", f"Two stories {self.stamp}")
        self.type(browser, "[name='v0.message']", "For everyone")
        self.find(browser, "[data-add-variant]").click()
        self.type(browser, "[name='v1.message']", "For some")
        story = self.find(browser, "[data-variant='1'] > .body > details:last-child summary")
        story.click()
        rows = browser.find_elements(By.CSS_SELECTOR, "[data-variant='1'] .row.page")
        self.assertEqual(len(rows), 3)
        for number, row in enumerate(rows, 1):
            row.find_element(By.CSS_SELECTOR, "[name='v1.storyImage']").send_keys(
                f"https://127.0.0.1:9/own{number}.png")
            row.find_element(By.CSS_SELECTOR, "[name='v1.storyTitle']").send_keys(f"Own {number}")
        # A row that is added belongs to the variant too, and the preview is that of the variant.
        browser.find_element(
            By.CSS_SELECTOR, "[data-variant='1'] [data-own-story] [data-add-row]").click()
        rows = browser.find_elements(By.CSS_SELECTOR, "[data-variant='1'] .row.page")
        self.assertEqual(len(rows), 4)
        self.wait(browser, lambda: "Own 1" in self.text(browser, ".expanded .story-page"))
        self.check_page(browser, "campaign with a story of a variant")
        self.picture(browser, "journey-story-variant")
        self.find(browser, "[name='v0.title']").click()
        self.wait(browser, lambda: not browser.find_elements(
            By.CSS_SELECTOR, ".expanded .story-page"))
