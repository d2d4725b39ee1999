"""The one renderer of messages, in Chromium and in the WebKit that iPhones have.

Every kind is drawn at the sizes of an iPhone SE, 16 and 16 Pro Max, upright and on their side, and of
an iPad: light, dark, from right to left, in large type and with long texts; each is held against what
a person must be able to see and reach, and looked at by axe. WebKit's windows are at least 447 wide,
so a phone is a frame of its size in both. Pictures of all go to NOROSHI_SCREENSHOTS.
"""
import functools
import http.server
import json
import os
import pathlib
import subprocess
import threading
import time
import unittest

from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.webkitgtk.service import Service as WebKitService

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SCREENSHOTS = pathlib.Path(os.environ.get("NOROSHI_SCREENSHOTS", ".build/screenshots"))
AXE = os.environ.get("NOROSHI_AXE", "")
MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
# Width and height, and the safe areas: top, right, bottom, left.
SIZES = {
    "se": (375, 667, (20, 0, 0, 0)),
    "se-landscape": (667, 375, (0, 0, 0, 0)),
    "16": (393, 852, (59, 0, 34, 0)),
    "16-landscape": (852, 393, (0, 59, 21, 59)),
    "max": (440, 956, (62, 0, 34, 0)),
    "ipad": (834, 1194, (24, 0, 20, 0)),
}
LONG = ("Today the leaves of the first harvest have arrived, and whoever comes before six gets a "
        "cup. ") * 30
PICTURES = {
    "wide": "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='1600' "
            "height='300'><rect width='1600' height='300' fill='%23385'/></svg>",
    "tall": "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='300' "
            "height='1600'><rect width='300' height='1600' fill='%23358'/></svg>",
    "square": "data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='600' "
              "height='600'><rect width='600' height='600' fill='%23853'/></svg>",
}
BUTTONS = [{"id": "0", "text": "Later", "click_action": {"type": "none"}},
           {"id": "1", "text": "Show me the leaves", "click_action": {"type": "none"},
            "colors": {"background": "#FF1F7A4D", "text": "#FFFFFFFF"}}]
OPEN = {"type": "url", "url": "teahouse://menu"}


def message(kind, **more):
    return {"id": "m", "type": kind, "message": "Tea is ready", "rules": {}, **more}


MESSAGES = {
    "slideup": message("slideup", click_action=OPEN),
    "slideup-top": message("slideup", slide_from="top", message=LONG,
                           image_url=PICTURES["tall"], image_alt="Leaves"),
    "modal": message("modal", header="First harvest", buttons=BUTTONS,
                     image_url=PICTURES["wide"], image_alt="A field of tea"),
    "modal-long": message("modal", header="First harvest", message=LONG, buttons=BUTTONS,
                          image_url=PICTURES["tall"], image_alt="A field of tea"),
    "modal-plain": message("modal", click_action=OPEN),
    "modal-image": message("modal_image", message="", image_url=PICTURES["square"],
                           image_alt="A cup", click_action=OPEN),
    "full": message("full", header="First harvest", message=LONG, buttons=BUTTONS,
                    image_url=PICTURES["wide"], image_alt="A field of tea"),
    "full-plain": message("full", header="First harvest"),
    "full-image": message("full_image", message="", image_url=PICTURES["tall"],
                          image_alt="A cup", buttons=BUTTONS),
    "arabic": message("modal", header="الحصاد الأول", message="الشاي جاهز الآن", language="ar",
                      buttons=BUTTONS),
    "html": message("html", message="<!doctype html><html lang=en><title>Wheel</title>"
                    "<body style='margin:0;display:grid;place-items:center;height:100vh'>"
                    "<button onclick='noroshiBridge.logCustomEvent(\"spun\", {n: 1})'>Spin"
                    "</button></body></html>"),
}
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width, viewport-fit=cover">
<style>body { margin: 0; font: 16px system-ui; background: #e9e4da; color: #222; }
main { padding: 80px 20px; }
main button { display: block; width: 100%; height: 60px; }</style>
<main><h1>Shop</h1><button id="below" onclick="taps += 1">Buy</button>
<div style="height: 44vh"></div><button onclick="taps += 1" id="low">Pay</button></main>
<script>window.taps = 0;</script>
<script type="module">import { drawMessage, fitsOrientation } from "/Clients/web/messages.js";
import { bridgeScript } from "/Clients/web/bridge.js";
window.draw = (message, options = {}) => {
  window.told = [];
  window.shown?.remove();
  const tell = (...what) => window.told.push(what);
  window.shown = drawMessage(message, { bridge: bridgeScript, ...options,
    onShown: () => tell("shown"), onClick: (button) => tell("click", button ?? null),
    onDismiss: () => tell("dismiss"), onCall: (call) => tell("call", JSON.parse(call)) });
};
window.fits = fitsOrientation; window.isReady = true;</script></html>"""
FRAME = """<!doctype html><html lang="en"><title>Phone</title><style>body { margin: 0; background: #888 }
iframe { border: 0; display: block }</style><iframe title="phone" src="/page"
width="%d" height="%d"></iframe></html>"""
# What is cut off or covered by a safe area, and what is too small for a finger.
FAULTS = """
const [insets] = arguments;
const root = shown.element.shadowRoot;
const faults = [];
const place = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
for (const element of root.querySelectorAll("button, h2, img")) {
  const box = element.getBoundingClientRect();
  const name = element.className || element.tagName;
  if (box.width === 0) continue;
  if (box.left < -0.5 || box.right > place.right + 0.5) faults.push(`${name} is cut off sideways`);
  const isControl = element.matches(".close, .choice");
  if (!isControl) continue;
  if (Math.min(box.width, box.height) < 43.5) faults.push(`${name} is too small`);
  const [top, right, bottom, left] = insets;
  if (box.top < top - 0.5 || box.bottom > innerHeight - bottom + 0.5
    || box.left < left - 0.5 || box.right > innerWidth - right + 0.5) {
    faults.push(`${name} is outside of the safe area: ${JSON.stringify(box)}`);
  }
  const on = root.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  if (!element.contains(on)) faults.push(`${name} is covered by ${on?.className}`);
}
const image = root.querySelector("img");
if (image) {
  const box = image.getBoundingClientRect();
  const fit = getComputedStyle(image).objectFit;
  const isDistorted = fit === "fill"
    && Math.abs(box.width / box.height - image.naturalWidth / image.naturalHeight) > 0.05;
  if (isDistorted) faults.push("the picture is distorted");
  if (box.width < 20 || box.height < 20) faults.push(`the picture is ${box.width} x ${box.height}`);
}
const words = root.querySelector(".scroll") ?? root.querySelector("p");
if (words && words.scrollWidth > words.clientWidth + 1) faults.push("words are cut off sideways");
const choices = root.querySelector(".buttons");
if (choices && words.querySelector(".words")
  && words.clientHeight < Math.min(words.scrollHeight, innerHeight * 0.3)) {
  faults.push(`the buttons leave ${words.clientHeight} of ${innerHeight} for the words`);
}
if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
return faults;
"""
RUN_AXE = """
const done = arguments[arguments.length - 1];
axe.run(shown.element, { resultTypes: ["violations"], preload: false }).then(
  ({ violations }) => done(violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 160)}`))),
  (error) => done([String(error)]));
"""


# What iOS gives to the page of an app's web view.
APP = """<script>window.posted = [];
window.webkit = { messageHandlers: { noroshiMessage: {
  postMessage: (text) => posted.push(JSON.parse(text)) } } };</script>"""


def app_page(message):
    """The page that `NoroshiUI` loads into its web view, made from the text in its source."""
    source = (REPOSITORY / "Sources/Client/NoroshiUI/InAppMessages/MessagePage.swift").read_text()
    page = source.split('return """\n', 1)[1].split('"""', 1)[0]
    renderer = (REPOSITORY / "Clients/web/messages.js").read_text()
    text = json.dumps(message).replace("<", "\\u003c")
    for name, value in (("textSize", "17.0"), ("MessagePage.handlerName", "noroshiMessage"),
                        ("handlerName", "noroshiMessage"),
                        ("message.kind == .slideup", str(message["type"] == "slideup").lower()),
                        ("json", text), ("MessageRenderer.source", renderer)):
        page = page.replace(f"\\({name})", value)
    assert "\\(" not in page.replace(renderer, ""), page[:2000]
    return page.replace("<head>", "<head>" + APP, 1)


class Files(http.server.SimpleHTTPRequestHandler):
    """The renderer as it is in the repository, and pages that use it."""

    def do_GET(self):
        if self.path == "/page":
            return self.page(PAGE)
        if self.path.startswith("/app/"):
            return self.page(app_page(MESSAGES[self.path[5:]]))
        if self.path.startswith("/frame/"):
            return self.page(FRAME % tuple(map(int, self.path.split("/")[2:])))
        return super().do_GET()

    def page(self, text):
        body = text.encode()
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Renderer:
    """The tests, for each browser."""

    name = ""

    @classmethod
    def setUpClass(cls):
        handler = functools.partial(Files, directory=str(REPOSITORY))
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.origin = f"http://127.0.0.1:{cls.server.server_address[1]}"
        cls.browser = cls.open()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.server.shutdown()

    def wait(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, "it has not come")
            time.sleep(0.03)

    def phone(self, size):
        """A page on a screen of that size, with the message's tools ready."""
        width, height, _ = SIZES[size]
        self.browser.switch_to.default_content()
        self.browser.get(f"{self.origin}/frame/{width}/{height}")
        self.browser.switch_to.frame(0)
        self.wait(lambda: self.browser.execute_script("return window.isReady === true"))

    def draw(self, message, size, **options):
        insets = SIZES[size][2]
        text = options.pop("text", 16)
        self.browser.execute_script("""
            const [message, options, insets, text] = arguments;
            const style = document.documentElement.style;
            ["top", "right", "bottom", "left"].forEach((edge, at) =>
              style.setProperty(`--noroshi-${edge}`, `${insets[at]}px`));
            style.setProperty("--noroshi-text", `${text}px`);
            draw(message, options);""", message, options, list(insets), text)
        self.wait(lambda: self.told()[:1] == [["shown"]])
        # Its way in takes a moment.
        self.wait(lambda: self.browser.execute_script(
            "return shown.element.shadowRoot.getAnimations().length") == 0)

    def told(self):
        return self.browser.execute_script("return told")

    def check(self, name, size, where):
        self.assertEqual(self.browser.execute_script(FAULTS, list(SIZES[size][2])), [], where)
        if AXE:
            if not self.browser.execute_script("return Boolean(window.axe)"):
                self.browser.execute_script(pathlib.Path(AXE).read_text())
            self.assertEqual(self.browser.execute_async_script(RUN_AXE), [], where)
        folder = SCREENSHOTS / "messages"
        folder.mkdir(parents=True, exist_ok=True)
        self.browser.switch_to.default_content()
        self.picture(str(folder / f"{self.name}-{name}.png"))
        self.browser.switch_to.frame(0)

    def picture(self, file):
        self.browser.find_element("css selector", "iframe").screenshot(file)

    def test_every_kind_fits_every_screen_in_light_and_dark(self):
        for size in SIZES:
            self.phone(size)
            for name, message in MESSAGES.items():
                for theme in ("light", "dark"):
                    with self.subTest(size=size, message=name, theme=theme):
                        self.draw(message, size, theme=theme)
                        self.check(f"{size}-{name}-{theme}", size, f"{size} {name} {theme}")

    def test_the_largest_type_keeps_everything_within_reach(self):
        for size in ("se", "16-landscape"):
            self.phone(size)
            for name in ("modal", "modal-long", "full", "slideup", "arabic"):
                with self.subTest(size=size, message=name):
                    self.draw(MESSAGES[name], size, text=40)
                    self.check(f"{size}-{name}-large", size, f"{size} {name} large")

    def tap(self, x, y):
        """A real pointer at a point of the phone."""
        actions = ActionBuilder(self.browser)
        actions.pointer_action.move_to_location(int(x), int(y)).click()
        actions.perform()

    def middle(self, selector, root="shown.element.shadowRoot"):
        return self.browser.execute_script(
            f"const box = {root}.querySelector('{selector}').getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2];")

    def test_a_slideup_lets_a_tap_through_to_the_page_below_it_and_a_modal_does_not(self):
        self.phone("16")
        self.draw(MESSAGES["slideup"], "16")
        self.tap(*self.middle("#below", "document"))
        self.wait(lambda: self.browser.execute_script("return taps") == 1)
        self.assertEqual(self.told(), [["shown"]])
        self.draw(MESSAGES["modal"], "16")
        self.tap(*self.middle("#below", "document"))
        self.assertEqual(self.browser.execute_script("return taps"), 1)

    def test_a_tap_a_button_and_the_cross_say_what_they_are_once(self):
        self.phone("se")
        for name, selector, expected in (
                ("slideup", ".strip", ["click", None]), ("slideup", ".close", ["dismiss"]),
                ("modal", ".choice:last-child", ["click", "1"]),
                ("modal-image", ".link", ["click", None]), ("full", ".close", ["dismiss"])):
            self.draw(MESSAGES[name], "se")
            self.tap(*self.middle(selector))
            self.wait(lambda: len(self.told()) > 1)
            self.assertEqual(self.told(), [["shown"], expected], name)

    def test_a_push_over_its_edge_takes_a_slideup_away(self):
        self.phone("16")
        for name, way in (("slideup", 60), ("slideup-top", -60)):
            for way, gone in ((-way, False), (way, True)):
                self.draw(MESSAGES[name], "16")
                x, y = self.middle("p")
                actions = ActionBuilder(self.browser)
                pointer = actions.pointer_action
                pointer.move_to_location(int(x), int(y)).pointer_down()
                for step in (1, 2, 3):
                    pointer.move_to_location(int(x), max(1, int(y + way * step / 3)))
                pointer.pointer_up()
                actions.perform()
                self.assertEqual(self.told()[1:], [["dismiss"]] if gone else [], (name, way))

    def test_the_keyboard_stays_in_a_modal_and_escape_closes_it(self):
        self.phone("ipad")
        self.draw(MESSAGES["modal"], "ipad")
        seen = []
        for _ in range(5):
            ActionChains(self.browser).send_keys(Keys.TAB).perform()
            seen.append(self.browser.execute_script(
                "return shown.element.shadowRoot.activeElement?.className"))
        self.assertEqual(seen[0], "choice")
        self.assertIn("close", seen)
        self.assertNotIn(None, seen)
        ActionChains(self.browser).send_keys(Keys.ESCAPE).perform()
        self.assertEqual(self.told(), [["shown"], ["dismiss"]])

    def test_a_message_closes_itself_when_it_says_so(self):
        self.phone("se")
        self.draw({**MESSAGES["slideup"], "closes_after_seconds": 0.2}, "se")
        self.wait(lambda: self.told() == [["shown"], ["dismiss"]])

    def test_colours_are_those_of_the_appearance_and_texts_stay_texts(self):
        self.phone("se")
        colored = {**MESSAGES["modal"], "message": "<img src=x onerror=alert(1)>", "themes": {
            "light": {"background": "#FF102030", "text": "#FFFFFFFF", "close": "#80FF0000"},
            "dark": {"background": "#FF405060"}}}
        look = ("const box = shown.element.shadowRoot.querySelector('.box');"
                "return [getComputedStyle(box).backgroundColor, getComputedStyle(box).color,"
                "getComputedStyle(box.querySelector('.close svg')).color,"
                "box.querySelector('p').textContent];")
        text = "<img src=x onerror=alert(1)>"
        self.draw(colored, "se", theme="light")
        self.assertEqual(self.browser.execute_script(look),
                         ["rgb(16, 32, 48)", "rgb(255, 255, 255)", "rgba(255, 0, 0, 0.5)", text])
        self.browser.execute_script("shown.setTheme('dark')")
        self.assertEqual(self.browser.execute_script(look)[0], "rgb(64, 80, 96)")

    def test_a_text_is_set_to_the_side_that_the_message_says(self):
        self.phone("se")
        look = ("const root = shown.element.shadowRoot;"
                "return getComputedStyle(root.querySelector('p')).textAlign;")
        for kind, usual in (("modal", "center"), ("full", "center"), ("slideup", "start")):
            for stated, drawn in ((None, usual), ("start", "start"), ("center", "center"),
                                  ("end", "end"), ("left;color:red", usual)):
                stated = {} if stated is None else {"text_alignment": stated}
                self.draw({**MESSAGES[kind], **stated}, "se")
                self.assertEqual(self.browser.execute_script(look), drawn, (kind, stated))

    def test_a_picture_that_cannot_be_read_leaves_the_text(self):
        self.phone("se")
        self.draw({**MESSAGES["modal"], "image_url": "data:image/png;base64,AAAA"}, "se")
        self.wait(lambda: not self.browser.execute_script(
            "return shown.element.shadowRoot.querySelector('.picture')"))
        self.check("se-broken-picture", "se", "broken picture")

    def test_the_page_of_an_html_message_calls_its_bridge_from_its_sandbox(self):
        self.phone("16")
        self.draw(MESSAGES["html"], "16")
        self.browser.execute_script("window.frameOf = shown.element.shadowRoot")
        self.wait(lambda: self.browser.execute_script(
            "return shown.element.shadowRoot.querySelector('iframe').clientHeight") == 852)
        self.wait(lambda: self.tap(196, 426) or len(self.told()) > 1)
        call = self.told()[1]
        self.assertEqual(call, ["call", {"method": "logCustomEvent",
                                         "arguments": ["spun", {"n": 1}]}])

    def test_the_page_in_an_apps_web_view_is_drawn_and_posts_what_happens(self):
        posted = lambda: self.browser.execute_script("return posted")
        self.browser.switch_to.default_content()
        for name in ("slideup", "modal", "full", "modal-image"):
            self.browser.get(f"{self.origin}/app/{name}")
            self.wait(lambda: {"kind": "shown"} in posted())
            sizes = [call["height"] for call in posted() if call["kind"] == "size"]
            self.assertEqual(bool(sizes), name == "slideup", (name, sizes))
            if sizes:
                self.assertTrue(50 < sizes[-1] < 120, sizes)
            self.assertEqual(
                self.browser.execute_script(
                    "return getComputedStyle(document.body).backgroundColor"), "rgba(0, 0, 0, 0)")
            root = "document.querySelector('.noroshi-message').shadowRoot"
            target = ".choice:last-child" if name in ("modal", "full") else ".link"
            self.browser.execute_script(f"{root}.querySelector('{target}').click()")
            button = {"button": "1"} if name in ("modal", "full") else {}
            self.wait(lambda: posted()[-1] == {"kind": "click", **button})

    def test_a_message_for_one_orientation_fits_only_that(self):
        self.phone("se")
        fits = self.browser.execute_script("""return [["any", 9, 16], ["portrait", 9, 16],
            ["portrait", 16, 9], ["landscape", 16, 9], ["landscape", 9, 16]].map(
            ([orientation, width, height]) => fits({ orientation }, width, height));""")
        self.assertEqual(fits, [True, True, False, True, False])


class Chromium(Renderer, unittest.TestCase):
    name = "chromium"

    @classmethod
    def open(cls):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu",
                         "--window-size=1400,1400"):
            options.add_argument(argument)
        return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


@unittest.skipUnless(os.path.exists(MINI_BROWSER),
                     "Debian's webkit2gtk-driver and xvfb bring WebKit: apt-get install them")
class WebKit(Renderer, unittest.TestCase):
    name = "webkit"

    @classmethod
    def open(cls):
        read, write = os.pipe()
        cls.screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1600x24"], pass_fds=[write],
            stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as display:
            number = display.readline().strip()
        options = webdriver.WebKitGTKOptions()
        options.binary_location = MINI_BROWSER
        options.add_argument("--automation")
        # WebKitGTK of this Selenium does not hand on the environment of its service.
        cls.driver = WebKitService(
            executable_path="/usr/bin/WebKitWebDriver",
            env={**os.environ, "DISPLAY": f":{number}", "GDK_BACKEND": "x11",
                 "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"})
        cls.driver.start()
        browser = webdriver.Remote(command_executor=cls.driver.service_url, options=options)
        browser.set_window_size(1400, 1400)
        browser.set_script_timeout(60)
        return browser

    def picture(self, file):
        # Of an element WebKitGTK photographs another place.
        self.browser.save_screenshot(file)

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.driver.stop()
        cls.screen.terminate()
        cls.screen.wait()


if __name__ == "__main__":
    unittest.main()
