// A notification in full: picture, text, what the content extension shows, and the buttons.
import { contentPart } from "./content.js";
import { make, picture } from "./dom.js";
import { storyPart } from "./story.js";

export function expand(note, words, device, close) {
  const press = (button, text) =>
    device.perform("press", { notification: note.id, button: button.id, text });

  const closer = make("button", {
    type: "button", "aria-label": words.close, onclick: close,
  }, picture(`${device.icons}#close`, "icon"));

  const content = contentPart(note, device);
  const story = note.story ? storyPart(note, words, device) : undefined;
  const sheet = make("div.sheet", {},
    make("div.sheet-head", {}, device.appIcon(0), make("b", {}, device.state.appName), closer),
    note.image && !story ? make("img", { src: note.image, alt: "" }) : undefined,
    make("div.sheet-body", {},
      make("b", {}, note.title),
      note.subtitle ? make("b", {}, note.subtitle) : undefined,
      make("p", {}, note.body),
      content.element),
    story?.element);
  sheet.addEventListener("click", (event) => {
    if (!event.target.closest("button, input")) {
      device.perform("tap", { notification: note.id });
    }
  });

  const actions = make("div.actions-sheet");
  for (const button of note.buttons) {
    actions.append(button.textHint === undefined || button.textHint === null
      ? make(button.isDestructive ? "button.destructive" : "button", {
        type: "button", onclick: () => press(button),
      }, button.title)
      : textAction(button, words, press));
  }
  actions.append(make("button", {
    type: "button",
    onclick: () => device.perform("dismiss", { notification: note.id }),
  }, words.clear));

  const veil = make("div.veil", { role: "dialog", "aria-modal": "true", "aria-label": note.title },
    sheet, actions);
  veil.addEventListener("click", (event) => { if (event.target === veil) close(); });
  veil.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  veil.update = (fresh) => {
    content.update(fresh.content);
    story?.update(fresh.story);
  };
  return veil;
}

function textAction(button, words, press) {
  const field = make("input", {
    type: "text", placeholder: button.textHint || button.title, "aria-label": button.title,
  });
  return make("form", {
    onsubmit: (event) => {
      event.preventDefault();
      press(button, field.value);
    },
  }, field, make("button", { type: "submit" }, words.send));
}
