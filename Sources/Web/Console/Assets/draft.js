import { later } from "./composer.js";

/** Browsers finish requests of at most 64 KiB after the page is gone; encoded bodies are ASCII. */
const carriedBytes = 60 * 1024;

// What is written in a form is kept on the server, under an address that a reload, another language
// and a new session find again. Where another window has written on, this one's becomes a draft of
// its own; the server says so.
export function startDraft(form) {
  let address = form.dataset.draftAddress;
  if (!address) return;
  let isUnsaved = false;
  let isSettled = false;
  let isEnded = false;
  let work = Promise.resolve();
  const note = form.querySelector("[data-saved]");
  const body = () => new URLSearchParams(new FormData(form));

  const settle = () => {
    isSettled = true;
    history.replaceState(history.state, "", address);
    for (const back of document.querySelectorAll(".languages [name=back]")) back.value = address;
  };
  const say = (text, isBad = false) => {
    note.textContent = text;
    note.classList.toggle("fault", isBad);
  };

  // What is on its way goes on when the page is left; more than browsers carry then is only sent.
  const post = () => {
    const text = body();
    const keepalive = text.toString().length < carriedBytes;
    return fetch(address, { method: "POST", body: text, keepalive }).catch(() => undefined);
  };

  // Whoever has logged in anew has another token.
  const renew = async () => {
    const answer = await fetch(location.href).catch(() => undefined);
    if (!answer?.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const token = page.querySelector("[name=csrf]")?.value;
    if (!token) return;
    for (const field of document.querySelectorAll("[name=csrf]")) field.value = token;
  };

  const write = async () => {
    if (form.dataset.isSending || !isUnsaved) return;
    isUnsaved = false;
    let answer = await post();
    if (answer?.status === 403) {
      await renew();
      answer = await post();
    }
    // Whoever is no longer logged in is led to the page for that.
    isEnded = answer?.redirected === true;
    if (isEnded || !answer?.ok) {
      isUnsaved = true;
      if (isEnded) say(form.dataset.endedText, true);
      return;
    }
    const kept = await answer.json();
    if (kept.isOver) {
      const link = document.createElement("a");
      link.className = "link";
      link.href = kept.address;
      link.textContent = kept.text;
      note.replaceChildren(link);
      return;
    }
    say(kept.text);
    address = kept.address;
    form.elements.namedItem("draft").value = kept.draft;
    form.elements.namedItem("seen").value = kept.seen;
    settle();
  };
  const save = () => {
    work = work.then(write);
    return work;
  };
  const saveSoon = later(save, 1500);

  for (const kind of ["input", "change"]) {
    form.addEventListener(kind, () => {
      isUnsaved = true;
      saveSoon();
    });
  }

  // What comes back with mistakes in it has been kept.
  if (document.querySelector(".faults")) settle();

  // Nothing is handed over before the last words are kept, so that none of them is lost where
  // nobody is logged in any more.
  const afterSaving = (other) => {
    other.addEventListener("submit", async (event) => {
      if (!isUnsaved || form.dataset.isSending) return;
      event.preventDefault();
      await save();
      if (isEnded) {
        note.scrollIntoView({ block: "center" });
        return;
      }
      if (other === form) form.dataset.isSending = "true";
      isUnsaved = false;
      other.requestSubmit(event.submitter);
    });
  };
  afterSaving(form);
  for (const languages of document.querySelectorAll("form.languages, .languages form")) {
    afterSaving(languages);
  }

  addEventListener("pagehide", () => {
    if (isUnsaved && !form.dataset.isSending) navigator.sendBeacon(address, body());
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    delete form.dataset.isSending;
    // What a kept page says of a draft may be over: the server knows.
    if (isSettled) location.reload();
  });
}
