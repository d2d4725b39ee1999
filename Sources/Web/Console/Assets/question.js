// A destructive form asks first, in the page's words: the browser's own question comes in the
// browser's language and without the button's name.

/** Asks the question of a form and sends it, as its button would, when the answer is yes. */
export function ask(form, submitter) {
  const dialog = document.querySelector("[data-question]");
  dialog.querySelector("[data-question-text]").textContent = form.dataset.confirm;
  const yes = dialog.querySelector("[data-question-yes]");
  const button = submitter ?? form.querySelector("button:not([type=button])");
  yes.textContent = button?.textContent ?? "";
  const isDanger = button?.classList.contains("danger") ?? false;
  yes.classList.toggle("danger", isDanger);
  yes.classList.toggle("primary", !isDanger);
  const answers = new AbortController();
  yes.addEventListener("click", () => {
    form.dataset.asked = "";
    dialog.close();
    form.requestSubmit(submitter);
  }, { signal: answers.signal });
  dialog.addEventListener("close", () => answers.abort(), { once: true });
  dialog.showModal();
  // What is safe is what Enter does.
  dialog.querySelector("[data-question-no]").focus();
}

export function startQuestion(dialog) {
  dialog.querySelector("[data-question-no]").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}
