// What a content extension draws in an expanded notification: the views of the SDK on the phone, as
// the server describes them. What changes is changed in its place, so that focus and motion go on.
import { make } from "./dom.js";

const sectorColors = ["#c7401a", "#5c294d", "#292450"];

export function contentPart(note, device) {
  // One after the other: letters of one word must not overtake each other.
  let line = Promise.resolve();
  const perform = (action, more) => {
    line = line.then(() => device.perform(action, { notification: note.id, ...more }))
      // That the server is gone is said by the page itself.
      .catch(() => {});
  };
  const element = make("div.content");
  // A touch in the content is none of the notification.
  element.addEventListener("click", (event) => event.stopPropagation());
  let drawn;

  const update = (fresh) => {
    if (!fresh) return;
    if (drawn?.kind === fresh.kind) {
      refresh(drawn, fresh, perform);
    } else {
      drawn = build(fresh, perform);
      element.replaceChildren(drawn.element);
    }
  };
  update(note.content);
  return { element, update };
}

function build(view, perform) {
  const { element, ...parts } = makers[view.kind](view, perform);
  const node = { kind: view.kind, id: view.id, element, children: [], ...parts };
  refresh(node, view, perform);
  return node;
}

function refresh(node, view, perform) {
  node.fill?.(view);
  if (view.label) node.element.setAttribute("aria-label", view.label);
  else node.element.removeAttribute("aria-label");
  // A paragraph has no name of its own.
  if (view.kind === "text" && view.label) node.element.setAttribute("role", "note");
  const before = new Map(node.children.map((child) => [child.id, child]));
  node.children = (view.children ?? []).map((child) => {
    const known = before.get(child.id);
    before.delete(child.id);
    if (known?.kind !== child.kind) {
      known?.element.remove();
      return build(child, perform);
    }
    refresh(known, child, perform);
    return known;
  });
  if (!view.children) return;
  for (const { element } of before.values()) element.remove();
  // What stays is not taken out for a moment: a field would lose the focus.
  node.children.forEach(({ element }, place) => {
    const there = node.element.children[place];
    if (there !== element) node.element.insertBefore(element, there ?? null);
  });
}

const makers = {
  column: () => ({ element: make("div.content-column") }),
  row: () => ({ element: make("div.content-row") }),
  text() {
    const element = make("p");
    return { element, fill: ({ text }) => setText(element, text) };
  },
  button({ id }, perform) {
    const element = make("button", {
      type: "button", onclick: () => perform("touch", { element: id }),
    });
    return {
      element,
      fill({ text, isEnabled }) {
        setText(element, text);
        element.disabled = !isEnabled;
      },
    };
  },
  field({ id, keyboard, placeholder, text }, perform) {
    const element = make("input", {
      type: "text", inputMode: keyboard, placeholder, value: text, autocomplete: "off",
    });
    element.addEventListener("input", () => perform("type", { element: id, text: element.value }));
    // What is being typed is newer than what the phone has of it.
    return { element };
  },
  progress() {
    const element = make("progress", { max: 1 });
    return { element, fill: ({ fraction }) => { element.value = fraction; } };
  },
  wheel({ sectors }) {
    const disc = wheel(sectors);
    return {
      element: make("div.wheel", {}, disc),
      fill: ({ degrees }) => { disc.style.setProperty("--turn", `${degrees}deg`); },
    };
  },
};

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Sectors clockwise from the top, as WheelDial of the SDK draws them.
function wheel(sectors) {
  const disc = svg("svg", {
    viewBox: "-100 -100 200 200", role: "img", "aria-label": sectors.join(", "),
  });
  const angle = (index) => (index / sectors.length) * 2 * Math.PI - Math.PI / 2;
  const point = (index, radius) =>
    `${(Math.cos(angle(index)) * radius).toFixed(3)} ${(Math.sin(angle(index)) * radius).toFixed(3)}`;
  for (const [index, name] of sectors.entries()) {
    const isLastBesideItsEqual = index === sectors.length - 1 && index > 0
      && index % sectorColors.length === 0;
    const fill = sectorColors[isLastBesideItsEqual ? 1 : index % sectorColors.length];
    disc.append(sectors.length === 1
      ? svg("circle", { r: 100, fill })
      : svg("path", {
        d: `M0 0L${point(index, 100)}A100 100 0 0 1 ${point(index + 1, 100)}Z`, fill,
      }));
    const label = svg("text", {
      x: 0, y: -62, transform: `rotate(${((index + 0.5) / sectors.length) * 360})`,
    });
    label.textContent = name;
    disc.append(label);
  }
  return disc;
}

function svg(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
