"""The web SDK in a real Chromium, with the server and the Web Push simulator as programs.

The one thing that is not real is the browser's connection to its own push service: a page gets its
subscription from the simulator, and what the simulator accepted is handed to the browser through
the DevTools protocol.
"""
import base64
import http.server
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

import databases

SERVER = os.environ.get("NOROSHI_SERVER_BINARY", "")
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><h1>Shop</h1>"""
# What the site's owner writes, and a hand that taps, which only a person has.
WORKER = """
importScripts("%s/sdk/web/worker.js");
self.addEventListener("message", (event) => event.waitUntil((async () => {
  if (event.data.type !== "notificationclick" && event.data.type !== "notificationclose") return;
  const shown = await self.registration.getNotifications();
  const notification = shown.find(({ title }) => title === event.data.title);
  self.dispatchEvent(new NotificationEvent(event.data.type,
    { notification, action: event.data.action ?? "" }));
})()));
"""


class Site(http.server.BaseHTTPRequestHandler):
    """A shop's own web server."""

    def do_GET(self):
        script = self.path.startswith("/noroshi-worker.js")
        body = (WORKER % self.server.push_server if script else PAGE).encode()
        self.send_response(200)
        self.send_header("content-type", "text/javascript" if script else "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def command(*arguments):
    result = subprocess.run([SERVER, *arguments], capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(result.stdout + result.stderr)
    return result.stdout.strip().splitlines()[-1]


class Program:
    """A command that runs until it is told to end, and the address that it prints."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([SERVER, *arguments], stdout=subprocess.PIPE, text=True)
        self.address = None
        while not self.address:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"{arguments} ended")
            found = re.search(r"https?://[\d.:]+", line)
            self.address = found and found.group(0)
        # The rest is not read, but a full pipe would stop the program.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def end(self):
        self.process.terminate()
        return self.process.wait(timeout=20)


@unittest.skipUnless(SERVER, "NOROSHI_SERVER_BINARY names the server's binary")
class WebSDK(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.database = pathlib.Path(self.folder.name) / "noroshi.sqlite"
        authority = str(pathlib.Path(self.folder.name) / "authority.pem")
        options = ["--database", databases.address(self.database)]
        self.sdk_key = command("app", "create", "--name", "Shop", "--platform", "web",
                               "--bundle-id", "https://shop.example", *options)
        self.api_key = command("apikey", "create", "--name", "test", "--permissions", "*", *options)
        self.vapid_key = command("credentials", "vapid", "--app", "https://shop.example",
                                 "--contact", "mailto:shop@example.com",
                                 "--site", "https://shop.example/", *options)
        self.simulator = Program("simulate", "webpush", "--authority-file", authority)
        self.addCleanup(self.simulator.end)
        self.server = Program("serve", "--listen", "127.0.0.1:0", "--log-level", "error",
                              "--webpush-server", self.simulator.address.removeprefix("https://"),
                              "--webpush-authority", authority, *options)
        self.addCleanup(self.server.end)
        self.trust = ssl.create_default_context(cafile=authority)
        site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        site.push_server = self.server.address
        threading.Thread(target=site.serve_forever, daemon=True).start()
        self.addCleanup(site.shutdown)
        self.origin = f"http://127.0.0.1:{site.server_address[1]}"
        self.browser = self.open()

    def open(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.addCleanup(browser.quit)
        browser.set_script_timeout(60)
        browser.execute_cdp_cmd("Browser.grantPermissions", {
            "origin": self.origin, "permissions": ["notifications"]})
        self.registrations = []
        browser.execute_cdp_cmd("ServiceWorker.enable", {})
        browser.get(self.origin)
        return browser

    # The three sides

    def run_js(self, script, *arguments):
        """Runs the body of an async function on the page."""
        answer = self.browser.execute_async_script(
            "const finish = arguments[arguments.length - 1]; const given = [...arguments];"
            "(async () => {" + script + "})().then((value) => finish({ value }),"
            " (error) => finish({ error: String(error.stack ?? error) }));", *arguments)
        if "error" in answer:
            self.fail(answer["error"])
        return answer.get("value")

    def start(self):
        return self.run_js("""
            const { Noroshi } = await import(given[0] + "/sdk/web/noroshi.js");
            globalThis.noroshi = await Noroshi.start({ apiKey: given[1] });
        """, self.server.address, self.sdk_key)

    def subscribe(self):
        """Subscribes as a click does, at the simulator."""
        body = json.dumps({"application_server_key": self.vapid_key}).encode()
        request = urllib.request.Request(
            self.simulator.address + "/simulator/subscriptions", body, method="POST")
        with urllib.request.urlopen(request, context=self.trust) as answer:
            subscription = json.load(answer)
        taken = self.run_js("""
            const text = given[0];
            PushManager.prototype.getSubscription = async () => null;
            PushManager.prototype.subscribe = async (options) => {
              globalThis.usedKey = btoa(String.fromCharCode(...options.applicationServerKey));
              return { endpoint: text.endpoint, toJSON: () => text };
            };
            const isSubscribed = await noroshi.subscribeToPush();
            return [isSubscribed, globalThis.usedKey];
        """, subscription)
        self.assertTrue(taken[0])
        used = taken[1].replace("+", "-").replace("/", "_").replace("=", "")
        self.assertEqual(used, self.vapid_key)
        return subscription

    def post(self, path, body):
        request = urllib.request.Request(
            self.server.address + path, json.dumps(body).encode(), method="POST", headers={
                "authorization": "Bearer " + self.api_key, "content-type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def send(self, user, title, **more):
        self.post("/messages/send", {"external_user_ids": [user], "messages": {
            "web_push": {"title": title, "alert": "Fresh today", **more}}})

    def accepted(self, count):
        """What the browser would read of the newest push, once there are so many."""
        def look():
            request = self.simulator.address + "/simulator/accepted"
            with urllib.request.urlopen(request, context=self.trust) as answer:
                return json.load(answer)
        self.wait(lambda: len(look()) >= count)
        return look()[-1]["content"]

    def deliver(self, content):
        self.browser.execute_cdp_cmd("ServiceWorker.deliverPushMessage", {
            "origin": self.origin, "registrationId": self.registration(),
            "data": json.dumps(content)})

    def registration(self):
        # Chromium counts registrations of a profile from 0; this profile is new and has one.
        return "0"

    def shown(self):
        return self.run_js("""
            const registration = await navigator.serviceWorker.ready;
            const shown = await registration.getNotifications();
            return shown.map(({ title, body, tag }) => ({ title, body, tag }));
        """)

    def hand(self, event, title, action=None):
        self.run_js("""
            const registration = await navigator.serviceWorker.ready;
            registration.active.postMessage({ type: given[0], title: given[1], action: given[2] });
        """, event, title, action)

    def number(self, query):
        return int(databases.ask(self.database, query)[0][0])

    def wait(self, condition, seconds=40):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.05)
        self.fail("waited in vain; the page said: "
                  + str([line["message"] for line in self.browser.get_log("browser")]))

    # The tests

    def test_events_attributes_and_a_change_of_user_reach_the_server_once(self):
        self.start()
        self.run_js("""
            await noroshi.logCustomEvent("viewed_item", { sku: "T-1" });
            await noroshi.changeUser("mai");
            await noroshi.setAttributes({ favourite_tea: "mate", visits: { inc: 2 } });
            await noroshi.logPurchase("tea", "jpy", 480, 2);
            await noroshi.flush();
        """)
        self.assertEqual(self.run_js("return noroshi.pendingCount();"), 0)
        self.assertEqual(self.number(
            "SELECT count(*) FROM profiles WHERE external_id = 'mai'"), 1)
        export = self.post("/users/export/ids", {"external_ids": ["mai"]})
        user = export["users"][0]
        self.assertEqual(user["custom_attributes"]["favourite_tea"], "mate")
        self.assertEqual(user["custom_attributes"]["visits"], 2)
        events = {event["name"]: event["count"] for event in user["custom_events"]}
        self.assertEqual(events, {"viewed_item": 1})

    def test_a_nameless_user_is_deleted_at_their_wish_and_a_named_one_only_with_a_token(self):
        self.start()
        users = "SELECT count(*) FROM profiles"
        self.run_js('await noroshi.logCustomEvent("viewed_item"); await noroshi.flush();')
        self.assertEqual(self.number(users), 1)
        before = self.run_js("return noroshi.deviceId();")
        self.run_js('await noroshi.logCustomEvent("waits"); await noroshi.deleteUserData();')
        self.assertEqual(self.number(users), 0)
        self.assertNotEqual(self.run_js("return noroshi.deviceId();"), before)
        self.assertEqual(self.run_js("return noroshi.pendingCount();"), 0)
        # The app has no keys for tokens, so that nobody can delete whom they only name.
        refusal = self.run_js("""
            await noroshi.changeUser("mai");
            await noroshi.flush();
            return noroshi.deleteUserData().then(() => "deleted", (error) => error.message);
        """)
        self.assertIn("SDK authentication", refusal)
        self.assertEqual(self.run_js("return noroshi.userId();"), "mai")
        self.assertEqual(self.number(users + " WHERE external_id = 'mai'"), 1)

    def test_what_was_logged_without_a_network_is_sent_later_under_the_same_ids(self):
        self.start()
        self.run_js("""
            globalThis.realFetch = globalThis.fetch;
            globalThis.sent = [];
            globalThis.fetch = async (address, options) => {
              globalThis.sent.push(...JSON.parse(options.body).records.map(({ id }) => id));
              // The server has stored it, and the answer is lost.
              await realFetch(address, options);
              throw new TypeError("the network is gone");
            };
            await noroshi.changeUser("mai");
            await noroshi.logCustomEvent("viewed_item");
            await noroshi.flush();
        """)
        self.assertGreater(self.run_js("return noroshi.pendingCount();"), 0)
        first = self.run_js("return globalThis.sent;")
        # Another page of the same site sends on.
        self.browser.get(self.origin)
        self.start()
        self.run_js("await noroshi.flush();")
        self.assertEqual(self.run_js("return noroshi.pendingCount();"), 0)
        self.assertTrue(first)
        for record in first:
            self.assertRegex(record, "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
        # One that is tried again in between is there again.
        made = list(dict.fromkeys(first))
        self.assertEqual(made, sorted(made))
        user = self.post("/users/export/ids", {"external_ids": ["mai"]})["users"][0]
        self.assertEqual([event["count"] for event in user["custom_events"]], [1])

    def test_ids_of_records_grow_within_a_millisecond_and_when_the_clock_goes_back(self):
        self.start()
        ids, start, end = self.run_js("""
            let now = 1_790_000_000_000;
            const ids = new NoroshiOutbox.TimeOrderedIDs(() => now);
            const made = [];
            for (let number = 0; number < 10_000; number += 1) {
              if (number === 5_000) now -= 3_600_000;
              made.push(ids.next());
            }
            now += 7_200_000;
            return [made, ids.next(), now];
        """)
        self.assertEqual(ids, sorted(ids))
        self.assertEqual(len(set(ids)), 10_000)
        self.assertEqual(int(ids[0].replace("-", "")[:12], 16), 1_790_000_000_000)
        self.assertEqual(int(start.replace("-", "")[:12], 16), end)

    def test_a_push_is_shown_received_and_opened_once(self):
        self.start()
        self.run_js('await noroshi.changeUser("mai"); await noroshi.flush();')
        self.subscribe()
        self.wait(lambda: self.number(
            "SELECT count(*) FROM devices WHERE push_provider = 'webpush'") == 1)
        self.run_js("globalThis.heard = []; noroshi.onPush((push) => heard.push(push.kind));")
        self.send("mai", "Sencha", extra={"tea": "sencha"})
        content = self.accepted(1)
        self.assertEqual(content["web_push"], 8030)
        self.deliver(content)
        # Asked before it has drawn a notification, Chromium forgets it.
        self.wait(lambda: self.number("SELECT count(received_at) FROM dispatches") == 1)
        self.wait(lambda: [note["title"] for note in self.shown()] == ["Sencha"])
        # The same push again: one notification, one receipt.
        self.deliver(content)
        time.sleep(0.5)
        self.assertEqual(len(self.shown()), 1)
        self.hand("notificationclick", "Sencha")
        self.wait(lambda: self.number("SELECT count(opened_at) FROM dispatches") == 1)
        self.wait(lambda: self.shown() == [])
        self.assertEqual(self.run_js("return heard;"), ["received", "opened"])
        self.assertEqual(self.number(
            "SELECT count(*) FROM dispatches WHERE state = 2"), 1)

    ROOT = "document.querySelector('.noroshi-message')?.shadowRoot"

    def write_message(self, kind, text, trigger, **more):
        """Writes an in-app message and starts it."""
        self.post("/in_app_messages/create", {"name": text[:40], "state": "active", "message": {
            "type": kind, "message": text, **more,
            "rules": {"triggers": [trigger], "impression_limit": 1}}})

    def interactions(self):
        self.run_js("await noroshi.flush();")
        return databases.ask(
            self.database, "SELECT kind, button FROM in_app_message_interactions ORDER BY id")

    def test_an_in_app_message_is_drawn_tapped_and_counted_and_keeps_its_limit(self):
        self.write_message("modal", "It is ready", {"type": "event", "name": "looked"},
                           header="Tea", buttons=[{"id": "0", "text": "Come", "click_action": {
                               "type": "event", "name": "coming"}}])
        self.start()
        self.run_js('await noroshi.changeUser("mai");')
        self.wait(lambda: self.run_js(f"""
            await noroshi.logCustomEvent("looked");
            return {self.ROOT}?.querySelector("h2")?.textContent;""") == "Tea")
        self.wait(lambda: ("impression", None) in self.interactions())
        self.run_js(f"{self.ROOT}.querySelector('.choice').click();")
        self.assertIsNone(self.run_js("return document.querySelector('.noroshi-message');"))
        self.wait(lambda: self.interactions() == [("impression", None), ("button", "0")])
        events = self.post("/users/export/ids", {"external_ids": ["mai"]})["users"][0]
        self.assertIn("coming", [event["name"] for event in events["custom_events"]])
        # The next page of the site knows that it has been shown.
        self.browser.get(self.origin)
        self.start()
        self.run_js("""
            const now = Date.now; Date.now = () => now() + 60_000;
            await noroshi.inAppMessages.refresh(); await noroshi.logCustomEvent("looked");""")
        time.sleep(0.5)
        self.assertIsNone(self.run_js("return noroshi.inAppMessages.visible ?? null;"))

    def test_a_message_asked_for_twice_is_shown_once_and_an_expired_one_waits_in_vain(self):
        # Time and the list of messages are in the hands of the test.
        self.start()
        shown = self.run_js("""
            const { InAppMessages } = await import(given[0] + "/sdk/web/in-app.js");
            let now = 1_800_000_000_000, isVisible = true;
            Date.now = () => now;
            Object.defineProperty(document, "visibilityState",
              { get: () => isVisible ? "visible" : "hidden" });
            // The picture of the first one is on its way until the test lets it come.
            const pictures = [];
            globalThis.Image = class {
              set src(address) { pictures.push(this); }
            };
            const asked = (id, limit, event, more = {}) => ({ id, type: "modal", message: id,
              rules: { triggers: [{ type: "event", name: event }], impression_limit: limit,
                ...more } });
            const messages = [1, 2, undefined].map((limit) => ({ ...asked(`slow${limit}`, limit,
              `slow${limit}`), type: "modal_image", image_url: "https://127.0.0.1:9/tea.png" }));
            messages.push(asked("brief", 1, "brief", { expires_at_ms: now + 300_000 }));
            const records = [], decided = [];
            const inApp = new InAppMessages({
              noroshi: { flush: async () => {}, pendingCount: async () => 0 },
              outbox: { kept: async () => ({}), keep: async () => {} },
              load: async () => ({ messages }),
              record: async (record) => records.push(record.in_app_message),
            });
            inApp.onDue((message) => { decided.push(message.id); return "display"; });
            await inApp.begin();
            await inApp.refresh();
            const settle = () => new Promise((done) => setTimeout(done, 20));
            const happened = async (name) => {
              inApp.happened({ type: "event", name, properties: {} });
              await settle();
            };
            const close = async () => {
              document.querySelector(".noroshi-message").shadowRoot.querySelector(".close").click();
              await settle();
            };
            for (const name of ["slow1", "slow2", "slowundefined"]) {
              await happened(name);
              await happened(name);
              pictures.pop().onload();
              await settle();
              await close();
              if (inApp.visible) return `${name} is shown twice`;
              now += 31_000;
            }
            isVisible = false;
            await happened("brief");
            now += 300_000;
            isVisible = true;
            document.dispatchEvent(new Event("visibilitychange"));
            await settle();
            if (inApp.visible) return "brief is shown too late";
            return [decided, records.filter(({ kind }) => kind === "impression")
              .map(({ message }) => message)];
        """, self.server.address)
        names = ["slow1", "slow2", "slowundefined"]
        self.assertEqual(shown, [names, names])

    def test_who_logs_in_while_the_server_takes_nothing_gets_messages_of_their_own_afterwards(self):
        self.post("/users/track", {"attributes": [{"external_id": "mai", "first_name": "Mai"}]})
        self.write_message("slideup", "Hello {{${first_name} | default: 'you'}}",
                           {"type": "event", "name": "looked"})
        self.start()
        self.run_js("""
            globalThis.realFetch = globalThis.fetch;
            globalThis.fetch = async (address, options) => String(address).endsWith("/batch")
              ? new Response("{}", { status: 429, headers: { "retry-after": "1" } })
              : realFetch(address, options);
            await noroshi.changeUser("mai");
            await new Promise((done) => setTimeout(done, 700));
            globalThis.fetch = realFetch;
        """)
        self.wait(lambda: self.run_js("return noroshi.pendingCount();") == 0)
        time.sleep(0.5)
        self.run_js('await noroshi.logCustomEvent("looked");')
        self.wait(lambda: self.run_js(
            f"return {self.ROOT}?.querySelector('p')?.textContent;") == "Hello Mai")

    def test_the_page_of_an_html_message_records_through_its_bridge_and_closes(self):
        self.write_message("html", """<!doctype html><title>Wheel</title><script>
            window.addEventListener("ab.BridgeReady", () => {
              brazeBridge.logCustomEvent("spun", { n: 1 });
              brazeBridge.getUser().setCustomUserAttribute("luck", 7);
              brazeBridge.logClick("0");
              brazeBridge.closeMessage();
            });</script>""", {"type": "event", "name": "looked"})
        self.start()
        self.run_js('await noroshi.changeUser("mai");')
        self.wait(lambda: self.run_js("""
            await noroshi.logCustomEvent("looked"); await noroshi.flush();
            return noroshi.inAppMessages.visible?.type ?? null;""")
                  or ("button", "0") in self.interactions())
        self.wait(lambda: self.interactions() == [
            ("impression", None), ("button", "0"), ("dismissed", None)])
        self.assertIsNone(self.run_js("return document.querySelector('.noroshi-message');"))
        user = self.post("/users/export/ids", {"external_ids": ["mai"]})["users"][0]
        self.assertEqual(user["custom_attributes"]["luck"], 7)

    def test_a_push_of_somebody_else_is_left_alone(self):
        self.start()
        self.subscribe()
        self.deliver({"title": "Not ours"})
        time.sleep(0.5)
        self.assertEqual([note for note in self.shown() if note["title"] == "Not ours"], [])

    def test_signed_tokens_prove_the_user_and_a_refused_one_loses_nothing(self):
        private = pathlib.Path(self.folder.name) / "private.pem"
        public = pathlib.Path(self.folder.name) / "public.pem"
        subprocess.run(["openssl", "genrsa", "-out", private, "2048"], check=True,
                       capture_output=True)
        subprocess.run(["openssl", "rsa", "-in", private, "-pubout", "-out", public], check=True,
                       capture_output=True)
        # The server has the database for itself, so it rests while the command works.
        self.server.end()
        address = self.server.address.removeprefix("http://")
        options = ["--database", databases.address(self.database)]
        subprocess.run([SERVER, "app", "authentication", "--bundle-id", "https://shop.example",
                        "--mode", "required", "--public-key", str(public), *options],
                       check=True, capture_output=True)
        self.server = Program("serve", "--listen", address, "--log-level", "error", *options)
        self.addCleanup(self.server.end)

        def token(user, seconds):
            def part(data):
                return base64.urlsafe_b64encode(data).rstrip(b"=")
            claims = {"sub": user, "exp": int(time.time()) + seconds}
            text = b".".join([part(json.dumps({"alg": "RS256", "typ": "JWT"}).encode()),
                              part(json.dumps(claims).encode())])
            signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", private],
                                       input=text, check=True, capture_output=True).stdout
            return (text + b"." + part(signature)).decode()

        self.start()
        self.run_js("""
            globalThis.refused = [];
            noroshi.onSignatureRefused((refusal) => globalThis.refused.push(refusal));
            await noroshi.logCustomEvent("before_the_name");
            await noroshi.changeUser("mai", { signature: given[0] });
            await noroshi.logCustomEvent("viewed_item");
            await noroshi.flush();
            await noroshi.flush();
        """, token("mai", -60))
        refused = self.run_js("return globalThis.refused;")
        self.assertEqual([(one["user"], one["reason"]) for one in refused], [("mai", "EXPIRED")])
        self.assertGreater(self.run_js("return noroshi.pendingCount();"), 0)
        self.assertEqual(self.number("SELECT count(*) FROM profiles WHERE external_id = 'mai'"), 0)
        # A page that comes later hears of it too, and has a new one.
        self.browser.get(self.origin)
        self.start()
        self.run_js("""
            await new Promise((resolve) => noroshi.onSignatureRefused(resolve));
            await noroshi.setSignature(given[0]);
        """, token("mai", 600))
        self.assertEqual(self.run_js("return noroshi.pendingCount();"), 0)
        user = self.post("/users/export/ids", {"external_ids": ["mai"]})["users"][0]
        self.assertEqual({event["name"]: event["count"] for event in user["custom_events"]},
                         {"before_the_name": 1, "viewed_item": 1})
        self.assertEqual(self.number(
            "SELECT count(*) FROM devices WHERE proved_for IS NOT NULL"), 1)
        # Whoever has proved to be the user may also ask to be forgotten.
        self.run_js("await noroshi.deleteUserData();")
        self.assertEqual(self.number("SELECT count(*) FROM profiles WHERE external_id = 'mai'"), 0)
        self.assertIsNone(self.run_js("return noroshi.userId();"))

    def test_a_mistake_is_named_and_a_wrong_key_keeps_what_was_logged(self):
        self.start()
        refused = self.run_js("""
            try { await noroshi.logCustomEvent("$secret"); return ""; }
            catch (error) { return error.message; }
        """)
        self.assertIn("$", refused)
        self.run_js("""
            const { Noroshi } = await import(given[0] + "/sdk/web/noroshi.js");
            globalThis.noroshi = await Noroshi.start({ apiKey: "sdk_wrong" });
            await noroshi.logCustomEvent("kept");
            await noroshi.flush();
        """, self.server.address)
        self.assertGreater(self.run_js("return noroshi.pendingCount();"), 0)
        self.start()
        self.run_js("await noroshi.flush();")
        self.assertEqual(self.run_js("return noroshi.pendingCount();"), 0)


if __name__ == "__main__":
    unittest.main()
