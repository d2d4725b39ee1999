// What is put into a text stands there as it is stored, so that every keyboard, screen reader and
// input method can edit it; below the field it is said in words, and a press selects it in the text.
const plain = (code) => code.replace(/^\{\{|\}\}$/g, "").replace(/\s/g, "");

export function startTokens(form) {
  const menu = form.querySelector("[data-tokens-label]");
  if (!menu) return;
  const names = new Map([...menu.querySelectorAll("[data-name]")].map((button) =>
    [plain(button.dataset.insert), button.dataset.name]));
  const draw = (field) => {
    field.parentElement.querySelector(":scope > .tokens")?.remove();
    const list = document.createElement("ul");
    list.className = "tokens";
    list.setAttribute("aria-label", menu.dataset.tokensLabel);
    // The name of an attribute is in braces, too.
    for (const match of field.value.matchAll(/\{\{(?:\$?\{[^}]*\}|[^}])*\}\}/g)) {
      const [code, fallback] = match[0].split(/\|\s*default:/);
      const name = names.get(plain(code.trim()));
      if (!name) continue;
      const chip = document.createElement("button");
      chip.type = "button";
      chip.className = "chip token";
      chip.title = menu.dataset.tokenHelp;
      const other = fallback?.match(/['"](.*?)['"]/)?.[1];
      chip.textContent = other ? `${name} · ${menu.dataset.else.replace("{text}", other)}` : name;
      chip.addEventListener("click", () => {
        field.focus();
        field.setSelectionRange(match.index, match.index + match[0].length);
      });
      list.append(document.createElement("li"));
      list.lastChild.append(chip);
    }
    if (list.firstChild) field.after(list);
  };
  for (const field of form.querySelectorAll("[data-text]")) draw(field);
  form.addEventListener("input", (event) => {
    if ("text" in event.target.dataset) draw(event.target);
  });
}
