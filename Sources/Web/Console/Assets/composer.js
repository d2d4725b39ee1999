import { startExpanded } from "./expanded.js";
import { startTokens } from "./tokens.js";
import { startTrial } from "./try.js";

// The composer: shows the parts that the choices ask for, draws the preview with the server's
// renderer while one types, and counts whom it would reach.
//
// `texts` tells which texts are shown and where their faults stand; a campaign has several.
export function startComposer(form, texts = plainTexts(form)) {
  const chosen = (name) => form.elements[name]?.value ?? "";
  const screen = form.querySelector(".screen");
  const part = (name) => screen.querySelector(`[data-preview=${name}]`);

  const showParts = () => {
    showChosen(form, ["audience", "timing"]);
    form.querySelector("[data-category]").hidden = chosen("buttons") !== "custom";
    form.querySelector("[data-badge-number]").hidden = chosen("badge") !== "set";
    showBadge();
    showButtons();
  };

  const showBadge = () => {
    const badge = part("badge");
    badge.hidden = chosen("badge") !== "set";
    badge.textContent = chosen("badgeNumber");
  };

  const showButtons = () => {
    const box = part("buttons");
    const choice = form.elements.buttons.selectedOptions[0];
    const isPreset = !["none", "custom"].includes(choice.value);
    box.hidden = !isPreset;
    box.replaceChildren(...(isPreset ? choice.textContent.split(" / ") : []).map((title) => {
      const button = document.createElement("span");
      button.textContent = title;
      return button;
    }));
  };

  const showTexts = (title, subtitle, message) => {
    part("title").textContent = title || form.dataset.appName;
    part("subtitle").textContent = subtitle;
    part("subtitle").hidden = !subtitle;
    part("message").textContent = message || form.dataset.ghost;
    part("message").classList.toggle("ghost", !message);
  };

  const post = async (address, changed = {}) => {
    const body = texts.body();
    for (const [name, value] of Object.entries(changed)) body.set(name, value);
    const answer = await fetch(address, { method: "POST", body });
    return answer.ok ? answer.json() : undefined;
  };

  let previewTurn = 0;
  const preview = async () => {
    const turn = ++previewTurn;
    const drawn = await post(form.dataset.previewAddress);
    if (!drawn || turn !== previewTurn) return;
    showTexts(drawn.title, drawn.subtitle, drawn.message);
    expanded.show(drawn);
    const note = form.querySelector("[data-missing-note]");
    note.hidden = !drawn.missing;
    note.textContent = drawn.missing ?? "";
    form.querySelector("[data-size]").value = drawn.payloadBytes;
    form.querySelector("[data-size-text]").textContent = drawn.payloadText;
    const { field, place } = texts.message();
    // An empty field is not wrong yet; the review says so if it stays empty.
    const fault = field.value === "" ? undefined
      : drawn.faults.find((fault) => fault.field === "message");
    place.textContent = fault?.text ?? "";
    place.hidden = !fault;
    field.toggleAttribute("aria-invalid", false);
    if (fault) field.setAttribute("aria-invalid", "true");
  };

  let reachTurn = 0;
  const reach = async () => {
    // A step of a journey goes to whoever comes to it.
    if (!form.querySelector("[data-reach]")) return;
    const turn = ++reachTurn;
    if (isNobodyYet(form)) {
      form.querySelector("[data-reach]").hidden = true;
      return;
    }
    const counted = await post(form.dataset.reachAddress);
    if (turn !== reachTurn) return;
    form.querySelector("[data-reach]").hidden = !counted?.text;
    if (!counted?.text) return;
    form.querySelector("[data-reach-text]").textContent = counted.text;
    for (const button of form.querySelectorAll("[data-review]")) {
      button.textContent = counted.action;
    }
  };

  startEvery(form, texts);
  const previewSoon = later(preview, 150);
  const reachSoon = later(reach, 250);
  form.addEventListener("input", (event) => {
    const field = event.target;
    if ("text" in field.dataset && !String(field.value).includes("{")) {
      // Plain text needs no renderer: it is shown at once, the server's word follows.
      const shown = texts.shown();
      if (!shown.some((text) => text.includes("{"))) showTexts(...shown);
    }
    showParts();
    previewSoon();
    if (audienceFields.includes(field.name)) reachSoon();
  });
  form.addEventListener("change", (event) => {
    showParts();
    previewSoon();
    if (audienceFields.includes(event.target.name)) reachSoon();
  });

  const frames = form.querySelector("[data-frames]");
  frames.hidden = false;
  frames.addEventListener("change", () => { screen.dataset.frame = chosen("previewFrame"); });
  const expanded = startExpanded(form);
  const test = startTest(form, post);
  startTrial(form, { send: () => test({ testUsers: "" }) });
  startSamples(form, texts);
  startLanguages(form);
  startInsertion(form, () => texts.message().field);
  startPairs(form);
  startRows(form);
  showParts();
  preview();
  reach();
  return { preview: previewSoon };
}

// The fields that say whom a message reaches.
export const audienceFields = [
  "audience", "filterBy", "user", "segment", "filter", "timing", "conditionJoin", "attributeName",
  "attributeTest", "attributeValue", "eventName", "eventProperty", "eventValue", "eventDone",
  "eventCount", "eventDays",
];

// A segment and filters share one choice; how users are found there has a field of its own.
export function audienceKind(form) {
  const { audience, filterBy } = form.elements;
  return audience?.value === "matching" ? filterBy.value : audience?.value;
}

// Whether the chosen kind of audience is still without a name or a condition.
export function isNobodyYet(form) {
  const kind = audienceKind(form);
  if (["user", "segment", "filter"].includes(kind)) return !form.elements[kind]?.value.trim();
  return [["attributes", "attributeName"], ["contacts", "eventName"]].some(([name, field]) =>
    kind === name
    && [...form.querySelectorAll(`[name=${field}]`)].every((input) => !input.value.trim()));
}

// Of the parts that belong to a choice only those of the chosen one are shown.
export function showChosen(form, names) {
  for (const name of names) {
    for (const box of form.querySelectorAll(`[data-for-${name}]`)) {
      const values = box.getAttribute(`data-for-${name}`).split(" ");
      const chosen = name === "audience" ? audienceKind(form) : form.elements[name]?.value;
      box.hidden = !values.includes(chosen ?? "");
    }
  }
}

// Waits until nothing has been asked for a while.
export function later(work, delay) {
  let pause;
  return () => {
    clearTimeout(pause);
    pause = setTimeout(work, delay);
  };
}

// Users of the audience to look through; others are drawn when they are asked for.
function startSamples(form, texts) {
  const box = form.querySelector("[data-samples]");
  if (!box || !form.elements.audience) return;
  const place = box.querySelector("[data-sampled]");
  const draw = async () => {
    const body = texts.body();
    body.set("seed", String(Math.random()));
    const answer = await fetch(box.dataset.samples, { method: "POST", body });
    const users = answer.ok ? await answer.json() : [];
    box.hidden = users.length === 0;
    place.replaceChildren(...users.map(({ value, name }) => {
      const isChosen = value === form.elements.previewUser.value;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "chip";
      button.value = value;
      button.setAttribute("aria-pressed", String(isChosen));
      button.textContent = name;
      button.addEventListener("click", () => {
        form.elements.previewUser.value = value;
        form.elements.previewUser.dispatchEvent(new Event("change", { bubbles: true }));
      });
      return button;
    }));
  };
  box.querySelector("[data-sample-more]").addEventListener("click", draw);
  const drawSoon = later(draw, 400);
  form.elements.previewUser.addEventListener("change", ({ target }) => {
    for (const button of place.children) {
      button.setAttribute("aria-pressed", String(button.value === target.value));
    }
  });
  form.addEventListener("change", (event) => {
    if (audienceFields.includes(event.target.name)) drawSoon();
  });
  draw();
}

// All languages and platforms side by side.
function startEvery(form, texts) {
  const box = form.querySelector("[data-every]");
  if (!box) return;
  const place = box.querySelector("[data-every-place]");
  const draw = async () => {
    const parts = await Promise.all(["ios", "android", "web"].map(async (platform) => {
      const body = texts.body(platform);
      body.set("platform", platform);
      const answer = await fetch(box.dataset.every, { method: "POST", body });
      return answer.ok ? answer.text() : "";
    }));
    const drawn = new DOMParser().parseFromString(parts.join(""), "text/html");
    place.replaceChildren(...drawn.body.childNodes);
  };
  const opener = form.querySelector("[data-every-open]");
  opener.hidden = false;
  opener.addEventListener("click", () => {
    box.showModal();
    draw();
  });
  box.querySelector("[data-every-close]").addEventListener("click", () => box.close());
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
}

// A field that is wrong is shown before the browser complains about it.
function startLanguages(form) {
  form.addEventListener("invalid", (event) => {
    const panel = event.target.closest("[data-show-for][hidden]");
    const choices = panel && form.elements[panel.dataset.showFor];
    if (!choices || !panel.dataset.showFor.endsWith("shownLanguage")) return;
    choices.value = panel.dataset.showValue;
    form.dispatchEvent(new Event("change", { bubbles: true }));
  }, true);
}

// Sends what is written to the users that are named, or to the user of the preview.
function startTest(form, post) {
  const button = form.querySelector("[data-test]");
  const place = form.querySelector("[data-test-text]");
  const users = [form.elements.previewUser, form.elements.testUsers];
  const show = () => { button.disabled = users.every((field) => !field.value.trim()); };
  for (const field of users) {
    field.addEventListener("input", show);
    field.addEventListener("change", show);
  }
  const send = async (changed) => {
    button.disabled = true;
    const answer = await post(form.dataset.testAddress, changed);
    place.replaceChildren();
    if (answer?.address) {
      const link = document.createElement("a");
      link.href = answer.address;
      link.textContent = answer.text;
      place.append(link);
    } else {
      place.textContent = answer?.text ?? "";
    }
    place.classList.toggle("fault", answer?.isSent === false);
    show();
  };
  button.addEventListener("click", () => send());
  show();
  return send;
}

// The texts of a push that has one of each.
function plainTexts(form) {
  return {
    body: () => new URLSearchParams(new FormData(form)),
    shown: () => {
      const language = form.elements.shownLanguage?.value;
      return ["title", "subtitle", "message"].map((name) =>
        (language && form.elements[`lang.${language}.${name}`]?.value)
          || form.elements[name].value);
    },
    message: () => ({
      field: form.elements.message,
      place: form.querySelector("[data-fault=message]"),
    }),
  };
}

// What a button of a picker puts in; an attribute with the text for users who have none.
function insertion(button, pop) {
  const text = button.dataset.insert;
  const fallback = pop.querySelector("[data-insert-default]")?.value.trim();
  if (!fallback || !("takesDefault" in button.dataset)) return text;
  return text.replace(/\}\}$/, () => ` | default: '${fallback.replaceAll("'", "’")}'}}`);
}

// Shows those of a list that have what is searched for.
export function startListSearch(field, items) {
  field.hidden = false;
  field.addEventListener("input", (event) => {
    // It is no field of the form.
    event.stopPropagation();
    const wanted = field.value.trim().toLowerCase();
    for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(wanted);
  });
}

// The pickers put their text where the cursor last was.
export function startInsertion(form, message) {
  let target;
  startTokens(form);
  form.addEventListener("focusin", (event) => {
    if ("text" in event.target.dataset) target = event.target;
  });
  for (const pop of form.querySelectorAll("[popover]")) {
    const opener = form.querySelector(`[popovertarget=${pop.id}]`);
    pop.addEventListener("toggle", (event) => {
      if (event.newState !== "open") return;
      const place = opener.getBoundingClientRect();
      const left = Math.min(place.left, document.documentElement.clientWidth - pop.offsetWidth - 8);
      pop.style.left = `${Math.max(8, left) + scrollX}px`;
      pop.style.top = `${place.bottom + 4 + scrollY}px`;
      pop.querySelector("input, button")?.focus();
    });
    const search = pop.querySelector("[data-insert-search]");
    if (search) {
      startListSearch(search, pop.querySelectorAll("[data-insert]"));
      search.addEventListener("input", () => {
        for (const head of pop.querySelectorAll("[data-insert-head]")) {
          head.hidden = search.value.trim() !== "";
        }
      });
    }
    pop.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("input")) event.preventDefault();
    });
    pop.addEventListener("click", (event) => {
      const button = event.target.closest("[data-insert]");
      if (!button) return;
      pop.hidePopover();
      if (!target?.isConnected) target = message();
      target.focus();
      target.setRangeText(insertion(button, pop), target.selectionStart, target.selectionEnd, "end");
      target.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
}

export function startPairs(form) {
  const list = form.querySelector("[data-pairs]");
  const number = () => {
    [...list.children].forEach((row, index) => {
      for (const field of row.querySelectorAll("input")) {
        field.setAttribute("aria-label", `${field.placeholder} ${index + 1}`);
      }
    });
  };
  form.querySelector("[data-add-pair]").addEventListener("click", () => {
    const row = list.lastElementChild.cloneNode(true);
    for (const field of row.querySelectorAll("input")) {
      field.value = "";
      field.removeAttribute("aria-invalid");
    }
    list.append(row);
    number();
    row.querySelector("input").focus();
  });
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-remove-pair]");
    if (!button) return;
    const row = button.closest(".pair");
    if (list.children.length > 1) row.remove();
    else for (const field of row.querySelectorAll("input")) field.value = "";
    number();
    form.querySelector("[data-add-pair]").focus();
    form.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

const started = new WeakSet();

// Rows of fields that can be added and removed; the last one stays, empty.
export function startRows(form) {
  for (const list of form.querySelectorAll("[data-rows]")) {
    if (started.has(list)) continue;
    started.add(list);
    // Rows may have lists of their own.
    const add = list.parentElement.querySelector(":scope > div > [data-add-row]");
    const number = () => {
      [...list.children].forEach((row, index) => {
        for (const field of row.querySelectorAll("[data-label]")) {
          if (field.closest("[data-rows]") !== list) continue;
          field.setAttribute("aria-label", `${field.dataset.label} ${index + 1}`);
        }
      });
      add.disabled = list.children.length >= Number(list.dataset.most ?? Infinity);
    };
    const clear = (row) => {
      for (const field of row.querySelectorAll("input")) {
        field.value = "";
        field.removeAttribute("aria-invalid");
      }
      for (const field of row.querySelectorAll("[data-unknown]")) field.removeAttribute("data-unknown");
      row.querySelector("[data-note]")?.remove();
      for (const group of row.querySelectorAll("optgroup")) group.hidden = false;
      for (const field of row.querySelectorAll("select")) {
        field.selectedIndex = 0;
        field.dispatchEvent(new Event("change", { bubbles: true }));
      }
    };
    number();
    add.addEventListener("click", () => {
      const row = list.lastElementChild.cloneNode(true);
      for (const inner of row.querySelectorAll("[data-rows]")) {
        while (inner.children.length > 1) inner.lastElementChild.remove();
      }
      list.append(row);
      clear(row);
      startRows(row);
      number();
      row.querySelector("input").focus();
    });
    list.addEventListener("click", (event) => {
      const button = event.target.closest("[data-remove-row]");
      if (button?.closest("[data-rows]") !== list) return;
      const row = button.closest(".row");
      if (list.children.length > 1) row.remove();
      else clear(row);
      number();
      add.focus();
      list.querySelector("input").dispatchEvent(new Event("change", { bubbles: true }));
    });
  }
}
