// In-app messages on web pages: which is shown when, by the same rules as on phones. Messages come from
// the server at the start of a session and are kept for the pages after it.
import { bridgeScript } from "./bridge.js";
import { drawMessage, fitsOrientation } from "./messages.js";

const GAP = 30_000;
const STACK_LIMIT = 20;
const MEMORY = 500;
const PICTURE_WAIT = 10_000;
const LINK_FLAGS = ["abButtonId", "abExternalOpen", "abDeepLink"];
const CLOSING = ["noroshi:", "braze:", "appboy:"];

const blank = () => ({ messages: [], showings: {}, lastShown: null });

/** Whether an address is one that a message may lead to: no script, no page made of text. */
const isSafe = (address) => !["javascript:", "data:", "vbscript:", "blob:"].includes(address.protocol);

const number = (value) => typeof value === "number" ? value : undefined;

const isEqual = (left, right) => number(left) !== undefined && number(right) !== undefined
  ? left === right : JSON.stringify(left) === JSON.stringify(right);

/** Negative, zero or positive; undefined for values that have no order. */
const order = (left, right) => {
  const isPair = (kind) => typeof left === kind && typeof right === kind;
  if (!isPair("number") && !isPair("string")) return undefined;
  return left < right ? -1 : left > right ? 1 : 0;
};

/** Whether properties pass a filter, as `InAppMessageRules.PropertyFilter` says. */
export function passes({ property, comparison, value }, properties) {
  const found = properties[property] ?? undefined;
  const compared = order(found, value);
  switch (comparison) {
    case "exists": return found !== undefined;
    case "not_exists": return found === undefined;
    case "equals": return found !== undefined && isEqual(found, value);
    case "not_equals": return found === undefined || !isEqual(found, value);
    case "contains":
      if (typeof found === "string") return typeof value === "string" && found.includes(value);
      return Array.isArray(found) && found.some((element) => isEqual(element, value));
    case "greater": return compared > 0;
    case "greater_or_equal": return compared >= 0;
    case "less": return compared < 0;
    case "less_or_equal": return compared <= 0;
    default: return false;
  }
}

const matches = (trigger, happened) => {
  if (trigger.type !== happened.type) return false;
  if (trigger.type === "event" && trigger.name !== happened.name) return false;
  if (trigger.type === "purchase" && trigger.product && trigger.product !== happened.product) {
    return false;
  }
  return (trigger.filters ?? []).every((filter) => passes(filter, happened.properties ?? {}));
};

/** Whether a message may be asked for at a time: by its own rules, and by the gap to the last one. */
export function mayShow(message, kept, time, gap = GAP) {
  return (kept.lastShown === null || time - kept.lastShown >= gap) && isAllowed(message, kept, time);
}

/**
 * Whether a message's rules alone allow it: its period, limit and interval. One that had to wait is
 * judged by these again, because all of them may have changed.
 */
export function isAllowed({ id, rules }, kept, time) {
  if (rules.starts_at_ms !== undefined && time < rules.starts_at_ms) return false;
  if (rules.expires_at_ms !== undefined && time >= rules.expires_at_ms) return false;
  const { count, last } = kept.showings[id] ?? { count: 0, last: -Infinity };
  if (rules.impression_limit !== undefined && count >= rules.impression_limit) return false;
  return rules.interval_seconds === undefined || time - last >= rules.interval_seconds * 1000;
}

/** The message for what has happened, if there is one; of equals the one the server names first. */
export function choose(kept, happened, time, gap = GAP) {
  return kept.messages
    .filter((message) => message.rules.triggers.some((trigger) => matches(trigger, happened))
      && mayShow(message, kept, time + (message.rules.delay_seconds ?? 0) * 1000, gap))
    .sort((left, right) => (right.rules.priority ?? 0) - (left.rules.priority ?? 0))[0];
}

export class InAppMessages {
  #noroshi;
  #outbox;
  #load;
  #record;
  #kept = blank();
  #resets = 0;
  #owed = false;
  #startWaits = false;
  #stack = [];
  #shown;
  #decide = () => "display";
  #open = (address) => location.assign(address);

  /** Made by `Noroshi.start`. */
  constructor({ noroshi, outbox, load, record }) {
    this.#noroshi = noroshi;
    this.#outbox = outbox;
    this.#load = load;
    this.#record = record;
    document.addEventListener("visibilitychange", () => this.#next());
  }

  /**
   * Decides about messages that are due: `decide(message)` returns `"display"`, `"later"` (it waits
   * until the next one is due) or `"discard"`. A page that draws messages itself discards them here.
   */
  onDue(decide) {
    this.#decide = decide;
  }

  /** Opens the addresses that messages lead to, instead of the browser: `open(address, useWebView)`. */
  onOpen(open) {
    this.#open = open;
  }

  /** The message on the page. */
  get visible() {
    return this.#shown?.message;
  }

  /** Takes up what earlier pages have kept. */
  async begin() {
    this.#kept = { ...blank(), ...await this.#outbox.kept("in-app") };
  }

  /** Fetches the user's messages, as the SDK does at the start of every session. */
  async refresh() {
    const resets = this.#resets;
    // The server renders messages for the user whom it knows on this browser.
    await this.#noroshi.flush();
    const isReported = await this.#noroshi.pendingCount() === 0;
    try {
      const { messages } = await this.#load();
      if (resets !== this.#resets) return;
      this.#kept.messages = messages.filter(({ rules }) => Array.isArray(rules?.triggers));
      this.#forget();
      await this.#keep();
      this.#owed = !isReported;
    } catch (error) {
      // Those of the last time are used on.
      this.#owed = resets === this.#resets;
      console.info("Noroshi: in-app messages could not be fetched:", String(error));
    }
  }

  /** The server has answered for everything: before, it may not have known the user. */
  async serverIsCurrent() {
    if (!this.#owed) return;
    this.#owed = false;
    await this.refresh();
    if (!this.#owed && this.#startWaits) this.happened({ type: "session_start" });
  }

  /** Takes everything away, as after a change of user. What was shown stays known. */
  async reset() {
    this.#resets += 1;
    this.#owed = false;
    this.#startWaits = false;
    this.#stack = [];
    this.#kept.messages = [];
    this.#shown?.drawing.remove();
    this.#shown = undefined;
    await this.#keep();
  }

  /** Shows what is meant for `happened`. */
  happened(happened) {
    const message = choose(this.#kept, happened, Date.now());
    if (happened.type === "session_start") this.#startWaits = !message && this.#owed;
    if (!message) return;
    const resets = this.#resets;
    setTimeout(() => {
      if (resets !== this.#resets || !mayShow(message, this.#kept, Date.now())) return;
      // One that is on its way to the user already, and so not counted yet, is not asked for twice.
      if (this.#shown?.message.id === message.id && !this.#shown.isSeen) return;
      this.#push(message, true);
    }, (message.rules.delay_seconds ?? 0) * 1000);
  }

  /** Shows a message now, or when the page is looked at and nothing else is on it. */
  present(message) {
    this.#push(message, false);
  }

  /** The rules of a message apply where its trigger has asked for it; the page may show its own. */
  #push(message, isTriggered) {
    if (this.#stack.some((waiting) => waiting.message.id === message.id)) return;
    this.#stack.push({ message, isTriggered });
    if (this.#stack.length > STACK_LIMIT) this.#stack.shift();
    this.#next();
  }

  #next() {
    const later = [];
    while (!this.#shown && this.#stack.length > 0 && document.visibilityState === "visible") {
      const waiting = this.#stack.pop();
      const { message, isTriggered } = waiting;
      if (isTriggered && !isAllowed(message, this.#kept, Date.now())) continue;
      const choice = this.#decide(message);
      if (choice === "later") later.unshift(waiting);
      else if (choice !== "discard") this.#show(message);
    }
    this.#stack.unshift(...later);
  }

  async #show(message) {
    if (message.type === "control") {
      // Nothing to see; what counts is that it would have been shown.
      this.#seen(message);
      return;
    }
    if (!fitsOrientation(message, innerWidth, innerHeight)) return;
    const shown = { message, isSeen: false, done: new Set(), drawing: { remove: () => {} } };
    this.#shown = shown;
    if (message.type.endsWith("_image") && !await isPicture(message.image_url)) {
      this.#close(shown);
      return;
    }
    // The user may have changed while the picture was loading.
    if (this.#shown !== shown) return;
    shown.drawing = drawMessage(message, {
      bridge: bridgeScript,
      onShown: () => {
        shown.isSeen = true;
        this.#seen(message);
      },
      onClick: (button) => {
        const meant = button === undefined ? message.click_action
          : message.buttons.find(({ id }) => id === button)?.click_action;
        // First, because the browser asks about pushes only directly in a tap.
        this.#perform(meant ?? { type: "none" });
        this.#note(shown, button === undefined ? "click" : "button", button);
        this.#close(shown);
      },
      onDismiss: () => {
        this.#note(shown, "dismissed");
        this.#close(shown);
      },
      onCall: (text) => this.#called(shown, text),
    });
  }

  #close(shown) {
    if (this.#shown !== shown) return;
    shown.drawing.remove();
    this.#shown = undefined;
    this.#next();
  }

  #seen(message) {
    const showing = this.#kept.showings[message.id] ?? { count: 0 };
    this.#kept.showings[message.id] = { count: showing.count + 1, last: Date.now() };
    this.#kept.lastShown = Date.now();
    this.#keep().catch(() => {});
    this.#report(message, "impression");
  }

  #note(shown, kind, button) {
    const key = `${kind} ${button ?? ""}`;
    if (shown.done.has(key)) return;
    shown.done.add(key);
    this.#report(shown.message, kind, button);
  }

  #report(message, kind, button) {
    this.#record({
      type: "in_app_message",
      in_app_message: {
        kind,
        message: message.id,
        ...(button !== undefined && { button }),
        ...(message.variant !== undefined && { variant: message.variant }),
      },
    }).catch(() => {});
  }

  #perform(action) {
    const done = {
      none: () => {},
      url: () => this.#follow(action.url, action.use_webview === true),
      event: () => this.#noroshi.logCustomEvent(action.name),
      attribute: () => this.#noroshi.setAttributes({ [action.key]: action.value }),
      request_push_permission: () => this.#noroshi.subscribeToPush(),
    }[action.type]?.();
    Promise.resolve(done).catch((error) => console.warn("Noroshi:", error));
  }

  #follow(text, useWebView) {
    let address;
    try { address = new URL(text, location.href); } catch { return; }
    if (isSafe(address)) this.#open(address.href, useWebView);
  }

  // The page of an HTML message

  #called(shown, text) {
    let call;
    try { call = JSON.parse(text); } catch { return; }
    const values = Array.isArray(call?.arguments) ? call.arguments : [];
    if (call?.method === "link") this.#linked(shown, values[0]);
    else if (call?.method === "closeMessage") this.#dismissed(shown);
    else if (call?.method === "logClick") {
      const button = values[0] === undefined || values[0] === null ? undefined : String(values[0]);
      this.#note(shown, button === undefined ? "click" : "button", button);
    } else {
      Promise.resolve(calls[call?.method]?.(this.#noroshi, ...values))
        .catch((error) => console.warn("Noroshi: an HTML message:", error));
    }
  }

  #dismissed(shown) {
    this.#note(shown, "dismissed");
    this.#close(shown);
  }

  #linked(shown, text) {
    let address;
    try { address = new URL(text); } catch { return; }
    if (CLOSING.includes(address.protocol) && address.host === "close") {
      this.#dismissed(shown);
      return;
    }
    const button = address.searchParams.get("abButtonId") ?? undefined;
    const isOutside = ["abExternalOpen", "abDeepLink"].some(
      (flag) => address.searchParams.get(flag) === "true");
    for (const flag of LINK_FLAGS) {
      if (address.searchParams.has(flag)) address.searchParams.delete(flag);
    }
    this.#note(shown, button === undefined ? "click" : "button", button);
    this.#close(shown);
    this.#follow(address.href, !isOutside);
  }

  // What is kept

  /** What was shown of messages that are gone stays known, for a while. */
  #forget() {
    const present = new Set(this.#kept.messages.map(({ id }) => id));
    const gone = Object.entries(this.#kept.showings).filter(([id]) => !present.has(id))
      .sort(([, left], [, right]) => right.last - left.last);
    for (const [id] of gone.slice(MEMORY)) delete this.#kept.showings[id];
  }

  #keep() {
    return this.#outbox.keep("in-app", this.#kept);
  }
}

const profile = (field) => (noroshi, value) => noroshi.setAttributes({ [field]: value ?? null });
const group = (state) => (noroshi, id) => noroshi.setAttributes({
  subscription_groups: [{ subscription_group_id: id, subscription_state: state }],
});
const two = (value) => String(value).padStart(2, "0");

/** The bridge's calls that are about the user and what they do. */
const calls = {
  requestImmediateDataFlush: (noroshi) => noroshi.flush(),
  logCustomEvent: (noroshi, name, properties) => noroshi.logCustomEvent(name, properties ?? {}),
  logPurchase: (noroshi, product, price, currency, quantity, properties) =>
    noroshi.logPurchase(product, currency ?? "USD", price, quantity ?? 1, properties ?? {}),
  changeUser: (noroshi, user, signature) =>
    noroshi.changeUser(user, { signature: signature ?? undefined }),
  requestPushPermission: (noroshi) => noroshi.subscribeToPush(),
  "user.addAlias": (noroshi, name, label) => noroshi.addAlias(name, label),
  "user.setFirstName": profile("first_name"),
  "user.setLastName": profile("last_name"),
  "user.setEmail": profile("email"),
  "user.setCountry": profile("country"),
  "user.setHomeCity": profile("home_city"),
  "user.setLanguage": profile("language"),
  "user.setPhoneNumber": profile("phone"),
  "user.setGender": (noroshi, code) => {
    const gender = String(code ?? "").toUpperCase();
    return noroshi.setAttributes({ gender: ["M", "F", "O", "N", "P"].includes(gender) ? gender : null });
  },
  "user.setDateOfBirth": (noroshi, year, month, day) =>
    noroshi.setAttributes({ dob: `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}` }),
  "user.setEmailNotificationSubscriptionType": profile("email_subscribe"),
  "user.setPushNotificationSubscriptionType": profile("push_subscribe"),
  "user.setCustomUserAttribute": (noroshi, key, value) =>
    noroshi.setAttributes({ [key]: value ?? null }),
  "user.incrementCustomUserAttribute": (noroshi, key, by) =>
    noroshi.setAttributes({ [key]: { inc: by ?? 1 } }),
  "user.addToCustomAttributeArray": (noroshi, key, value) =>
    noroshi.setAttributes({ [key]: { add: [value] } }),
  "user.removeFromCustomAttributeArray": (noroshi, key, value) =>
    noroshi.setAttributes({ [key]: { remove: [value] } }),
  "user.setCustomLocationAttribute": (noroshi, key, latitude, longitude) =>
    noroshi.setAttributes({ [key]: { latitude, longitude } }),
  "user.addToSubscriptionGroup": group("subscribed"),
  "user.removeFromSubscriptionGroup": group("unsubscribed"),
};

/** Whether a picture can be read, within ten seconds. */
function isPicture(address) {
  return new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve(true);
    image.onerror = () => resolve(false);
    setTimeout(() => resolve(false), PICTURE_WAIT);
    image.src = address ?? "";
  });
}
