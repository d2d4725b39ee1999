// Draws in-app messages: on web pages, in the console's preview, on the virtual phones and, in a
// transparent web view, on iPhones. One renderer, so that what is seen in one place is seen in all.
//
//   const shown = drawMessage(message, {
//     onShown: () => …, onClick: (button) => …, onDismiss: () => …,
//   });
//   shown.remove();
//
// `message` is as the server hands it out (fixtures/in_app_messages.json). Everything that a sender
// wrote becomes text, except the page of an HTML message, which stands in a sandbox.

const STYLE = `
:host { all: initial; position: fixed; inset: 0; z-index: 2147483000; display: block;
  pointer-events: none; }
:host([hidden]) { display: none; }
:host(.is-inside) { position: absolute; z-index: 2; overflow: hidden; border-radius: inherit; }
:host(.is-framed) { position: static; }
* { box-sizing: border-box; margin: 0; }
.veil { --card: #ffffff; --ink: #1c1c1e; --soft: #f1efeb; --accent: #b03512; --accent-ink: #ffffff;
  --top: var(--noroshi-top, env(safe-area-inset-top, 0px));
  --right: var(--noroshi-right, env(safe-area-inset-right, 0px));
  --bottom: var(--noroshi-bottom, env(safe-area-inset-bottom, 0px));
  --left: var(--noroshi-left, env(safe-area-inset-left, 0px));
  position: absolute; inset: 0; display: flex; pointer-events: auto;
  font: var(--noroshi-text, 16px)/1.4 system-ui, -apple-system, "Hiragino Sans", "Noto Sans JP",
    sans-serif; color: var(--ink); -webkit-text-size-adjust: 100%; overflow-wrap: anywhere; }
.veil.is-dark { --card: #2c2c2e; --ink: #f5f5f7; --soft: #3a3a3c; --accent: #ff7a4d;
  --accent-ink: #1b1a18; }
.modal, .modal_image { align-items: center; justify-content: center;
  padding: calc(var(--top) + 16px) calc(var(--right) + 20px) calc(var(--bottom) + 16px)
    calc(var(--left) + 20px); }
.modal, .modal_image, .is-wide { background: var(--frame, rgb(0 0 0 / .45)); }
.is-wide { align-items: center; justify-content: center; padding: 32px; }
.box { position: relative; display: flex; flex-direction: column; min-height: 0; max-width: 100%;
  max-height: 100%; background: var(--card); color: var(--ink); overflow: hidden; }
.modal .box { width: 450px; border-radius: 14px; box-shadow: 0 8px 30px rgb(0 0 0 / .3); }
.modal_image .box { border-radius: 14px; box-shadow: 0 8px 30px rgb(0 0 0 / .3); }
.full .box, .full_image .box, .html .box { width: 100%; height: 100%; }
.is-wide.full .box, .is-wide.full_image .box { width: 560px; height: 820px; border-radius: 14px; }
.scroll { display: flex; flex-direction: column; flex: 1 1 auto; min-height: 0; overflow: auto;
  overscroll-behavior: contain; -webkit-overflow-scrolling: touch; }
.words { display: grid; gap: .6em; padding: 24px 24px 12px;
  text-align: var(--text-alignment, center); }
.no-picture .words { padding-top: 52px; }
.words:last-child { padding-bottom: 24px; }
.full .words { padding-left: calc(24px + var(--left)); padding-right: calc(24px + var(--right)); }
.full.no-picture .words { padding-top: calc(60px + var(--top)); }
.is-wide .words { padding-left: 24px; padding-right: 24px; }
h2 { font: inherit; font-size: 1.2em; line-height: 1.3; font-weight: 650; color: var(--header); }
p { white-space: pre-wrap; }
.link { display: block; width: 100%; padding: 0; border: 0; background: none; color: inherit;
  font: inherit; text-align: inherit; cursor: pointer; }
.picture { display: block; width: 100%; flex: none; }
.picture img { display: block; width: 100%; max-height: 290px; object-fit: contain; }
.full .picture img { max-height: none; height: 44vh; height: calc(var(--height, 100vh) * .44);
  object-fit: cover; }
.modal_image .picture { display: flex; justify-content: center; flex: 0 1 auto; min-height: 0; }
.modal_image .picture img { width: auto; max-width: 100%; min-width: 120px; min-height: 88px;
  max-height: calc(var(--height, 100vh) - var(--top) - var(--bottom) - 32px); }
.full_image .picture, .full_image .picture img { height: 100%; max-height: none; object-fit: cover; }
.stand-in { display: grid; place-items: center; align-content: center; gap: 6px; width: 100%;
  min-height: 112px; padding: 16px; background: var(--soft); color: inherit; font-size: .85em;
  text-align: center; }
.full .stand-in { height: calc(var(--height, 100vh) * .44); }
.modal_image .stand-in { min-width: 240px; min-height: 220px; }
.full_image .stand-in { height: 100%; }
.stand-in svg { width: 28px; height: 28px; opacity: .7; }
.is-flat.full .scroll { flex-direction: row; align-items: stretch; }
.is-flat.full .scroll > .picture, .is-flat.full .scroll > .link-picture { width: 42%; }
.is-flat.full .picture img, .is-flat.full .stand-in { height: 100%; }
.is-flat.full .words { flex: 1; align-self: center; overflow: auto; max-height: 100%; }
.is-flat.modal .picture img { max-height: 96px; }
.is-flat.modal .box { width: 620px; }
.buttons { display: flex; flex-wrap: wrap; flex: none; gap: 10px; padding: 12px 24px 24px;
  max-height: calc(var(--height, 100vh) * .5); overflow: auto; }
.is-flat .buttons { flex-wrap: nowrap; }
.modal_image .buttons, .full_image .buttons { position: absolute; left: 0; right: 0; bottom: 0;
  max-height: 60%; overflow: auto; }
.full .buttons, .full_image .buttons { padding-bottom: calc(24px + var(--bottom));
  padding-left: calc(24px + var(--left)); padding-right: calc(24px + var(--right)); }
.is-wide .buttons { padding: 12px 24px 24px; }
.choice { flex: 1 1 8em; min-height: 44px; padding: 10px 14px; border: 1px solid
  var(--button-border, transparent); border-radius: 10px;
  background: var(--button, var(--accent)); color: var(--button-text, var(--accent-ink));
  font: inherit; font-weight: 600; cursor: pointer; }
.is-flat .choice { flex-basis: 0; min-width: 0; }
.close { position: absolute; top: 4px; inset-inline-end: 4px; width: 44px; height: 44px; padding: 0;
  border: 0; border-radius: 22px; background: none; color: var(--close, inherit);
  cursor: pointer; }
.close svg { display: block; width: 16px; height: 16px; margin: 14px; }
.over-picture .close svg { width: 30px; height: 30px; margin: 7px; padding: 8px;
  border-radius: 15px; background: rgb(255 255 255 / .82); color: var(--close, #1c1c1e); }
.full .close, .full_image .close, .html .close { top: calc(var(--top) + 4px);
  inset-inline-end: calc(max(var(--right), var(--left)) + 4px); }
.is-wide .close { top: 4px; inset-inline-end: 4px; }
.slideup { inset: auto 0 0 0; padding: 10px calc(10px + var(--right)) calc(10px + var(--bottom))
    calc(10px + var(--left)); pointer-events: none; justify-content: center; }
.slideup.at-top { inset: 0 0 auto 0; padding-top: calc(10px + var(--top)); padding-bottom: 10px; }
.is-framed .slideup { position: static; padding: 0; }
.slideup .box { flex-direction: row; align-items: center; width: 100%; max-width: 560px;
  border-radius: 14px; box-shadow: 0 4px 18px rgb(0 0 0 / .28); pointer-events: auto;
  touch-action: pan-x; }
.is-framed .slideup .box { max-width: none; box-shadow: none; }
.strip { display: flex; flex: 1; align-items: center; gap: 14px; min-width: 0; min-height: 56px;
  padding: 12px 4px 12px 16px; text-align: var(--text-alignment, start); }
.slideup p { flex: 1; max-height: 9.8em; overflow: auto; }
.slideup .picture, .slideup .stand-in { flex: none; width: 50px; height: 50px; min-height: 0;
  padding: 0; border-radius: 8px; }
.slideup .picture img { width: 50px; height: 50px; max-height: none; border-radius: 8px;
  object-fit: cover; }
.slideup .stand-in span { position: absolute; width: 1px; height: 1px; overflow: hidden; }
.slideup .close { position: static; flex: none; margin-inline-end: 4px; }
.html { align-items: stretch; }
.html iframe { display: block; width: 100%; height: 100%; border: 0; background: transparent; }
:focus { outline: none; }
:focus-visible, .has-focus { outline: 3px solid #1769e0; outline-offset: -3px; }
.box:focus-visible { outline: none; }
.moves .box { animation: rise .22s ease-out; }
.moves.slideup .box { animation-name: from-below; }
.moves.slideup.at-top .box { animation-name: from-above; }
.moves.leaves { transition: opacity .15s; opacity: 0; }
@keyframes rise { from { opacity: 0; transform: scale(.96); } }
@keyframes from-below { from { opacity: 0; transform: translateY(110%); } }
@keyframes from-above { from { opacity: 0; transform: translateY(-110%); } }
@media (prefers-reduced-motion: reduce) { .moves .box { animation: none; } }
`;

const WORDS = {
  en: { close: "Close", message: "Message", page: "Page of the message" },
  ja: { close: "閉じる", message: "メッセージ", page: "メッセージのページ" },
  pt: { close: "Fechar", message: "Mensagem", page: "Página da mensagem" },
};
const SVG = "http://www.w3.org/2000/svg";
const SWIPE = 44;

/** `#AARRGGBB` or `#RRGGBB`, as messages have it, in the order of CSS; undefined for anything else. */
export function cssColor(color) {
  if (!/^#([0-9a-f]{2})?[0-9a-f]{6}$/i.test(color ?? "")) return undefined;
  const digits = color.slice(1);
  return digits.length === 8 ? `#${digits.slice(2)}${digits.slice(0, 2)}` : color;
}

/** Whether a message may be shown in a place of this width and height. */
export function fitsOrientation(message, width, height) {
  const wanted = message.orientation ?? "any";
  return wanted === "any" || wanted === (width > height ? "landscape" : "portrait");
}

/**
 * Puts a message on the screen. Nothing is recorded here; the functions tell what happened.
 *
 * @param {object} message an in-app message as the server hands it out.
 * @param {object} [options]
 * @param {Element} [options.container] where it is drawn; unless stated it covers the whole page, and
 *     takes the keyboard as long as it does.
 * @param {boolean} [options.isFramed] the strip of a slideup fills its container, which somebody else
 *     moves.
 * @param {"light" | "dark"} [options.theme] the appearance; the system's unless stated.
 * @param {string} [options.language] the language of what the renderer says itself (en, ja, pt); the
 *     browser's unless stated.
 * @param {object} [options.words] the same in words of one's own: `close`, `message`, `page`.
 * @param {boolean} [options.loadsPictures] false draws the words of a picture in its place.
 * @param {string} [options.picture] the address of the picture instead of the message's own.
 * @param {string} [options.page] the address of the page of an HTML message; without it the page
 *     itself, with the script `options.bridge` before its own.
 * @param {boolean} [options.isPreview] it is looked at, not used: it takes no focus, closes by
 *     nothing and moves by nothing.
 * @param {() => void} [options.onShown] it is drawn, with its picture.
 * @param {(button?: string) => void} [options.onClick] the message or a button was tapped.
 * @param {() => void} [options.onDismiss] it was closed without a tap on it.
 * @param {(call: object) => void} [options.onCall] its page has called the bridge.
 * @param {(width: number, height: number) => void} [options.onSize] the size of a framed strip.
 */
export function drawMessage(message, options = {}) {
  return new Drawing(message, options);
}

class Drawing {
  constructor(message, options) {
    this.message = message;
    this.options = options;
    const language = (options.language ?? navigator.language ?? "en").slice(0, 2);
    this.words = { ...(WORDS[language] ?? WORDS.en), ...options.words };
    this.before = document.activeElement;
    // What lies over a part of the page leaves the keyboard to the page.
    this.covers = message.type !== "slideup" && !options.container && !options.isPreview;
    this.element = document.createElement("div");
    this.element.className = "noroshi-message";
    this.element.classList.toggle("is-inside", Boolean(options.container));
    this.element.classList.toggle("is-framed", Boolean(options.isFramed));
    const root = this.element.attachShadow({ mode: "open" });
    this.root = root;
    addStyle(root);
    this.veil = make("div", `veil ${message.type}`);
    if (options.isFramed) {
      const frame = make("div", "is-framed");
      frame.append(this.veil);
      root.append(frame);
    } else {
      root.append(this.veil);
    }
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.veil.classList.toggle("moves", !options.isPreview && !isCalm);
    this.veil.classList.toggle("at-top", message.slide_from === "top");
    if (["start", "center", "end"].includes(message.text_alignment)) {
      this.veil.style.setProperty("--text-alignment", message.text_alignment);
    }
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.recolor = () => this.paint();
    this.dark.addEventListener?.("change", this.recolor);
    this.fill();
    this.paint();
    (options.container ?? document.body).append(this.element);
    this.watchSize();
    if (!options.isPreview) this.listen();
    this.settle();
  }

  /** Takes the message away; nothing is told. */
  remove() {
    if (this.isGone) return;
    this.isGone = true;
    clearTimeout(this.timer);
    this.sizes?.disconnect();
    this.dark.removeEventListener?.("change", this.recolor);
    removeEventListener("message", this.hearPage);
    document.removeEventListener("keydown", this.hearKey);
    this.element.remove();
    if (this.tookFocus && this.before?.isConnected) this.before.focus?.();
  }

  /** Draws it in another appearance: `light`, `dark`, or the system's. */
  setTheme(theme) {
    this.options.theme = theme;
    this.paint();
  }

  // What is drawn

  fill() {
    const { message } = this;
    const box = make("div", "box");
    this.box = box;
    const label = message.header || message.message;
    const isStrip = message.type === "slideup";
    box.setAttribute("role", isStrip ? "status" : "dialog");
    if (!isStrip) {
      if (this.covers) box.setAttribute("aria-modal", "true");
      box.tabIndex = -1;
      const name = message.type === "html" ? this.words.message
        : message.type.endsWith("_image") ? message.image_alt || this.words.message : label;
      box.setAttribute("aria-label", name || this.words.message);
    }
    if (message.language) box.lang = message.language;
    // Its own direction, whatever the page's is.
    box.dir = direction(`${message.header ?? ""} ${message.message}`);
    const draw = { slideup: () => this.strip(), html: () => this.page() }[message.type]
      ?? (() => this.card());
    box.append(...draw());
    const close = make("button", "close");
    close.type = "button";
    close.setAttribute("aria-label", this.words.close);
    close.append(cross());
    close.addEventListener("click", () => this.dismiss());
    // Last in the order of the keyboard. An HTML page that runs has a way to close of its own.
    if (message.type !== "html" || this.options.page !== undefined) box.append(close);
    this.veil.append(box);
  }

  strip() {
    const { message } = this;
    const strip = this.tappable("strip");
    const picture = this.picture();
    const text = make("p");
    text.dir = "auto";
    text.textContent = message.message;
    strip.append(...[picture, text].filter(Boolean));
    return [strip];
  }

  card() {
    const { message } = this;
    const isImageOnly = message.type.endsWith("_image");
    const picture = this.picture();
    this.veil.classList.toggle("no-picture", !picture);
    this.box.classList.toggle("over-picture", Boolean(picture));
    const scroll = make("div", "scroll");
    const words = make("div", "words");
    if (!isImageOnly) {
      if (message.header) {
        const header = make("h2");
        header.dir = "auto";
        header.textContent = message.header;
        words.append(header);
      }
      if (message.message) {
        const text = make("p");
        text.dir = "auto";
        text.textContent = message.message;
        words.append(text);
      }
    }
    const buttons = (message.buttons ?? []).map((button) => this.button(button));
    const content = [picture, isImageOnly ? null : words].filter(Boolean);
    if (buttons.length === 0 && acts(message.click_action)) {
      const link = this.tappable("link-all");
      link.append(...content);
      if (isImageOnly) link.setAttribute("aria-label", message.image_alt || this.words.message);
      scroll.append(link);
      if (isImageOnly) link.style.height = message.type === "full_image" ? "100%" : "";
    } else {
      scroll.append(...content);
    }
    if (buttons.length === 0) return [scroll];
    const row = make("div", "buttons");
    row.append(...buttons);
    return [scroll, row];
  }

  page() {
    const frame = make("iframe");
    frame.title = this.words.page;
    frame.className = "page";
    this.frame = frame;
    if (this.options.page !== undefined) {
      frame.setAttribute("sandbox", "");
      if (this.options.page) frame.src = this.options.page;
    } else {
      frame.setAttribute("sandbox", "allow-scripts allow-forms allow-popups");
      // This text itself may stand in a script of a page, which would end at the tag.
      const bridge = this.options.bridge ? `<script>${this.options.bridge}<\/script>` : "";
      frame.srcdoc = bridge + this.message.message;
    }
    return [frame];
  }

  picture() {
    const { message, options } = this;
    const address = options.picture ?? message.image_url;
    if (!address) return null;
    const holder = make("div", "picture");
    const standIn = () => {
      const box = make("div", "stand-in");
      const words = make("span");
      words.textContent = message.image_alt || address.split("/").pop().slice(0, 80);
      box.append(frameDrawing(), words);
      holder.replaceChildren(box);
    };
    if (options.loadsPictures === false) {
      standIn();
      return holder;
    }
    const image = make("img");
    image.alt = message.image_alt ?? "";
    // A text is shown without its picture rather than with a broken one.
    image.addEventListener("error", () => {
      if (message.type.endsWith("_image")) standIn();
      else holder.remove();
      this.veil.classList.toggle("no-picture", !message.type.endsWith("_image"));
      this.box.classList.remove("over-picture");
    });
    image.src = address;
    this.image = image;
    holder.append(image);
    return holder;
  }

  button(button) {
    const element = make("button", "choice");
    element.type = "button";
    element.dir = "auto";
    element.textContent = button.text;
    for (const [slot, property] of [["text", "--button-text"], ["background", "--button"],
      ["border", "--button-border"]]) {
      const color = cssColor(button.colors?.[slot]);
      if (color) element.style.setProperty(property, color);
    }
    element.addEventListener("click", () => this.click(button.id));
    return element;
  }

  // What a tap on the message itself is meant for; without a meaning it is no button.
  tappable(kind) {
    if (!acts(this.message.click_action)) return make("div", kind);
    const element = make("button", `${kind} link`);
    element.type = "button";
    element.addEventListener("click", () => this.click());
    return element;
  }

  paint() {
    const isDark = (this.options.theme ?? (this.dark.matches ? "dark" : "light")) === "dark";
    this.veil.classList.toggle("is-dark", isDark);
    const themes = this.message.themes ?? {};
    // What is not said of the dark appearance is as in the light one.
    const colors = { ...themes.light, ...(isDark ? themes.dark : {}) };
    for (const [slot, property] of [["background", "--card"], ["text", "--ink"],
      ["header", "--header"], ["frame", "--frame"], ["close", "--close"]]) {
      const color = cssColor(colors[slot]);
      if (color) this.veil.style.setProperty(property, color);
      else this.veil.style.removeProperty(property);
    }
  }

  // The place decides, not the window: a phone in a preview is a phone.
  watchSize() {
    const measure = () => {
      const place = this.options.isFramed ? this.box : this.element;
      const { width, height } = place.getBoundingClientRect();
      if (this.options.isFramed) {
        this.options.onSize?.(width, height);
        return;
      }
      const isFull = this.message.type.startsWith("full");
      this.veil.classList.toggle("is-wide", isFull && width >= 700 && height >= 600);
      this.veil.classList.toggle("is-flat", height < 480 && width > height);
      this.veil.style.setProperty("--height",
        `${this.veil.classList.contains("is-wide") ? Math.min(820, height - 64) : height}px`);
      this.offerScrolling();
    };
    this.sizes = new ResizeObserver(measure);
    this.sizes.observe(this.options.isFramed ? this.box : this.element);
    measure();
  }

  // What is too long is scrolled by keyboard too.
  offerScrolling() {
    for (const part of this.box.querySelectorAll(".scroll, .words, .strip p, .buttons")) {
      const isLong = part.scrollHeight > part.clientHeight + 1
        && getComputedStyle(part).overflowY === "auto";
      if (isLong) part.tabIndex = 0;
      else part.removeAttribute("tabindex");
    }
  }

  // What happens to it

  async settle() {
    // A picture that cannot be read is drawn as words, or left out; it is seen all the same.
    if (this.image) await this.image.decode().catch(() => {});
    if (this.isGone) return;
    this.offerScrolling();
    this.options.onShown?.();
    if (this.options.isPreview) return;
    const seconds = this.message.closes_after_seconds;
    if (seconds > 0) this.timer = setTimeout(() => this.dismiss(), seconds * 1000);
    if (this.covers) {
      this.tookFocus = true;
      (this.frame ?? this.box).focus();
    }
  }

  click(button) {
    if (this.isGone || this.options.isPreview) return;
    this.remove();
    this.options.onClick?.(button);
  }

  dismiss() {
    if (this.isGone || this.options.isPreview) return;
    this.remove();
    this.options.onDismiss?.();
  }

  listen() {
    this.hearKey = (event) => {
      if (event.key === "Escape") this.dismiss();
      if (event.key === "Tab" && this.tookFocus) this.keepFocus(event);
    };
    document.addEventListener("keydown", this.hearKey);
    if (this.message.type === "slideup" && !this.options.isFramed) this.followSwipe();
    if (!this.frame) return;
    this.hearPage = (event) => {
      if (event.source === this.frame.contentWindow && typeof event.data === "string") {
        this.options.onCall?.(event.data);
      }
    };
    addEventListener("message", this.hearPage);
  }

  // The keyboard stays in a message that covers the app.
  keepFocus(event) {
    const stops = [...this.root.querySelectorAll("button, iframe, [tabindex='0']")];
    if (stops.length === 0) return;
    const current = this.root.activeElement;
    const edge = event.shiftKey ? stops[0] : stops[stops.length - 1];
    if (current && current !== edge && stops.includes(current)) return;
    if (!event.shiftKey && current === this.box) return;
    event.preventDefault();
    (event.shiftKey ? stops[stops.length - 1] : stops[0]).focus();
  }

  // A strip is pushed out over its own edge.
  followSwipe() {
    const toward = this.message.slide_from === "top" ? -1 : 1;
    let start;
    let moved = 0;
    const end = () => {
      if (start === undefined) return;
      start = undefined;
      this.box.style.transform = "";
      if (moved * toward > SWIPE) this.dismiss();
    };
    this.box.addEventListener("pointerdown", (event) => {
      start = event.clientY;
      moved = 0;
    });
    this.box.addEventListener("pointermove", (event) => {
      if (start === undefined) return;
      moved = event.clientY - start;
      if (Math.abs(moved) > 8) this.box.setPointerCapture?.(event.pointerId);
      this.box.style.transform = moved * toward > 0 ? `translateY(${moved}px)` : "";
    });
    this.box.addEventListener("pointerup", end);
    this.box.addEventListener("pointercancel", end);
    // The finger that pushed it has not tapped it.
    this.box.addEventListener("click", (event) => {
      if (Math.abs(moved) > 8) event.stopPropagation();
    }, true);
  }
}

// The direction of the first letter that has one, as of Arabic and Hebrew.
function direction(text) {
  const letter = /\p{L}/u.exec(text)?.[0];
  return letter && /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(letter) ? "rtl" : "ltr";
}

const acts = (action) => Boolean(action) && action.type !== "none";

function make(tag, classes = "") {
  const element = document.createElement(tag);
  if (classes) element.className = classes;
  return element;
}

function drawing(viewBox, path) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  line.setAttribute("fill", "none");
  line.setAttribute("stroke", "currentColor");
  line.setAttribute("stroke-width", "2");
  line.setAttribute("stroke-linecap", "round");
  svg.append(line);
  return svg;
}

const cross = () => drawing("0 0 16 16", "M2 2l12 12M14 2L2 14");
const frameDrawing = () => drawing("0 0 24 24", "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 6");

// A sheet of its own where the page's rules allow no styles in the text; Safari before 16.4 has only
// the element.
function addStyle(root) {
  if ("adoptedStyleSheets" in Document.prototype && "replaceSync" in CSSStyleSheet.prototype) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    return;
  }
  const style = document.createElement("style");
  style.textContent = STYLE;
  root.append(style);
}
