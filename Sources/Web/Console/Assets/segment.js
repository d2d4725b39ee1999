import { startListSearch, startRows } from "./composer.js";
import { markUnknown, removeGroup, startGroups } from "./conditions.js";

// One filter with what it found, or a group with its parts below it.
function findingItem(finding) {
  const item = document.createElement("li");
  item.className = finding.holds ? "holds" : "fails";
  const line = document.createElement("div");
  const mark = document.createElement("span");
  mark.className = "hidden-text";
  mark.textContent = `${finding.mark}: `;
  const text = document.createElement(finding.isGroup ? "b" : "code");
  text.textContent = finding.text;
  line.append(mark, text);
  if (finding.found) {
    const what = document.createElement("span");
    what.className = "second";
    what.textContent = finding.found;
    line.append(what);
  }
  item.append(line);
  if (finding.children.length) {
    const parts = document.createElement("ul");
    parts.className = "findings";
    parts.append(...finding.children.map(findingItem));
    item.append(parts);
  }
  return item;
}

// While a condition is written or put together from rows: how many it finds, a few of them, and
// what is wrong with it. Rows and text say the same; whichever is changed changes the other.
export function startSegment(form) {
  const field = form.elements.condition;
  const reach = form.querySelector("[data-reach]");
  const fault = form.querySelector("[data-fault=condition]");
  const sample = form.querySelector("[data-sample]");
  const builder = form.querySelector("[data-builder]");
  let wish = 0;

  const probe = async (from) => {
    const turn = ++wish;
    const body = new URLSearchParams(new FormData(form));
    body.set("from", from);
    const answer = await fetch(form.dataset.probe, { method: "POST", body });
    if (!answer.ok || turn !== wish) return;
    const found = await answer.json();
    if (from === "rows" && found.condition !== undefined) field.value = found.condition;
    if (from === "text") {
      if (found.rows === undefined) {
        builder.firstElementChild.disabled = true;
      } else {
        const part = new DOMParser().parseFromString(found.rows, "text/html");
        builder.replaceChildren(...part.body.childNodes);
        startRows(builder);
        startGroups(builder);
      }
    }
    markUnknown(builder, found.unknown);
    reach.hidden = !found.reach;
    reach.querySelector("[data-reach-text]").textContent = found.reach ?? "";
    fault.hidden = !found.fault;
    fault.textContent = found.fault ?? "";
    const notes = form.querySelector("[data-notes]");
    notes.hidden = found.notes.length === 0;
    notes.replaceChildren(...found.notes.map((text) => {
      const line = document.createElement("li");
      line.textContent = text;
      return line;
    }));
    field.toggleAttribute("aria-invalid", false);
    if (found.fault) field.setAttribute("aria-invalid", "true");
    sample.hidden = found.users.length === 0;
    sample.querySelector("[data-reachable]").textContent = found.reachable ?? "";
    sample.querySelector("[data-platforms]").replaceChildren(...found.platforms.map((platform) => {
      const item = document.createElement("li");
      const name = document.createElement("b");
      name.textContent = platform.name;
      item.append(name, ` ${platform.devices}`);
      return item;
    }));
    sample.querySelector("ul.sample").replaceChildren(...found.users.map((user) => {
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

  const membership = form.querySelector("[data-membership]");
  const user = form.elements.user;
  let question = 0;
  const explain = async () => {
    const turn = ++question;
    if (!user.value.trim() || !field.value.trim()) {
      membership.hidden = true;
      return;
    }
    const answer = await fetch(form.dataset.explain, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
    });
    if (!answer.ok || turn !== question) return;
    const found = await answer.json();
    membership.hidden = false;
    const verdict = membership.querySelector(".verdict");
    verdict.classList.toggle("is-in", found.isIn);
    verdict.textContent = "";
    if (found.address) {
      const link = document.createElement("a");
      link.href = found.address;
      link.textContent = found.verdict;
      verdict.append(link);
    } else {
      verdict.textContent = found.verdict;
    }
    membership.querySelector("ul").replaceChildren(...found.findings.map(findingItem));
  };
  user.addEventListener("change", explain);
  user.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.defaultPrevented) return;
    event.preventDefault();
    explain();
  });

  let pause;
  const follow = (from) => {
    clearTimeout(pause);
    pause = setTimeout(async () => {
      await probe(from);
      explain();
    }, 200);
  };
  field.addEventListener("input", () => follow("text"));
  builder.addEventListener("input", () => follow("rows"));
  builder.addEventListener("change", () => follow("rows"));
  builder.addEventListener("click", (event) => {
    if (removeGroup(builder, event)) follow("rows");
    const button = event.target.closest("[data-remove-written]");
    if (!button) return;
    button.closest(".row").remove();
    builder.querySelector("[data-add-row]").focus();
    follow("rows");
  });
  startRows(builder);
  startGroups(builder);
  const terms = form.querySelectorAll("[data-example]");
  const search = form.querySelector("[data-terms-search]");
  if (search) startListSearch(search, terms);
  for (const term of terms) {
    term.addEventListener("click", () => {
      const text = field.value.trim() ? ` and ${term.dataset.example}` : term.dataset.example;
      field.setRangeText(text, field.value.length, field.value.length, "end");
      field.focus();
      probe("text");
    });
  }
  probe("start");
}
