// Ctrl or ⌘ K finds a page, push, segment or user, and Enter goes there.
export function startPalette(dialog) {
  const input = dialog.querySelector("input");
  const list = dialog.querySelector("ul");
  const none = dialog.querySelector("[data-palette-none]");
  let active = 0;
  let wish = 0;

  const mark = (index) => {
    const items = [...list.children];
    if (items.length === 0) return;
    active = (index + items.length) % items.length;
    items.forEach((item, at) => item.setAttribute("aria-selected", String(at === active)));
    input.setAttribute("aria-activedescendant", items[active].id);
    items[active].scrollIntoView({ block: "nearest" });
  };

  const ask = async () => {
    const turn = ++wish;
    const query = encodeURIComponent(input.value);
    const answer = await fetch(`${dialog.dataset.palette}?text=${query}`);
    if (!answer.ok || turn !== wish) return;
    const hits = await answer.json();
    list.replaceChildren(...hits.map((hit, index) => {
      const item = document.createElement("li");
      item.id = `palette-hit-${index}`;
      item.setAttribute("role", "option");
      const link = document.createElement("a");
      link.href = hit.address;
      link.tabIndex = -1;
      const text = document.createElement("b");
      text.textContent = hit.text;
      const detail = document.createElement("span");
      detail.textContent = hit.detail;
      const kind = document.createElement("i");
      kind.textContent = hit.kind;
      link.append(text, detail, kind);
      item.append(link);
      return item;
    }));
    none.hidden = hits.length > 0;
    mark(0);
  };

  const open = () => {
    if (dialog.open) return;
    input.value = "";
    dialog.showModal();
    ask();
  };

  let pause;
  input.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(ask, 100);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") mark(active + 1);
    else if (event.key === "ArrowUp") mark(active - 1);
    else if (event.key === "Enter") list.children[active]?.querySelector("a").click();
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      open();
    }
  });
  for (const button of document.querySelectorAll("[data-open-palette]")) {
    button.addEventListener("click", open);
  }
}
