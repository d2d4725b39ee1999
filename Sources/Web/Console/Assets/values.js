// The value of a condition suggests what users have in the attribute of its row, the most frequent
// value first. A browser that knows no list leaves the field as it is.
const known = new Map();

async function values(address, attribute) {
  const query = `${address}?attribute=${encodeURIComponent(attribute)}`;
  if (known.has(query)) return known.get(query);
  const answer = await fetch(query).catch(() => undefined);
  const found = answer?.ok ? await answer.json() : [];
  // Nothing may mean that the server has just started.
  if (found.length > 0) known.set(query, found);
  return found;
}

export function startValues() {
  document.addEventListener("focusin", async (event) => {
    const field = event.target;
    const part = field.closest?.("[data-values]");
    if (!part || !field.name?.endsWith("attributeValue")) return;
    const attribute = field.closest(".row").querySelector("[name$=attributeName]").value.trim();
    if (!attribute) return;
    const found = await values(part.dataset.values, attribute);
    if (document.activeElement !== field) return;
    const id = `${part.id}-values`;
    let list = part.querySelector(`[id="${id}"]`);
    if (!list) {
      list = document.createElement("datalist");
      list.id = id;
      part.append(list);
    }
    list.replaceChildren(...found.map(({ value, users }) => {
      const option = document.createElement("option");
      option.value = value;
      option.label = users;
      return option;
    }));
    field.setAttribute("list", id);
  });
}
