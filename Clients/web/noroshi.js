// Noroshi for web pages: events, attributes, users and pushes.
//
//   import { Noroshi } from "https://push.example.com/sdk/web/noroshi.js";
//   const noroshi = await Noroshi.start({ apiKey: "sdk_…" });
//   await noroshi.changeUser("ada");
//   await noroshi.logCustomEvent("viewed_item", { sku: "T-100" });
//   button.onclick = () => noroshi.subscribeToPush();
//
// Pushes need a file at the site's root, /noroshi-worker.js; see worker.js.
import "./outbox.js";
import { InAppMessages } from "./in-app.js";

const SESSION_PAUSE = 30 * 60_000;
const FLUSH_DELAY = 1_000;
const TEXT_LIMIT = 255;

/** What is wrong with a call; nothing was recorded. */
export class NoroshiError extends Error {
  name = "NoroshiError";
}

const text = (value, what) => {
  const isFit = typeof value === "string" && value.length > 0 && value.length <= TEXT_LIMIT;
  if (!isFit) throw new NoroshiError(`${what} is a text of 1 to ${TEXT_LIMIT} characters`);
  return value;
};

const bytes = (base64URL) => {
  const standard = base64URL.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
};

const isSame = (left, right) => {
  if (!left || left.byteLength !== right.byteLength) return false;
  const view = new Uint8Array(left);
  return view.every((byte, index) => byte === right[index]);
};

export class Noroshi {
  #outbox;
  #endpoint;
  #apiKey;
  #worker;
  #timer;
  #failures = 0;
  #listeners = new Set();
  #refusalListeners = new Set();
  #inApp;
  #showsInAppMessages = true;

  /**
   * Starts the SDK on a page; the user and what has not been sent yet are those of the last visit.
   *
   * @param {object} options
   * @param {string} options.apiKey the app's SDK key.
   * @param {string} [options.endpoint] the server; without it the one that this file comes from.
   * @param {string} [options.worker] the site's service worker.
   * @param {boolean} [options.showsInAppMessages] false fetches and shows no in-app messages.
   */
  static async start({
    apiKey, endpoint, worker = "/noroshi-worker.js", showsInAppMessages = true,
  }) {
    text(apiKey, "apiKey");
    const noroshi = new Noroshi();
    noroshi.#apiKey = apiKey;
    noroshi.#endpoint = (endpoint ?? new URL(import.meta.url).origin).replace(/\/+$/, "");
    noroshi.#worker = worker;
    noroshi.#outbox = await globalThis.NoroshiOutbox.open();
    noroshi.#outbox.onSignatureRefused = (refusal) => {
      console.warn(`Noroshi: the signed token of ${refusal.user} is refused: ${refusal.reason}`);
      for (const listener of noroshi.#refusalListeners) listener(refusal);
    };
    await noroshi.#outbox.configure({ endpoint: noroshi.#endpoint, apiKey });
    noroshi.#showsInAppMessages = showsInAppMessages;
    noroshi.#inApp = new InAppMessages({
      noroshi,
      outbox: noroshi.#outbox,
      load: () => noroshi.#loadInAppMessages(),
      record: (record) => noroshi.#append(record),
    });
    await noroshi.#inApp.begin();
    await noroshi.#beginSession();
    document.addEventListener("visibilitychange", () => noroshi.#visibilityChanged());
    navigator.serviceWorker?.addEventListener("message", ({ data }) => {
      if (data?.noroshi?.kind === "opened") noroshi.#happened({ type: "push_open" });
      if (data?.noroshi) for (const listener of noroshi.#listeners) listener(data.noroshi);
    });
    addEventListener("online", () => noroshi.flush());
    await noroshi.#refreshSubscription().catch(() => {});
    noroshi.#soon();
    return noroshi;
  }

  /** The id of this browser's installation. */
  async deviceId() {
    return (await this.#outbox.installation()).device;
  }

  /** The user that the page has named; null for a nameless one. */
  async userId() {
    return (await this.#outbox.installation()).user.external_id ?? null;
  }

  /**
   * Names the user; what a nameless user did moves to a new name.
   *
   * @param {string} id the user's external id.
   * @param {object} [options]
   * @param {string} [options.signature] the user's signed token (JWT), where SDK authentication is
   *     used; see `onSignatureRefused`.
   */
  async changeUser(id, { signature } = {}) {
    text(id, "the user's id");
    let isAnother = false;
    await this.#change((installation) => {
      const previous = installation.user;
      isAnother = previous.external_id !== id;
      if (signature) globalThis.NoroshiOutbox.keepSignature(installation, id, signature);
      if (previous.external_id === id) return [];
      installation.user = { external_id: id };
      const token = installation.token && globalThis.NoroshiOutbox.tokenRecord(installation.token);
      return [{ type: "user_changed", previous }, ...(token ? [token] : [])];
    });
    // What was made for one user is not shown to the next one.
    if (isAnother) await this.#beginMessages();
  }

  /** Gives a new signed token for the current user, as after one was refused, and sends on. */
  async setSignature(signature) {
    const user = await this.userId();
    if (user === null) throw new NoroshiError("a nameless user has no signed token");
    if (typeof signature !== "string" || !signature) {
      throw new NoroshiError("the signed token is a text");
    }
    await this.#outbox.setSignature(user, signature);
    await this.flush();
  }

  /**
   * Calls `listener` with `{code, reason, user}` when the server refuses a user's signed token.
   * Until `setSignature` brings another one nothing of this user is sent, and nothing is lost.
   *
   * @returns {() => void} a function that ends it.
   */
  onSignatureRefused(listener) {
    this.#refusalListeners.add(listener);
    return () => this.#refusalListeners.delete(listener);
  }

  /**
   * Asks the server to delete the user with everything it has of them, and forgets them here: a
   * nameless user of a new installation remains, without pushes. A user with a name needs a signed
   * token, see `changeUser`; without SDK authentication your own server calls `/users/delete`.
   *
   * @throws {NoroshiError} when the server did not delete the user; nothing is forgotten then.
   */
  async deleteUserData() {
    // What waits belongs to the user too; sent later, it would make the user anew.
    await this.flush();
    const { device, user, signatures } = await this.#outbox.installation();
    const signature = user.external_id && signatures?.[user.external_id];
    const answer = await fetch(`${this.#endpoint}/sdk/v1/users/delete`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${this.#apiKey}`, "content-type": "application/json",
      },
      body: JSON.stringify({ device, user, ...(signature && { signature }) }),
    });
    if (!answer.ok) {
      const { message } = await answer.json().catch(() => ({}));
      throw new NoroshiError(message ?? `the server answered ${answer.status}`);
    }
    const registration = await navigator.serviceWorker?.getRegistration();
    await (await registration?.pushManager?.getSubscription())?.unsubscribe().catch(() => {});
    await this.#outbox.change((installation) => {
      installation.device = crypto.randomUUID();
      installation.user = { anonymous_id: crypto.randomUUID() };
      installation.signatures = {};
      installation.token = null;
      installation.session = null;
      return [];
    });
    await this.#beginMessages();
  }

  /** Ends the user's time on this browser: no pushes, and a nameless user from now on. */
  async logOut() {
    await this.unsubscribeFromPush();
    await this.#change((installation) => {
      installation.user = { anonymous_id: crypto.randomUUID() };
    });
    await this.#beginMessages();
  }

  /** Another name for the user: `name` in the list `label`. */
  async addAlias(name, label) {
    await this.#append({ type: "alias", name: text(name, "name"), label: text(label, "label") });
  }

  /** Records an event with properties of JSON's types. */
  async logCustomEvent(name, properties = {}) {
    if (text(name, "the event's name").startsWith("$")) {
      throw new NoroshiError("an event's name does not begin with $");
    }
    await this.#append({ type: "event", name, properties });
    this.#happened({ type: "event", name, properties });
  }

  /** Records a purchase of `quantity` pieces, 1 to 100, at `price` each. */
  async logPurchase(product, currency, price, quantity = 1, properties = {}) {
    text(product, "the product");
    if (!/^[A-Za-z]{3}$/.test(currency)) throw new NoroshiError("the currency is a code of ISO 4217");
    if (!Number.isFinite(price)) throw new NoroshiError("the price is a number");
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > 100) {
      throw new NoroshiError("the quantity is 1 to 100");
    }
    await this.#append({
      type: "purchase", product, currency: currency.toUpperCase(), price, quantity, properties,
    });
    this.#happened({ type: "purchase", product, properties });
  }

  /**
   * Changes the profile: standard and custom attributes. null removes, `{inc: 1}` counts,
   * `{add: […]}` and `{remove: […]}` change a list.
   */
  async setAttributes(attributes, { mergeObjects = false } = {}) {
    if (!attributes || typeof attributes !== "object" || Array.isArray(attributes)) {
      throw new NoroshiError("attributes is an object");
    }
    await this.#append({ type: "attributes", attributes, merge_objects: mergeObjects });
  }

  /** Messages inside the page; see `InAppMessages` in in-app.js. */
  get inAppMessages() {
    return this.#inApp;
  }

  /** How many records wait for the server. */
  async pendingCount() {
    return this.#outbox.pendingCount();
  }

  /** Sends what waits now instead of in a second. */
  async flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const wait = await this.#outbox.flush(this.#failures);
    if (wait === 0) {
      this.#failures = 0;
      this.#inApp.serverIsCurrent().catch(() => {});
    } else if (Number.isFinite(wait)) {
      this.#failures += 1;
      this.#soon(wait);
    }
  }

  // Pushes

  /** Whether this browser can receive pushes on this page at all. */
  static get isPushSupported() {
    return "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
  }

  /** What the user allows: `default`, `granted` or `denied`. */
  get pushPermission() {
    return globalThis.Notification?.permission ?? "denied";
  }

  /** Calls `listener` with `{kind, payload, action}` of pushes that arrive or are opened. */
  onPush(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Asks for permission and subscribes; call it in a click. Resolves to whether pushes arrive from
   * now on.
   */
  async subscribeToPush() {
    if (!Noroshi.isPushSupported) return false;
    // First: Safari and Firefox want the question directly in the click.
    if (await Notification.requestPermission() !== "granted") return false;
    const key = bytes(await this.#applicationServerKey());
    const registration = await this.#registration();
    let subscription = await registration.pushManager.getSubscription();
    if (subscription && !isSame(subscription.options?.applicationServerKey, key)) {
      await subscription.unsubscribe();
      subscription = null;
    }
    subscription ??= await registration.pushManager.subscribe({
      userVisibleOnly: true, applicationServerKey: key,
    });
    await this.#register(subscription.toJSON());
    return true;
  }

  /** Ends pushes on this browser. */
  async unsubscribeFromPush() {
    const registration = await navigator.serviceWorker?.getRegistration(this.#worker);
    const subscription = await registration?.pushManager?.getSubscription();
    await subscription?.unsubscribe();
    await this.#change((installation) => {
      if (!installation.token) return [];
      installation.token = null;
      return [{ type: "push_token_cleared" }];
    });
  }

  async #applicationServerKey() {
    const answer = await fetch(`${this.#endpoint}/sdk/v1/web_push_key`, {
      headers: { authorization: `Bearer ${this.#apiKey}` },
    });
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new NoroshiError(body.message ?? `the server answered ${answer.status}`);
    return body.application_server_key;
  }

  async #registration() {
    await navigator.serviceWorker.register(this.#worker);
    return navigator.serviceWorker.ready;
  }

  /** A subscription that the browser has changed, or the user has ended, since the last visit. */
  async #refreshSubscription() {
    if (!Noroshi.isPushSupported) return;
    const { token } = await this.#outbox.installation();
    if (!token) return;
    const registration = await this.#registration();
    const subscription = await registration.pushManager.getSubscription();
    if (!subscription || this.pushPermission !== "granted") {
      await this.#change((installation) => {
        installation.token = null;
        return [{ type: "push_token_cleared" }];
      });
    } else if (subscription.endpoint !== token.endpoint) {
      await this.#register(subscription.toJSON());
    }
  }

  async #register(token) {
    await this.#change((installation) => {
      installation.token = token;
      return [globalThis.NoroshiOutbox.tokenRecord(token)];
    });
    await this.flush();
  }

  // Sessions and sending

  #happened(happened) {
    if (this.#showsInAppMessages) this.#inApp.happened(happened);
  }

  /** Fetches the user's messages and shows what is meant for the start of a session; not waited for. */
  async #beginMessages(isSameUser = false) {
    if (!isSameUser) await this.#inApp.reset();
    if (!this.#showsInAppMessages) return;
    this.#inApp.refresh().then(() => this.#happened({ type: "session_start" }))
      .catch((error) => console.warn("Noroshi:", error));
  }

  async #loadInAppMessages() {
    const { device, user, signatures } = await this.#outbox.installation();
    const address = new URL(`${this.#endpoint}/sdk/v1/in_app_messages`);
    address.searchParams.set("device", device);
    if (user.external_id) address.searchParams.set("user", user.external_id);
    const signature = user.external_id && signatures?.[user.external_id];
    const answer = await fetch(address, {
      headers: {
        authorization: `Bearer ${this.#apiKey}`,
        ...(signature && { "x-noroshi-user-token": signature }),
      },
    });
    if (!answer.ok) throw new NoroshiError(`the server answered ${answer.status}`);
    return answer.json();
  }

  async #beginSession() {
    let isNew = false;
    await this.#change((installation) => {
      const now = Date.now();
      const session = installation.session;
      if (session && now - session.lastActive < SESSION_PAUSE) {
        session.lastActive = now;
        return [];
      }
      isNew = true;
      installation.session = { id: crypto.randomUUID(), startedAt: now, lastActive: now };
      const ended = session && {
        type: "session_ended",
        session: session.id,
        duration_seconds: (session.lastActive - session.startedAt) / 1000,
      };
      return [...(ended ? [ended] : []), { type: "session_started" }];
    });
    if (isNew) await this.#beginMessages(true);
  }

  #visibilityChanged() {
    if (document.visibilityState === "visible") {
      this.#beginSession().catch(() => {});
      return;
    }
    this.#outbox.change((installation) => {
      if (installation.session) installation.session.lastActive = Date.now();
    }).then(() => this.flush()).catch(() => {});
  }

  async #append(record) {
    await this.#outbox.append(record);
    this.#soon();
  }

  async #change(work) {
    await this.#outbox.change(work);
    this.#soon();
  }

  #soon(delay = FLUSH_DELAY) {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.flush().catch((error) => console.warn("Noroshi:", error));
    }, delay);
  }
}
