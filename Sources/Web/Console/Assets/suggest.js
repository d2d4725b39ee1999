// A text field that suggests users: the combobox pattern of the ARIA practices.
export function startSuggestions(box) {
  const input = box.querySelector("input");
  const list = document.createElement("ul");
  list.id = `${input.id}-choices`;
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", input.labels?.[0]?.textContent ?? "");
  box.append(list);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-autocomplete", "list");

  let active = -1;
  let wish = 0;

  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = (index) => {
    const items = [...list.querySelectorAll("[role=option]")];
    if (items.length === 0) return;
    active = (index + items.length) % items.length;
    items.forEach((item, at) => item.setAttribute("aria-selected", String(at === active)));
    input.setAttribute("aria-activedescendant", items[active].id);
    items[active].scrollIntoView({ block: "nearest" });
  };
  const choose = (item) => {
    input.value = item.dataset.value;
    close();
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };

  const ask = async () => {
    const turn = ++wish;
    const answer = await fetch(`${box.dataset.suggest}?text=${encodeURIComponent(input.value)}`);
    if (!answer.ok || turn !== wish || document.activeElement !== input) return;
    const choices = await answer.json();
    list.replaceChildren(...choices.map((choice, index) => {
      const item = document.createElement("li");
      item.id = `${list.id}-${index}`;
      item.dataset.value = choice.value;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      const name = document.createElement("span");
      name.textContent = choice.name;
      item.append(choice.value, name);
      return item;
    }));
    if (choices.length === 0) {
      const none = document.createElement("li");
      none.setAttribute("role", "presentation");
      none.textContent = box.dataset.none;
      list.append(none);
    }
    active = -1;
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  };

  let pause;
  input.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(ask, 120);
  });
  input.addEventListener("focus", ask);
  input.addEventListener("blur", () => setTimeout(close, 120));
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown") mark(active + 1);
    else if (event.key === "ArrowUp") mark(active - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && active >= 0) choose(list.children[active]);
    else return;
    event.preventDefault();
  });
  list.addEventListener("mousedown", (event) => {
    const item = event.target.closest("[role=option]");
    event.preventDefault();
    if (item) choose(item);
  });
}
