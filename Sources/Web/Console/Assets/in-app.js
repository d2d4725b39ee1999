// In-app messages: the phone of the preview, and the form that a message is written with.
import { drawMessage } from "/sdk/web/messages.js";
import { startSteps } from "./campaign.js";
import {
  audienceFields, isNobodyYet, later, showChosen, startInsertion, startPairs, startRows,
} from "./composer.js";
import { startTrial } from "./try.js";

// What is drawn in a phone, so that another appearance can be drawn.
const drawnIn = new WeakMap();

// Draws a message on the phone in the chosen appearance, as every device does. The page of an HTML
// message has a frame of the form's own, which the form fills.
function draw(phone, drawn) {
  drawnIn.get(phone)?.shown?.remove();
  const isShown = drawn.kind !== "control" && !drawn.skipped;
  const isHTML = drawn.kind === "html";
  const veil = phone.querySelector("[data-veil]");
  veil.hidden = !isShown || !isHTML;
  veil.className = `in-app-veil ${drawn.kind}`;
  phone.querySelector("[data-html]").hidden = !isHTML;
  for (const name of ["image", "header", "text", "buttons"]) {
    phone.querySelector(`[data-part=${name}]`).hidden = true;
  }
  phone.querySelector("[data-none]").hidden = isShown;
  const shown = isShown && !isHTML ? drawMessage(drawn.message, {
    container: phone,
    isPreview: true,
    language: document.documentElement.lang,
    loadsPictures: false,
    theme: phone.classList.contains("is-dark") ? "dark" : "light",
  }) : undefined;
  drawnIn.set(phone, { drawn, shown });
  const skipped = phone.parentElement.querySelector("[data-skipped]");
  skipped.hidden = !drawn.skipped;
  skipped.textContent = drawn.skipped ?? "";
}

export function startFrame(phone) {
  const choice = phone.parentElement.querySelector("[data-appearance]");
  choice.hidden = false;
  choice.addEventListener("change", (event) => {
    phone.classList.toggle("is-dark", event.target.value === "dark");
    draw(phone, drawnIn.get(phone).drawn);
  });
  draw(phone, JSON.parse(phone.dataset.frameOf));
  // A page within the page takes the focus without a ring around it.
  const page = phone.querySelector("[data-html]");
  const ring = () => page.classList.toggle("has-focus", document.activeElement === page);
  window.addEventListener("blur", ring);
  window.addEventListener("focus", ring);
}

export function startInApp(form) {
  const phone = form.querySelector("[data-frame-of]");
  const variants = form.querySelector("[data-variants]");
  // The variant on the phone.
  let active = 0;
  const post = async (address) => {
    const body = new URLSearchParams(new FormData(form));
    body.set("variant", String(active));
    const answer = await fetch(address, { method: "POST", body });
    return answer.ok ? answer.json() : undefined;
  };

  let previewTurn = 0;
  const preview = async () => {
    const turn = ++previewTurn;
    const answer = await post(form.dataset.previewAddress);
    if (!answer || turn !== previewTurn) return;
    draw(phone, answer.frame);
    if (answer.frame.kind === "html") showPage(form, answer.frame.text);
    for (const place of variants.children[active].querySelectorAll("[data-fault]")) {
      const field = form.elements[place.dataset.fault];
      // An empty field is not wrong yet; saving says so if it stays empty.
      const fault = field.value === "" ? undefined
        : answer.faults.find((found) => found.field === place.dataset.fault);
      place.hidden = !fault;
      place.textContent = fault?.text ?? "";
      field.toggleAttribute("aria-invalid", false);
      if (fault) field.setAttribute("aria-invalid", "true");
    }
  };

  let reachTurn = 0;
  const reach = async () => {
    const turn = ++reachTurn;
    const counted = isNobodyYet(form) ? undefined : await post(form.dataset.reachAddress);
    if (turn !== reachTurn) return;
    form.querySelector("[data-reach]").hidden = !counted?.text;
    if (counted?.text) form.querySelector("[data-reach-text]").textContent = counted.text;
  };

  const previewSoon = later(preview, 150);
  const reachSoon = later(reach, 250);
  const change = (event) => {
    // A form's own `name` is its field of that name.
    const name = event.target === form ? "" : event.target.name;
    if (name.startsWith("previewTheme")) return;
    showChosen(form, ["audience"]);
    previewSoon();
    if (audienceFields.includes(name)) reachSoon();
  };
  form.addEventListener("input", change);
  form.addEventListener("change", change);

  startInsertion(form, () => form.elements[`v${active}.text`]);
  startPairs(form);
  startRows(form);
  startColors(variants);
  startTriggers(form);
  startVariants(form, (index) => {
    active = index;
    [...variants.children].forEach((variant, at) => {
      variant.classList.toggle("is-active", at === active && variants.children.length > 1);
    });
    previewSoon();
  });
  showChosen(form, ["audience"]);
  startSteps(form);
  startTrial(form, {
    message: async () => {
      const { frame } = await post(form.dataset.previewAddress) ?? {};
      if (!frame || frame.skipped || frame.kind === "control") {
        return { fault: frame?.skipped ?? phone.querySelector("[data-none]").textContent };
      }
      const { id, type, message } = frame.message;
      return { id, kind: type, text: message, wire: JSON.stringify(frame.message) };
    },
  });
  if (form.elements["v0.kind"].value === "html") preview();
  reach();
}

// Gives the fields of a part that is at another place now their names, and all that names them.
function rename(part, before, now) {
  const attributes = [
    "name", "id", "for", "aria-describedby", "data-fault", "data-show-for",
  ];
  for (const element of part.querySelectorAll("*")) {
    for (const attribute of attributes) {
      const value = element.getAttribute(attribute);
      if (!value) continue;
      const names = value.split(" ").map((name) =>
        name.startsWith(before) ? now + name.slice(before.length) : name);
      element.setAttribute(attribute, names.join(" "));
    }
  }
}

// Variants that come and go. A new one begins as a copy of the last one.
function startVariants(form, choose) {
  const list = form.querySelector("[data-variants]");
  const add = form.querySelector("[data-add-variant]");
  const limit = 8;

  const number = () => {
    [...list.children].forEach((variant, index) => {
      rename(variant, `v${variant.dataset.variant}.`, `v${index}.`);
      variant.dataset.variant = String(index);
      const letter = String.fromCharCode(65 + index);
      variant.querySelector("[data-letter]").textContent = letter;
      const named = [variant, variant.querySelector("[data-remove-variant]"),
        variant.querySelector("[name$='.weight']")];
      for (const element of named) {
        const label = element.getAttribute("aria-label");
        element.setAttribute("aria-label", label.replace(/[A-H]$/, letter));
      }
      variant.querySelector("[data-variant-head]").hidden = list.children.length === 1;
    });
    add.hidden = list.children.length >= limit;
  };

  list.addEventListener("focusin", (event) => {
    choose([...list.children].indexOf(event.target.closest("[data-variant]")));
  });
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-remove-variant]");
    if (!button) return;
    button.closest("[data-variant]").remove();
    number();
    choose(0);
    add.focus();
  });
  add.addEventListener("click", () => {
    const model = list.lastElementChild;
    const variant = model.cloneNode(true);
    const typed = model.querySelectorAll("input, select, textarea");
    variant.querySelectorAll("input, select, textarea").forEach((field, index) => {
      field.value = typed[index].value;
      field.checked = typed[index].checked;
    });
    variant.querySelector("[data-variant-id]").value = "";
    // Renamed before it is in the form: two radio groups of one name would undo each other.
    const index = list.children.length;
    rename(variant, `v${variant.dataset.variant}.`, `v${index}.`);
    variant.dataset.variant = String(index);
    list.append(variant);
    number();
    startColors(variant);
    variant.querySelector("[name$='.kind']:checked").focus();
    form.dispatchEvent(new Event("change", { bubbles: true }));
  });
  number();
}

// The page of an HTML message is posted into its frame, which is a sandbox.
function showPage(form, html) {
  const sender = document.createElement("form");
  sender.method = "post";
  sender.action = form.dataset.pageAddress;
  sender.target = "in-app-html";
  sender.hidden = true;
  for (const [name, value] of [["csrf", form.elements.csrf.value], ["html", html]]) {
    const field = document.createElement("textarea");
    field.name = name;
    field.value = value;
    sender.append(field);
  }
  document.body.append(sender);
  sender.submit();
  sender.remove();
}

// The browser's colour picker beside the text of a colour.
function startColors(area) {
  for (const field of area.querySelectorAll(".colors .code")) {
    // The picker of the part of which this one is a copy does nothing.
    field.parentElement.querySelector("[type=color]")?.remove();
    const picker = document.createElement("input");
    picker.type = "color";
    picker.value = "#ffffff";
    picker.ariaLabel = `${field.closest(".colors").dataset.pick}: ${field.labels[0].textContent}`;
    picker.addEventListener("input", () => {
      field.value = picker.value;
    });
    const follow = () => {
      if (/^#([0-9a-f]{2})?[0-9a-f]{6}$/i.test(field.value)) {
        picker.value = `#${field.value.slice(-6)}`;
      }
    };
    field.addEventListener("input", follow);
    follow();
    field.before(picker);
  }
}

// Triggers that come and go; their fields are named by their place.
function startTriggers(form) {
  const list = form.querySelector("[data-triggers]");
  const add = form.querySelector("[data-add-trigger]");
  const limit = 10;

  const show = (trigger) => {
    const kind = trigger.querySelector("select").value;
    for (const box of trigger.querySelectorAll("[data-for-trigger]")) {
      box.hidden = !box.dataset.forTrigger.split(" ").includes(kind);
    }
  };
  const number = () => {
    [...list.children].forEach((trigger, index) => {
      rename(trigger, `t${trigger.dataset.trigger}.`, `t${index}.`);
      trigger.dataset.trigger = String(index);
      const legend = trigger.querySelector("legend");
      legend.textContent = legend.textContent.replace(/\d+$/, String(index + 1));
      trigger.querySelector("[data-remove-trigger]").hidden = list.children.length === 1;
    });
    add.hidden = list.children.length >= limit;
  };

  list.addEventListener("change", (event) => {
    if (event.target.name.endsWith(".kind")) show(event.target.closest("[data-trigger]"));
  });
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-remove-trigger]");
    if (!button) return;
    button.closest("[data-trigger]").remove();
    number();
    add.focus();
  });
  add.addEventListener("click", () => {
    const trigger = list.lastElementChild.cloneNode(true);
    for (const row of [...trigger.querySelectorAll("[data-rows] > .row")].slice(1)) row.remove();
    for (const field of trigger.querySelectorAll("input")) field.value = "";
    for (const field of trigger.querySelectorAll("select")) field.selectedIndex = 0;
    for (const wrong of trigger.querySelectorAll("[aria-invalid]")) {
      wrong.removeAttribute("aria-invalid");
    }
    for (const fault of trigger.querySelectorAll(".fault")) fault.remove();
    list.append(trigger);
    number();
    startRows(trigger);
    show(trigger);
    trigger.querySelector("select").focus();
  });
  for (const trigger of list.children) show(trigger);
  number();
}
