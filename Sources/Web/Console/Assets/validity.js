// What a browser finds wrong with a field is said at the field, in the page's language and as the
// server says it.

/** The problem of a field in the words of the page. */
function problem(field, words) {
  const validity = field.validity;
  const said = (word, count) => words[word].replace("{count}", count);
  if (validity.valueMissing) {
    const isChosen = field.matches("select, [type=checkbox], [type=radio], [type=file]");
    return said(isChosen ? "choose" : "missing");
  }
  if (validity.typeMismatch) return said(field.type === "email" ? "email" : "address");
  if (validity.tooShort) return said("short", field.minLength);
  if (validity.tooLong) return said("long", field.maxLength);
  if (validity.rangeUnderflow) return said("least", field.min);
  if (validity.rangeOverflow) return said("most", field.max);
  if (validity.badInput || validity.stepMismatch) {
    return said(field.type === "number" ? "number" : "time");
  }
  // A rule of a script's or a pattern's own says itself what it wants.
  return field.title || field.validationMessage;
}

let count = 0;

function show(field, text) {
  let line = document.getElementById(field.dataset.validity);
  if (!line) {
    line = document.createElement("p");
    line.className = "fault";
    line.id = `validity-${++count}`;
    field.dataset.validity = line.id;
    const described = field.getAttribute("aria-describedby");
    field.setAttribute("aria-describedby", described ? `${described} ${line.id}` : line.id);
    const place = field.closest(".field");
    if (place) place.append(line);
    else field.after(line);
  }
  line.textContent = text;
  field.setAttribute("aria-invalid", "true");
}

function clear(field) {
  const id = field.dataset?.validity;
  if (!id || !field.validity.valid) return;
  document.getElementById(id)?.remove();
  delete field.dataset.validity;
  field.removeAttribute("aria-invalid");
  const described = (field.getAttribute("aria-describedby") ?? "").split(" ");
  const others = described.filter((other) => other !== id).join(" ");
  if (others) field.setAttribute("aria-describedby", others);
  else field.removeAttribute("aria-describedby");
}

export function startValidity(words) {
  document.addEventListener("invalid", (event) => {
    const field = event.target;
    event.preventDefault();
    show(field, problem(field, words));
    const fields = [...(field.form?.elements ?? [])];
    const first = fields.find((other) => other.willValidate && !other.validity.valid);
    if (first && first !== field) return;
    for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
    field.focus();
  }, true);
  document.addEventListener("input", (event) => clear(event.target));
  document.addEventListener("change", (event) => clear(event.target));
}
