import { startRows } from "./composer.js";

// Rows of conditions: the comparisons are those of the attribute's values, the field for the value
// is what the comparison asks for, and groups can be added and removed. Without it, every comparison
// can be chosen.

// Shows the comparisons that fit the values of the attribute; of an unknown one all.
function fitTests(row) {
  const name = row.querySelector("[name$=attributeName]");
  const known = [...document.getElementById(name.getAttribute("list"))?.options ?? []]
    .find((option) => option.value === name.value.trim());
  const kind = known?.dataset.kind ?? "any";
  const select = row.querySelector("[name$=attributeTest]");
  const groups = [...select.querySelectorAll("optgroup")];
  for (const group of groups) group.hidden = kind !== "any" && group.dataset.kind !== kind;
  const shown = groups.filter((group) => !group.hidden)
    .flatMap((group) => [...group.children]);
  const chosen = select.selectedOptions[0];
  if (!shown.includes(chosen)) {
    (shown.find((option) => option.value === chosen?.value) ?? shown[0]).selected = true;
  }
  fitValue(row);
}

function fitValue(row) {
  const { input, unit } = row.querySelector("[name$=attributeTest]").selectedOptions[0].dataset;
  const part = row.querySelector("[data-value]");
  part.toggleAttribute("data-none", input === "none");
  part.querySelector("[data-unit-text]").textContent = unit;
  const field = part.querySelector("input");
  field.inputMode = input === "number" || input === "days" ? "decimal" : "text";
  field.placeholder = input === "day" ? "2026-01-31"
    : input === "list" ? field.dataset.listHint : field.dataset.label;
}

export function startConditions() {
  for (const row of document.querySelectorAll("[data-condition]")) fitValue(row);
  document.addEventListener("input", (event) => {
    const row = event.target.closest?.("[data-condition]");
    if (row && event.target.name.endsWith("attributeName")) fitTests(row);
  });
  document.addEventListener("change", (event) => {
    const row = event.target.closest?.("[data-condition]");
    if (row && event.target.name.endsWith("attributeTest")) fitValue(row);
  });
}

// The groups of a segment; they share the lists of names with the rows outside of them.
export function startGroups(builder) {
  for (const plain of builder.querySelectorAll("noscript")) plain.remove();
  for (const row of builder.querySelectorAll("[data-condition]")) fitValue(row);
  const numbers = [...builder.querySelectorAll("[data-group] > .group-head > select")]
    .map((select) => Number(select.name.match(/\d+/)));
  let last = Math.max(0, ...numbers);
  const template = builder.querySelector("[data-new-group]");
  for (const button of builder.querySelectorAll("[data-add-group]")) {
    button.addEventListener("click", () => {
      last += 1;
      const holder = document.createElement("template");
      holder.innerHTML = template.innerHTML.replaceAll("group0.", `group${last}.`);
      const group = holder.content.firstElementChild;
      group.querySelector("select").value = button.dataset.addGroup;
      template.before(group);
      startRows(group);
      group.querySelector("input").focus();
    });
  }
}

export function removeGroup(builder, event) {
  const group = event.target.closest("[data-remove-group]")?.closest("[data-group]");
  group?.remove();
  if (group) builder.querySelector("[data-add-group]").focus();
  return Boolean(group);
}

// Marks the names that nobody has, and offers the nearest one that somebody has.
export function markUnknown(builder, unknown) {
  for (const note of builder.querySelectorAll("[data-note]")) note.remove();
  for (const field of builder.querySelectorAll("[name$=attributeName], [name$=eventName]")) {
    const isEvent = field.name.endsWith("eventName");
    const found = unknown.find(({ name, event }) =>
      event === isEvent && name === field.value.trim());
    field.toggleAttribute("data-unknown", Boolean(found));
    if (!found) continue;
    const note = document.createElement("p");
    note.className = "notes";
    note.dataset.note = "";
    note.textContent = found.text;
    if (found.nearest) {
      const take = document.createElement("button");
      take.type = "button";
      take.className = "link";
      take.textContent = found.take;
      take.addEventListener("click", () => {
        field.value = found.nearest;
        field.focus();
        field.dispatchEvent(new Event("input", { bubbles: true }));
      });
      note.append(" ", take);
    }
    field.closest(".row").append(note);
  }
}
