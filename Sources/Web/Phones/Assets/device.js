// What is on the glass: status bar, lock screen, home screen or the app.
import { drawMessage } from "/sdk/web/messages.js";
import { make, picture } from "./dom.js";
import { Notifications } from "./notifications.js";
import { shopCard } from "./shop.js";

export class Device {
  constructor(glass, { perform, icons, phoneIcons }) {
    this.glass = glass;
    this.perform = perform;
    this.icons = icons;
    this.phoneIcons = phoneIcons;
    this.notifications = new Notifications(this);
    this.wallpaper = make("div.wallpaper");
    this.wallpaper.append(hills());
    this.status = make("div.status");
    this.front = make("div");
    this.bar = make("button.bar-home", { type: "button", onclick: () => this.swipeUp() });
    this.bar.addEventListener("pointerdown", (event) => this.followSwipe(event));
    glass.append(this.wallpaper, this.status, this.front, this.bar);
    setInterval(() => this.tick(), 1000);
  }

  show(state, words) {
    const isFirst = !this.state;
    const before = this.state;
    this.state = state;
    this.words = words;
    this.glass.lang = state.language;
    for (const screen of ["locked", "home", "app"]) {
      this.glass.classList.toggle(`is-${screen}`, state.screen === screen);
    }
    this.bar.setAttribute(
      "aria-label", state.screen === "locked" ? words.swipe_up : words.center);
    this.showStatus();
    // The screen is made anew only when what it stands for has changed, so that nothing jumps.
    const face = JSON.stringify([
      state.screen, state.language, state.badge, state.appName,
      state.screen === "app" ? [state.app, state.user, state.message, state.shop] : 0,
    ]);
    if (face !== this.face) {
      const changesScreen = before?.screen !== state.screen;
      this.face = face;
      this.drawFront(changesScreen);
    }
    this.notifications.show(state, words, isFirst);
    this.tick();
  }

  swipeUp() {
    if (this.state.screen === "locked") this.perform("unlock");
    else if (this.state.screen === "app") this.perform("goHome");
  }

  // A flick on the bar works like a click on it.
  followSwipe(event) {
    const start = event.clientY;
    const end = (up) => {
      window.removeEventListener("pointerup", end);
      if (start - up.clientY > 40) this.swipeUp();
    };
    window.addEventListener("pointerup", end);
  }

  showStatus() {
    const { state } = this;
    const right = make("span.right");
    if (state.isOnline) {
      right.append(
        picture(`${this.phoneIcons}#signal`, "signal", "0 0 18 12"),
        picture(`${this.phoneIcons}#wifi`, "wifi", "0 0 16 12"),
      );
    } else {
      right.append(picture(`${this.phoneIcons}#airplane`, "airplane"));
    }
    right.append(picture(`${this.phoneIcons}#battery`, "battery", "0 0 26 12"));
    this.statusTime = make("span", { hidden: state.screen === "locked" });
    const left = make("span", {}, this.statusTime,
      state.screen === "locked" ? "Noroshi" : "");
    this.status.replaceChildren(left, right);
  }

  drawFront(changesScreen) {
    const { state } = this;
    const draw = { locked: () => this.lockScreen(), home: () => this.homeScreen(),
      app: () => this.appScreen() }[state.screen];
    const screen = draw();
    // What is drawn anew in its place stays where it was scrolled to.
    const place = changesScreen ? 0 : this.front.firstElementChild?.scrollTop ?? 0;
    if (!changesScreen) screen.classList.add("still");
    this.front.replaceChildren(screen);
    screen.scrollTop = place;
  }

  lockScreen() {
    this.date = make("div.date");
    this.clock = make("div.clock");
    return make("div.lock", {},
      picture(`${this.phoneIcons}#padlock`, "padlock"),
      this.date, this.clock, this.notifications.list,
      make("div.feet", { "aria-hidden": "true" },
        make("span", {}, picture(`${this.phoneIcons}#torch`, "torch")),
        make("span", {}, picture(`${this.phoneIcons}#camera`, "camera"))));
  }

  homeScreen() {
    const { state, words } = this;
    const label = state.badge > 0 ? `${state.appName}, ${state.badge}` : state.appName;
    const app = make("button.app", {
      type: "button", "aria-label": label, onclick: () => this.perform("openApp"),
    }, this.appIcon(state.badge), make("span.name", {}, state.appName));
    const ghosts = Array.from({ length: 7 }, () =>
      make("span.app.ghost", { "aria-hidden": "true" }, make("span.app-icon")));
    return make("div.home", {}, make("div.apps", {}, app, ...ghosts),
      make("span.search-pill", { "aria-hidden": "true" }, words.search));
  }

  appScreen() {
    const { state, words } = this;
    const hello = state.user ? words.hello_user.replace("{user}", state.user) : words.hello;
    const screen = make("div.app-screen", {},
      make("div.head", {}, this.appIcon(0), make("b", {}, state.appName)),
      make("div.hero", {}, make("b", {}, hello), make("span", {}, words.app_text)));
    const { openedBy, button, url, pairs } = state.app;
    if (openedBy) {
      screen.append(card(words.opened_by, openedBy, "opened-by"));
      if (button) screen.append(card(words.button, button));
      screen.append(url ? card(words.link, url, "link") : card(words.no_link, "–"));
    } else {
      screen.append(card(words.opened_self, state.appName));
    }
    if (pairs.length > 0) {
      screen.append(make("div.app-card", {}, make("div.label", {}, words.pairs),
        make("dl", {}, ...pairs.flatMap((pair) =>
          [make("dt", {}, pair.key), make("dd", {}, pair.value)]))));
    }
    screen.append(shopCard(state, words, this.perform));
    if (state.message) screen.append(this.message(state.message));
    return screen;
  }

  // The in-app message over the app, drawn as on every phone.
  message(message) {
    const layer = make("div.in-app", { lang: this.state.language });
    // The page loads nothing from other hosts, so that a picture is its words.
    drawMessage(JSON.parse(message.wire), {
      container: layer,
      theme: "light",
      loadsPictures: false,
      language: this.state.language,
      page: message.kind === "html" ? `${location.pathname}/message` : undefined,
      onClick: (button) => this.perform("tapMessage", button === undefined ? {} : { button }),
      onDismiss: () => this.perform("closeMessage"),
    });
    return layer;
  }

  appIcon(badge) {
    const icon = make("span.app-icon", {}, picture(`${this.icons}#mark`, "mark-icon"));
    if (badge > 0) icon.append(make("span.badge", {}, String(badge)));
    return icon;
  }

  tick() {
    if (!this.state) return;
    const { language, secondsAhead } = this.state;
    const now = new Date(Date.now() + (secondsAhead ?? 0) * 1000);
    const minutes = String(now.getMinutes()).padStart(2, "0");
    const time = `${now.getHours()}:${minutes}`;
    if (this.statusTime) this.statusTime.textContent = time;
    if (this.clock) this.clock.textContent = time;
    if (this.date) {
      this.date.textContent = now.toLocaleDateString(
        language, { weekday: "long", month: "long", day: "numeric" });
    }
    this.notifications.tick(now);
  }
}

function card(label, value, kind = "plain") {
  return make("div.app-card", {}, make("div.label", {}, label),
    make(`div.value.${kind}`, {}, value));
}

function hills() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 384 260");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const shapes = [
    ["M0 128c62-50 120-48 186-18s122 20 198-44v194H0z", "0.42"],
    ["M0 190c78-42 140-30 206-10s112 12 178-34v114H0z", "0.75"],
    ["M0 232c90-24 150-14 214-4s110 4 170-20v52H0z", "1"],
  ];
  for (const [shape, opacity] of shapes) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", shape);
    path.setAttribute("fill", "currentColor");
    path.setAttribute("opacity", opacity);
    svg.append(path);
  }
  return svg;
}
