// The expanded notification as the content extensions of the SDK draw it, with the pairs of the
// chosen user: information capture, progress, the two games, and the pages of a push story.
const patterns = {
  noroshi_capture: { needs: [], draw: capture },
  noroshi_progress: {
    needs: ["completed_session_count", "total_session_count"],
    draw: progress,
  },
  noroshi_wheel: { needs: ["prizes"], draw: wheel },
  noroshi_match: { needs: ["faces"], draw: match },
  noroshi_story: { needs: [], draw: story },
};

// What a pattern's pairs hold at first; the values may be Liquid.
const examples = {
  noroshi_capture: { capture_kind: "email" },
  noroshi_progress: {
    completed_session_count: "{{custom_attribute.${completed_session_count}}}",
    total_session_count: "10",
    next_session_name: "{{custom_attribute.${next_session_name}}}",
    next_session_complete_date: "{{custom_attribute.${next_session_complete_date}}}",
  },
  noroshi_wheel: { prizes: "5 %, 10 %, 20 %" },
  noroshi_match: { faces: "🍵, 🍡, 🍙" },
};

const make = (tag, text, properties = {}) => {
  const element = Object.assign(document.createElement(tag), properties);
  if (text !== undefined) element.textContent = text;
  return element;
};

// `show` takes what the server has drawn; `category` says which pattern is chosen.
export function startExpanded(form) {
  const box = form.querySelector("[data-expanded]");
  const pattern = form.querySelector("[data-pattern]");
  let before = "";

  const pages = form.querySelector("[data-story]");
  // Pages that are not shown are not sent either, but they come back when they are chosen again.
  const showPages = (isStory) => {
    pages.hidden = !isStory;
    pages.disabled = !isStory;
  };
  showPages([...pages.querySelectorAll("input")].some((field) => field.value.trim()));

  const category = () => !pages.disabled ? "noroshi_story"
    : (form.elements.buttons.value === "custom" ? form.elements.category.value.trim() : "");
  const show = (drawn) => {
    // A variant of a campaign may have pages although all variants have none.
    const isOwn = pages.disabled && drawn.story.length > 0;
    const chosen = isOwn ? "noroshi_story" : (patterns[category()] ? category() : "");
    if (!isOwn) pattern.value = chosen;
    const pairs = Object.fromEntries(drawn.pairs.map(({ key, value }) => [key, value]));
    const image = [...form.querySelectorAll("[name=image], [data-part=image]")]
      .map((field) => field.value).find(Boolean) ?? "";
    const state = JSON.stringify(
      [drawn.title, drawn.subtitle, drawn.message, chosen, pairs, image, drawn.story]);
    // A game that is being played is not dealt anew for nothing.
    if (state === before) return;
    before = state;
    const head = [make("b", drawn.title || form.dataset.appName)];
    if (drawn.subtitle) head.push(make("b", drawn.subtitle));
    head.push(make("p", drawn.message || form.dataset.ghost));
    box.replaceChildren(...head);
    if (image) box.prepend(make("span", image.split("/").pop(), { className: "picture-name" }));
    if (!chosen) return;
    const { needs, draw } = patterns[chosen];
    const missing = needs.filter((key) => !pairs[key]?.trim());
    if (missing.length > 0) {
      box.append(make("p", box.dataset.missing.replace("{keys}", missing.join(", ")),
        { className: "fault" }));
    } else {
      box.append(draw(pairs, box.dataset, drawn.story));
    }
  };

  pattern.addEventListener("change", () => {
    const isStory = pattern.value === "noroshi_story";
    showPages(isStory);
    form.elements.buttons.value = pattern.value && !isStory ? "custom" : "none";
    form.elements.category.value = isStory ? "" : pattern.value;
    const list = form.querySelector("[data-pairs]");
    const keys = () => [...list.querySelectorAll("[name=key]")];
    for (const [key, value] of Object.entries(examples[pattern.value] ?? {})) {
      if (keys().some((field) => field.value === key)) continue;
      let row = [...list.children].find((pair) => !pair.querySelector("[name=key]").value);
      if (!row) {
        form.querySelector("[data-add-pair]").click();
        row = list.lastElementChild;
      }
      row.querySelector("[name=key]").value = key;
      row.querySelector("[name=value]").value = value;
    }
    pattern.focus();
    form.dispatchEvent(new Event("change", { bubbles: true }));
  });
  return { show };
}

function capture(pairs, words) {
  const part = make("div");
  if (pairs.cert_title) part.append(make("b", pairs.cert_title));
  if (pairs.cert_description) part.append(make("p", pairs.cert_description));
  const kinds = { phone: words.phone, text: pairs.attribute_key ?? "" };
  const label = kinds[pairs.capture_kind] ?? words.email;
  const field = make("input", undefined, { type: "text", placeholder: label, autocomplete: "off" });
  field.setAttribute("aria-label", label);
  const button = make("button", words.register, { type: "button", disabled: true });
  const isValid = {
    phone: (text) => /^\+?\d{7,15}$/.test(text.replace(/[ \-().]/g, "")),
    text: (text) => text.length > 0 && text.length <= 255,
  }[pairs.capture_kind] ?? ((text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text));
  field.addEventListener("input", (event) => {
    // It belongs to the picture, not to the form.
    event.stopPropagation();
    button.disabled = !isValid(field.value.trim());
  });
  field.addEventListener("change", (event) => event.stopPropagation());
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  button.addEventListener("click", () => part.replaceChildren(make("p", words.thanks)));
  part.append(field, button);
  return part;
}

function progress(pairs, words) {
  const total = Math.max(1, Number.parseInt(pairs.total_session_count, 10) || 1);
  const done = Math.min(total, Math.max(0, Number.parseInt(pairs.completed_session_count, 10) || 0));
  const part = make("div");
  const bar = make("progress", undefined, { className: "bar", max: total, value: done });
  bar.setAttribute("aria-label", `${done} / ${total}`);
  part.append(make("p", `${done} / ${total} · ${Math.floor((done / total) * 100)} %`), bar);
  if (done < total && pairs.next_session_name) {
    part.append(make("p", `${words.next}: ${pairs.next_session_name}`));
    if (pairs.next_session_complete_date) {
      part.append(make("p", `${words.due}: ${pairs.next_session_complete_date}`));
    }
  }
  return part;
}

function wheel(pairs, words) {
  const prizes = pairs.prizes.split(",").map((prize) => prize.trim()).filter(Boolean);
  const part = make("div");
  const disc = make("div", undefined, { className: "wheel" });
  const turn = 360 / prizes.length;
  const colours = ["#c8401a", "#5b2a4c", "#2a2350", "#8f5b00"];
  disc.style.background = `conic-gradient(${prizes.map((_, index) =>
    `${colours[index % colours.length]} ${index * turn}deg ${(index + 1) * turn}deg`).join(", ")})`;
  prizes.forEach((prize, index) => {
    const label = make("span", prize);
    label.style.transform = `rotate(${(index + 0.5) * turn}deg) translateY(-52px)`;
    disc.append(label);
  });
  const answer = make("p", "");
  answer.setAttribute("role", "status");
  const button = make("button", words.spin, { type: "button" });
  button.addEventListener("click", () => {
    const index = Math.floor(Math.random() * prizes.length);
    disc.style.transform = `rotate(${1800 - (index + 0.5) * turn}deg)`;
    answer.textContent = prizes[index];
    button.disabled = true;
  });
  part.append(disc, button, answer);
  return part;
}

function match(pairs, words) {
  const faces = pairs.faces.split(",").map((face) => face.trim()).filter(Boolean);
  const cards = [...faces, ...faces].map((face) => ({ face, order: Math.random() }))
    .sort((left, right) => left.order - right.order);
  const part = make("div", undefined, { className: "match" });
  let open = [];
  cards.forEach(({ face }, index) => {
    const name = `${words.card} ${index + 1}`;
    const card = make("button", "?", { type: "button" });
    card.setAttribute("aria-label", name);
    const turn = (isOpen) => {
      card.textContent = isOpen ? face : "?";
      card.setAttribute("aria-label", isOpen ? `${name}: ${face}` : name);
    };
    card.addEventListener("click", () => {
      if (card.textContent !== "?") return;
      if (open.length === 2) {
        if (open[0].face !== open[1].face) for (const other of open) other.turn(false);
        open = [];
      }
      turn(true);
      open.push({ face, turn });
    });
    part.append(card);
  });
  return part;
}

// Its own rules are in NoroshiPushStory of the SDK; here one looks at the pages by hand.
function story(_, words, pages) {
  const part = make("div", undefined, { className: "story" });
  if (pages.length === 0) return part;
  let index = 0;
  const turn = (step) => {
    index = (index + step + pages.length) % pages.length;
    draw();
  };
  const arrow = (text, label, step) => {
    const button = make("button", text, { type: "button" });
    button.setAttribute("aria-label", label);
    button.addEventListener("click", () => turn(step));
    return button;
  };
  const page = make("div", undefined, { className: "story-page" });
  const place = make("span", "", { className: "story-place" });
  place.setAttribute("role", "status");
  const draw = () => {
    const { image, title, subtitle } = pages[index];
    // The console loads nothing from other hosts, so that a picture is its name.
    page.replaceChildren(
      make("span", image.split("/").pop(), { className: "picture-name" }),
      ...[title && make("b", title), subtitle && make("p", subtitle)].filter(Boolean));
    place.textContent = words.page.replace("{page}", `${index + 1} / ${pages.length}`);
  };
  const bar = make("div", undefined, { className: "story-bar" });
  bar.append(arrow("‹", words.previousPage, -1), place, arrow("›", words.nextPage, 1));
  part.append(page, bar);
  draw();
  return part;
}
