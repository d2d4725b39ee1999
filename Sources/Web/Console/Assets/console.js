// What every page gets. Pages work without it; this makes them quicker to use.
import { startCalendar } from "./calendar.js";
import { startCampaign } from "./campaign.js";
import { startComposer, startRows } from "./composer.js";
import { startConditions } from "./conditions.js";
import { startDraft } from "./draft.js";
import { startKeys } from "./keys.js";
import { startLive, startRefresh } from "./live.js";
import { startPalette } from "./palette.js";
import { startPasskeys } from "./passkeys.js";
import { ask, startQuestion } from "./question.js";
import { startSegment } from "./segment.js";
import { startSession } from "./session.js";
import { startSuggestions } from "./suggest.js";
import { startValidity } from "./validity.js";
import { startValues } from "./values.js";

document.documentElement.classList.add("scripted");

// A row opens like its link, and text in it can still be selected.
document.addEventListener("click", (event) => {
  const row = event.target.closest("tr[data-href]");
  if (!row || event.target.closest("a, button, input, label")) return;
  if (String(getSelection())) return;
  if (event.metaKey || event.ctrlKey) window.open(row.dataset.href, "_blank");
  else location.href = row.dataset.href;
});

// A destructive form asks first; a form that must not go twice goes once.
document.addEventListener("submit", (event) => {
  const form = event.target;
  // It waits for something, and comes again.
  if (event.defaultPrevented) return;
  if (form.dataset.confirm && !("asked" in form.dataset)) {
    event.preventDefault();
    ask(form, event.submitter);
    return;
  }
  delete form.dataset.asked;
  if ("once" in form.dataset) {
    if (form.dataset.once === "gone") event.preventDefault();
    form.dataset.once = "gone";
  }
});
// Coming back with the browser's button makes such a form usable again.
window.addEventListener("pageshow", (event) => {
  // What a kept page says of a draft may be over: the server knows whether it was sent.
  if (event.persisted && document.querySelector(".review form[data-once]")) location.reload();
  for (const form of document.querySelectorAll("form[data-once]")) form.dataset.once = "";
});

// What was done is said once, not again when the page is loaded anew.
const address = new URL(location.href);
if (address.searchParams.has("notice")) {
  address.searchParams.delete("notice");
  history.replaceState(history.state, "", address);
}

document.querySelector("[data-focus]")?.focus();
// Of tabs that are wider than the window, the current one is shown.
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - 48;
}

startSession();
for (const form of document.querySelectorAll("[data-draft-address]")) startDraft(form);
for (const form of document.querySelectorAll("[data-composer]")) startComposer(form);
for (const table of document.querySelectorAll("[data-calendar]")) startCalendar(table);
for (const form of document.querySelectorAll("[data-campaign]")) startCampaign(form);
// Only pages with such a message fetch what draws it.
if (document.querySelector("[data-frame-of]")) {
  import("./in-app.js").then(({ startFrame, startInApp }) => {
    for (const frame of document.querySelectorAll("[data-frame-of]")) startFrame(frame);
    for (const form of document.querySelectorAll("[data-in-app]")) startInApp(form);
  });
}
for (const form of document.querySelectorAll("[data-row-form]")) startRows(form);
startValues();
startConditions();
for (const box of document.querySelectorAll("[data-suggest]")) startSuggestions(box);
for (const area of document.querySelectorAll("[data-live]")) startLive(area);
for (const area of document.querySelectorAll("[data-refresh]")) startRefresh(area);
for (const form of document.querySelectorAll("[data-probe]")) startSegment(form);
for (const dialog of document.querySelectorAll("[data-palette]")) startPalette(dialog);
startPasskeys();
for (const dialog of document.querySelectorAll("[data-question]")) startQuestion(dialog);
for (const dialog of document.querySelectorAll("[data-keys]")) startKeys(dialog);
startValidity(document.querySelector("meta[name=validity]").dataset);

// The sheet of further places closes as a menu does.
for (const more of document.querySelectorAll("[data-more]")) {
  document.addEventListener("click", (event) => {
    if (!more.contains(event.target)) more.open = false;
  });
  more.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !more.open) return;
    more.open = false;
    more.querySelector("summary").focus();
  });
}

// A secret that is shown once can be copied with one press.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.querySelector(button.dataset.copy).textContent);
    button.textContent = button.dataset.copied;
  });
}

// Of a form with kinds only the fields of the chosen kind are shown.
for (const form of document.querySelectorAll("[data-kinds]")) {
  const show = () => {
    for (const box of form.querySelectorAll("[data-for-kind]")) {
      box.hidden = box.dataset.forKind !== form.elements.kind.value;
    }
  };
  form.addEventListener("change", show);
  show();
}

// What waits says for how long.
for (const place of document.querySelectorAll("[data-countdown]")) {
  const end = Date.now() + Number(place.dataset.countdown) * 1000;
  const clock = setInterval(() => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    place.textContent = place.textContent.replace(/\d+/, String(left));
    if (left > 0) return;
    clearInterval(clock);
    place.parentElement.hidden = true;
  }, 250);
}

// A choice that filters a list does so at once.
document.addEventListener("change", (event) => {
  if ("submits" in event.target.dataset) event.target.form.requestSubmit();
});

// Parts of a form that only one choice needs; they are looked for anew, as some come later.
const choosing = [...document.querySelectorAll("[data-show-for]")].map((box) => box.closest("form"));
for (const form of new Set(choosing)) {
  const show = () => {
    for (const box of form.querySelectorAll("[data-show-for]")) {
      const chosen = form.elements[box.dataset.showFor].value;
      box.hidden = !box.dataset.showValue.split(" ").includes(chosen);
    }
  };
  form.addEventListener("change", show);
  show();
}

// A preview that shows what is typed.
for (const form of document.querySelectorAll("[data-mirrors]")) {
  const show = () => {
    for (const place of form.querySelectorAll("[data-mirror]")) {
      const text = form.elements[place.dataset.mirror].value;
      place.textContent = text || (place.dataset.ghost ?? "");
      place.classList.toggle("ghost", !text);
    }
  };
  form.addEventListener("input", show);
  show();
}

// A part of a page that takes longer comes after the rest.
for (const place of document.querySelectorAll("[data-later]")) {
  const load = async () => {
    const answer = await fetch(place.dataset.later);
    if (!answer.ok) return;
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    place.replaceChildren(...part.body.childNodes);
    place.removeAttribute("aria-busy");
  };
  load();
}

// Enter in a field of a date sends the form in Chromium, although its first button is disabled so
// that nothing is sent by Enter.
document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || !field.matches?.("input[type=datetime-local]")) return;
  if (field.form?.querySelector("button[disabled][hidden]")) event.preventDefault();
});
