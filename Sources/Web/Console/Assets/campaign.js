// The campaign wizard: one step at a time, variants that come and go, a text for each platform, and
// the preview of the one that is being written.
import { startComposer, startRows } from "./composer.js";

const parts = ["title", "subtitle", "message", "url", "image"];
const pageParts = ["storyImage", "storyTitle", "storySubtitle", "storyURL"];

export function startCampaign(form) {
  const active = { variant: "0", platform: "all" };
  const variants = form.querySelector("[data-variants]");
  const screen = form.querySelector(".screen");

  const variant = () => variants.querySelector(`[data-variant="${active.variant}"]`)
    ?? variants.firstElementChild;
  const box = (platform) => variant().querySelector(`[data-platform="${platform}"]`);
  const field = (platform, part) => box(platform).querySelector(`[data-part="${part}"]`);
  // A platform without a text of its own shows the common one.
  const common = (platform, part) => field(platform, part).value || field("all", part).value;
  const language = () => form.elements[`v${active.variant}.shownLanguage`]?.value ?? "";
  const translated = (part) =>
    language() && form.elements[`v${active.variant}.lang.${language()}.${part}`]?.value;

  const texts = {
    body: (platform = active.platform) => {
      const body = new URLSearchParams(new FormData(form));
      for (const part of parts) body.set(part, common(platform, part));
      const own = `v${active.variant}.`;
      for (const [name, text] of [...body]) {
        if (name.startsWith(`${own}lang.`)) body.set(name.slice(own.length), text);
      }
      body.set("shownLanguage", language());
      const pages = pageParts.map((part) => [part,
        [...variant().querySelectorAll(`[data-own-story] [name$=".${part}"]`)]
          .map((field) => field.value)]);
      if (pages.some(([, values]) => values.some((text) => text.trim()))) {
        for (const [part, values] of pages) {
          body.delete(part);
          for (const text of values) body.append(part, text);
        }
      }
      return body;
    },
    shown: () => ["title", "subtitle", "message"].map((part) =>
      translated(part) || common(active.platform, part)),
    message: () => {
      const message = field(active.platform, "message");
      return { field: message, place: message.closest(".field").querySelector("[data-fault]") };
    },
  };
  const composer = startComposer(form, texts);

  const count = () => {
    for (const place of variants.querySelectorAll("[data-count]")) {
      const text = place.closest(".field").querySelector("textarea").value;
      const length = [...new Intl.Segmenter().segment(text)].length;
      place.textContent = length === 0
        ? "" : form.dataset.characters.replace("{count}", String(length));
      place.classList.toggle("long", length > 178);
    }
  };

  const show = () => {
    for (const card of variants.children) {
      const isActive = card === variant();
      const platform = isActive ? active.platform : "all";
      for (const text of card.querySelectorAll("[data-platform]")) {
        text.hidden = text.dataset.platform !== platform;
      }
      for (const tab of card.querySelectorAll("[data-show-platform]")) {
        tab.setAttribute("aria-pressed", String(tab.dataset.showPlatform === platform));
      }
      card.classList.toggle("is-active", isActive && variants.children.length > 1);
    }
    screen.dataset.frame = active.platform === "all" ? "ios" : active.platform;
    count();
    composer.preview();
  };

  variants.addEventListener("focusin", (event) => {
    const card = event.target.closest("[data-variant]");
    if (card.dataset.variant === active.variant) return;
    active.variant = card.dataset.variant;
    active.platform = "all";
    show();
  });
  variants.addEventListener("click", (event) => {
    const tab = event.target.closest("[data-show-platform]");
    if (tab) {
      active.variant = tab.closest("[data-variant]").dataset.variant;
      active.platform = tab.dataset.showPlatform;
      show();
    }
    const remove = event.target.closest("[data-remove-variant]");
    if (remove) {
      remove.closest("[data-variant]").remove();
      active.variant = "0";
      number(variants);
      show();
      form.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });
  variants.addEventListener("input", count);
  for (const tabs of variants.querySelectorAll("[data-platforms]")) tabs.hidden = false;

  const add = form.querySelector("[data-add-variant]");
  add.hidden = false;
  add.addEventListener("click", () => {
    if (variants.children.length >= 8) return;
    const card = variants.lastElementChild.cloneNode(true);
    for (const input of card.querySelectorAll("input:not([type=radio]), textarea")) input.value = "";
    for (const fault of card.querySelectorAll("[data-fault]")) fault.hidden = true;
    for (const wrong of card.querySelectorAll("[aria-invalid]")) {
      wrong.removeAttribute("aria-invalid");
    }
    for (const row of [...card.querySelectorAll("[data-own-story] .row")].slice(3)) row.remove();
    card.querySelector("[data-own-story]").closest("details").open = false;
    variants.append(card);
    number(variants);
    for (const tab of card.querySelectorAll(".language-tabs input")) tab.checked = tab.value === "";
    startRows(card);
    active.variant = card.dataset.variant;
    active.platform = "all";
    show();
    field("all", "title").focus();
  });

  if (form.querySelector("[data-wizard]")) startSteps(form);
  show();
}

// Names, ids and letters follow the place of a variant.
function number(variants) {
  [...variants.children].forEach((card, index) => {
    const before = `v${card.dataset.variant}.`;
    const now = `v${index}.`;
    card.dataset.variant = String(index);
    const letter = String.fromCharCode(65 + index);
    const attributes = ["name", "id", "for", "data-fault", "data-prefix", "data-show-for"];
    for (const element of card.querySelectorAll("*")) {
      for (const attribute of attributes) {
        const value = element.getAttribute(attribute);
        if (value?.startsWith(before)) {
          element.setAttribute(attribute, now + value.slice(before.length));
        }
      }
    }
    const name = card.querySelector(`[name="${now}name"]`);
    // A stored variant keeps the name under which it was sent.
    const isStored = card.querySelector(`[name="${now}id"]`).value !== "";
    if (!name.value || (!isStored && /^[A-H]$/.test(name.value))) name.value = letter;
    for (const labelled of card.querySelectorAll("[aria-label]:not([data-label])")) {
      const label = labelled.getAttribute("aria-label");
      labelled.setAttribute("aria-label", label.replace(/ [A-H]$/, ` ${letter}`));
    }
    const heading = card.getAttribute("aria-label").replace(/ [A-H]$/, ` ${letter}`);
    card.setAttribute("aria-label", heading);
    card.querySelector("[data-remove-variant]").hidden = variants.children.length === 1;
  });
}

// One step at a time; a step is left only when what it needs is there.
export function startSteps(form) {
  const steps = [...form.querySelectorAll("[data-step]")];
  const bar = form.querySelector("[data-wizard]");
  const next = form.querySelector("[data-next]");
  const review = form.querySelector("[data-review-step]");
  let at = 0;

  const show = (index) => {
    at = index;
    steps.forEach((step, place) => { step.hidden = place !== at; });
    for (const button of bar.querySelectorAll("[data-go]")) {
      const isCurrent = button.dataset.go === steps[at].dataset.step;
      if (isCurrent) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    next.hidden = at === steps.length - 1;
    if (review) review.hidden = at < steps.length - 1;
  };
  const isComplete = () => {
    const wrong = [...steps[at].querySelectorAll("input, textarea, select")]
      .find((field) => !field.checkValidity());
    wrong?.reportValidity();
    return !wrong;
  };
  const go = (index) => {
    if (index > at && !isComplete()) return;
    show(index);
    steps[at].querySelector("input:not([type=hidden]), textarea, select")?.focus();
  };

  bar.hidden = false;
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    const index = steps.findIndex((step) => step.dataset.step === button?.dataset.go);
    if (index >= 0) go(index);
  });
  next.addEventListener("click", () => go(at + 1));
  // A field that must be filled in is shown before the browser complains about it.
  form.addEventListener("invalid", (event) => {
    const index = steps.findIndex((step) => step.contains(event.target));
    if (index >= 0 && index !== at) show(index);
  }, true);
  for (const link of form.querySelectorAll(".faults a")) {
    link.addEventListener("click", (event) => {
      const target = document.getElementById(link.hash.slice(1));
      const index = steps.findIndex((step) => step.contains(target));
      if (index < 0) return;
      event.preventDefault();
      show(index);
      for (let part = target; part; part = part.parentElement?.closest("details")) {
        if (part.matches("details")) part.open = true;
      }
      target.focus();
    });
  }
  const wrong = form.querySelector("[aria-invalid=true]");
  const first = steps.findIndex((step) => wrong && step.contains(wrong));
  show(Math.max(0, first));
}
