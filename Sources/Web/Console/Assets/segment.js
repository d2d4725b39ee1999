// While a condition is written: how many it finds, a few of them, and what is wrong with it.
export function startSegment(form) {
  const field = form.elements.condition;
  const reach = form.querySelector("[data-reach]");
  const fault = form.querySelector("[data-fault=condition]");
  const sample = form.querySelector("[data-sample]");
  let wish = 0;

  const probe = async () => {
    const turn = ++wish;
    if (!field.value.trim()) {
      reach.hidden = true;
      fault.hidden = true;
      sample.hidden = true;
      return;
    }
    const answer = await fetch(form.dataset.probe, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
    });
    if (!answer.ok || turn !== wish) return;
    const found = await answer.json();
    reach.hidden = !found.reach;
    reach.querySelector("[data-reach-text]").textContent = found.reach ?? "";
    fault.hidden = !found.fault;
    fault.textContent = found.fault ?? "";
    field.toggleAttribute("aria-invalid", false);
    if (found.fault) field.setAttribute("aria-invalid", "true");
    sample.hidden = found.users.length === 0;
    sample.querySelector("ul").replaceChildren(...found.users.map((user) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = user.address;
      link.textContent = user.name;
      const detail = document.createElement("span");
      detail.className = "second";
      detail.textContent = user.detail;
      item.append(link, detail);
      return item;
    }));
  };

  let pause;
  field.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(probe, 200);
  });
  for (const term of form.querySelectorAll("[data-example]")) {
    term.addEventListener("click", () => {
      const text = field.value.trim() ? ` and ${term.dataset.example}` : term.dataset.example;
      field.setRangeText(text, field.value.length, field.value.length, "end");
      field.focus();
      probe();
    });
  }
  probe();
}
