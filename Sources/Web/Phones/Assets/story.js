// The pages of a push story. Which one is visible, and whether they turn by themselves, is what the
// SDK's own rules on the phone say; here they are drawn, and told what a finger does.
import { make } from "./dom.js";

export function storyPart(note, words, device) {
  const turn = (how) => device.perform("turnPage", { notification: note.id, turn: how });
  let story = note.story;
  const page = make("button.story-page", {
    type: "button", onclick: () => device.perform("tapPage", { notification: note.id }),
  });
  const place = make("span.story-place", { role: "status" });
  const arrow = (label, text, how) =>
    make("button", { type: "button", "aria-label": label, onclick: () => turn(how) }, text);
  const element = make("div.story", {}, page,
    make("div.story-bar", {}, arrow(words.previous_page, "‹", "back"), place,
      arrow(words.next_page, "›", "forward")));

  const draw = () => {
    const { title, subtitle, image, address } = story.pages[story.number - 1];
    page.replaceChildren(
      image ? make("img", { src: image, alt: "" })
        : make("span.story-name", {}, address.split("/").pop()),
      ...[title && make("b", {}, title), subtitle && make("span", {}, subtitle)].filter(Boolean));
    place.textContent = `${story.number} / ${story.pages.length}`;
  };
  draw();

  const timer = setInterval(() => {
    if (!element.isConnected || !story.isAdvancing) clearInterval(timer);
    else turn("byItself");
  }, story.pageSeconds * 1000);

  return {
    element,
    update(fresh) {
      if (JSON.stringify(fresh) === JSON.stringify(story)) return;
      story = fresh;
      draw();
    },
  };
}
