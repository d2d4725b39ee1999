// Notifications: the list of the lock screen, the banner over an open phone, and what a finger
// does to them. Tap opens, a drag to the left shows options, a long press or a drag down expands.
import { make, picture } from "./dom.js";
import { expand } from "./expanded.js";

const longPress = 480;
const bannerTime = 5000;

export class Notifications {
  constructor(device) {
    this.device = device;
    this.cards = new Map();
    this.openStacks = new Set();
    this.list = make("div.notes", { role: "list" });
    this.drop = make("div.drop");
    device.glass.append(this.drop);
  }

  show(state, words, isFirst) {
    this.state = state;
    this.words = words;
    const known = new Set(this.cards.keys());
    const present = new Set(state.notifications.map((note) => note.id));
    for (const [id, card] of this.cards) {
      if (present.has(id)) continue;
      this.cards.delete(id);
      leave(card);
    }
    const fresh = state.notifications.filter((note) => !known.has(note.id));
    for (const note of state.notifications) {
      if (!this.cards.has(note.id)) this.cards.set(note.id, this.card(note));
    }
    if (state.screen === "locked") {
      this.clearDrop();
      this.fillList(isFirst ? [] : fresh);
    } else if (!isFirst && fresh.length > 0) {
      this.dropIn(fresh[0]);
    } else if (this.dropped && !present.has(this.dropped)) {
      this.clearDrop();
    }
    if (this.veil && !present.has(this.veil.dataset.note)) this.closeVeil();
    this.veil?.update(state.notifications.find((note) => note.id === this.veil.dataset.note));
  }

  fillList(fresh) {
    const { words } = this;
    const freshIDs = new Set(fresh.map((note) => note.id));
    const stacks = stacked(this.state.notifications);
    const items = [make("div.pad")];
    if (this.state.notifications.length > 1) {
      items.push(make("div.title", {}, words.center,
        make("button", { type: "button", onclick: () => this.device.perform("clearAll") },
          words.clear_all)));
    }
    for (const stack of stacks) {
      const isOpen = stack.length === 1 || this.openStacks.has(stack[0].threadID);
      for (const [index, note] of (isOpen ? stack : stack.slice(0, 1)).entries()) {
        const card = this.cards.get(note.id);
        card.classList.toggle("stacked", !isOpen);
        const count = card.querySelector(".count");
        count.hidden = isOpen;
        count.textContent = words.more.replace("{count}", stack.length - 1);
        if (freshIDs.has(note.id) && index === 0) animate(card);
        items.push(card);
      }
    }
    const leaving = [...this.list.querySelectorAll(".leaving")];
    this.list.replaceChildren(...items, ...leaving);
  }

  card(note) {
    const { words, device } = this;
    const time = make("time", { dateTime: note.receivedAt });
    const face = make("button.face", {
      type: "button",
      onclick: () => this.tap(note, card),
    }, device.appIcon(0), make("span.words", {},
      make("span.line", {}, make("b", {}, note.title), time),
      note.isTimeSensitive ? make("span.urgent", {}, words.time_sensitive) : undefined,
      note.subtitle ? make("span.sub", {}, note.subtitle) : undefined,
      make("span.text", {},
        note.image ? make("img.picture", { src: note.image, alt: "" }) : undefined, note.body),
      make("span.count", { hidden: true })));
    const behind = make("div.behind", {},
      make("button", { type: "button", onclick: () => this.expand(note) }, words.view),
      make("button", { type: "button", onclick: () => this.dismiss(note) }, words.clear));
    const options = make("button.options", {
      type: "button", "aria-label": `${words.options}: ${note.title}`,
      onclick: () => this.slide(card, !card.classList.contains("is-open")),
    }, picture(`${device.icons}#more`, "dots"));
    const card = make("div.note", { role: "listitem" }, behind, face, options);
    card.dataset.note = note.id;
    this.followFinger(card, face, note);
    return card;
  }

  tap(note, card) {
    if (card.dataset.dragged) return;
    if (card.classList.contains("is-open")) return this.slide(card, false);
    if (card.classList.contains("stacked")) {
      this.openStacks.add(note.threadID);
      return this.fillList([]);
    }
    this.clearDrop();
    this.device.perform("tap", { notification: note.id });
  }

  dismiss(note) {
    this.device.perform("dismiss", { notification: note.id });
  }

  slide(card, isOpen) {
    card.classList.toggle("is-open", isOpen);
    card.querySelector(".face").style.transform = isOpen ? "translateX(-166px)" : "";
    if (isOpen) card.querySelector(".behind button").focus({ preventScroll: true });
  }

  followFinger(card, face, note) {
    face.addEventListener("pointerdown", (down) => {
      if (down.button !== 0) return;
      delete card.dataset.dragged;
      const wasOpen = card.classList.contains("is-open");
      const start = wasOpen ? -166 : 0;
      const hold = setTimeout(() => {
        card.dataset.dragged = "yes";
        end();
        this.expand(note);
      }, longPress);
      const move = (event) => {
        const across = event.clientX - down.clientX;
        const along = event.clientY - down.clientY;
        if (Math.hypot(across, along) > 6) clearTimeout(hold);
        if (Math.abs(across) < 6 && !card.dataset.dragged) {
          if (along > 46 && this.dropped === note.id) {
            card.dataset.dragged = "yes";
            end();
            this.expand(note);
          }
          return;
        }
        card.dataset.dragged = "yes";
        card.classList.add("is-open");
        face.classList.add("dragged");
        face.style.transform = `translateX(${Math.min(0, start + across)}px)`;
      };
      const end = (up) => {
        clearTimeout(hold);
        window.removeEventListener("pointermove", move);
        window.removeEventListener("pointerup", end);
        window.removeEventListener("pointercancel", end);
        face.classList.remove("dragged");
        if (!up || !card.dataset.dragged) return;
        const across = start + up.clientX - down.clientX;
        if (across < -250) this.dismiss(note);
        else this.slide(card, across < -80);
        // The click that follows the drag is not a tap.
        setTimeout(() => { delete card.dataset.dragged; }, 0);
      };
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", end);
      window.addEventListener("pointercancel", end);
    });
    face.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.expand(note);
    });
  }

  expand(note) {
    this.closeVeil();
    this.clearDrop();
    const card = this.cards.get(note.id);
    if (card) this.slide(card, false);
    this.veil = expand(note, this.words, this.device, () => this.closeVeil());
    this.veil.dataset.note = note.id;
    this.device.glass.append(this.veil);
    this.veil.querySelector("button").focus({ preventScroll: true });
    this.device.perform("expand", { notification: note.id });
  }

  closeVeil() {
    if (!this.veil) return;
    const id = this.veil.dataset.note;
    this.veil.remove();
    this.veil = undefined;
    const card = this.cards.get(id);
    if (card) {
      this.device.perform("collapse", { notification: id });
      delete card.dataset.dragged;
      card.querySelector(".face").focus({ preventScroll: true });
    }
  }

  // Over an open phone a notification shows for a moment at the top.
  dropIn(note) {
    const card = this.cards.get(note.id);
    this.clearDrop();
    this.dropped = note.id;
    animate(card);
    this.drop.replaceChildren(card);
    this.dropTimer = setTimeout(() => this.clearDrop(), bannerTime);
  }

  clearDrop() {
    clearTimeout(this.dropTimer);
    this.dropped = undefined;
    this.drop.replaceChildren();
  }

  tick(now) {
    for (const card of this.cards.values()) {
      const time = card.querySelector("time");
      time.textContent = ago(now - new Date(time.dateTime), this.words);
    }
  }
}

function stacked(notes) {
  const stacks = new Map();
  for (const note of notes) {
    const key = note.threadID || `\n${note.id}`;
    if (!stacks.has(key)) stacks.set(key, []);
    stacks.get(key).push(note);
  }
  return [...stacks.values()];
}

function ago(milliseconds, words) {
  const minutes = Math.floor(milliseconds / 60000);
  if (minutes < 1) return words.now;
  if (minutes < 60) return words.minutes.replace("{count}", minutes);
  return words.hours.replace("{count}", Math.floor(minutes / 60));
}

function animate(card) {
  card.classList.remove("arriving");
  void card.offsetWidth;
  card.classList.add("arriving");
}

function leave(card) {
  if (!card.isConnected || matchMedia("(prefers-reduced-motion: reduce)").matches) {
    card.remove();
    return;
  }
  card.classList.add("leaving");
  setTimeout(() => card.remove(), 180);
}
