// Single keys for people who live in the console: they do nothing while somebody writes, and can be
// turned off in the list that "?" opens (WCAG 2.1.4), on this device.
const offName = "noroshi-keys-off";

const isWriting = (element) => element instanceof HTMLElement
  && (element.isContentEditable || element.matches("input, textarea, select"));

/** Moves to the link of the next row of the page's table, or of the one before. */
function step(by) {
  const links = [...document.querySelectorAll("main .row-link")];
  if (links.length === 0) return;
  const row = document.activeElement?.closest("tr");
  const at = links.findIndex((link) => link.closest("tr") === row);
  const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by;
  links[Math.min(Math.max(next, 0), links.length - 1)].focus();
}

function search(palette) {
  const field = document.querySelector("main [role=search] input[type=search]");
  if (field) field.select();
  else palette?.click();
}

export function startKeys(dialog) {
  const turn = dialog.querySelector("[data-keys-on]");
  const isOn = () => localStorage.getItem(offName) === null;
  const palette = document.querySelector("[data-open-palette]");
  turn.checked = isOn();
  turn.addEventListener("change", () => {
    if (turn.checked) localStorage.removeItem(offName);
    else localStorage.setItem(offName, "yes");
  });
  for (const button of dialog.querySelectorAll("[data-keys-close]")) {
    button.addEventListener("click", () => dialog.close());
  }
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  const actions = {
    "j": () => step(1),
    "k": () => step(-1),
    "/": () => search(palette),
    "c": () => document.querySelector("main .title-row a.button.primary")?.click(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.isComposing || event.repeat && event.key !== "j" && event.key !== "k") return;
    if (isWriting(event.target) || document.querySelector("dialog[open]")) return;
    if (event.key === "?") {
      event.preventDefault();
      dialog.showModal();
    } else if (isOn() && Object.hasOwn(actions, event.key)) {
      event.preventDefault();
      actions[event.key]();
    }
  });
}
