// What every page gets. Pages work without it; this makes them quicker to use.
import { startComposer } from "./composer.js";
import { startLive } from "./live.js";
import { startPalette } from "./palette.js";
import { startSegment } from "./segment.js";
import { startSuggestions } from "./suggest.js";

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
  if (form.dataset.confirm && !window.confirm(form.dataset.confirm)) {
    event.preventDefault();
    return;
  }
  if ("once" in form.dataset) {
    if (form.dataset.once === "gone") event.preventDefault();
    form.dataset.once = "gone";
  }
});
// Coming back with the browser's button makes such a form usable again.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-once]")) form.dataset.once = "";
});

document.querySelector("[data-focus]")?.focus();

for (const form of document.querySelectorAll("[data-composer]")) startComposer(form);
for (const box of document.querySelectorAll("[data-suggest]")) startSuggestions(box);
for (const area of document.querySelectorAll("[data-live]")) startLive(area);
for (const form of document.querySelectorAll("[data-probe]")) startSegment(form);
for (const dialog of document.querySelectorAll("[data-palette]")) startPalette(dialog);

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
