// A message is tried on the virtual phone of the user of the preview.

// `message` gives the in-app message that the phone shows, or why there is none; `send` sends a push
// once the user is logged in there. One of the two is given.
export function startTrial(form, { message, send }) {
  const button = form.querySelector("[data-try]");
  if (!button) return;
  const field = form.elements.previewUser;
  const users = field.closest("[data-suggest]").dataset;
  const place = form.querySelector("[data-test-text]");
  const show = () => { button.disabled = !field.value.trim(); };
  const say = (text) => {
    place.textContent = text;
    place.classList.add("fault");
  };
  const start = async (user, phone) => {
    const found = await fetch(`${users.suggest}?text=${encodeURIComponent(user)}`);
    // Whoever logs in on a phone under a new name becomes a new user.
    const isThere = found.ok && (await found.json()).some(({ value }) => value === user);
    if (!isThere) return users.none;
    const tried = await message?.();
    if (tried?.fault) return tried.fault;
    const answer = await fetch(button.dataset.try, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ user, message: tried }),
    });
    if (!answer.ok) return button.dataset.failed;
    phone.location = (await answer.json()).address;
    place.textContent = "";
    await send?.();
  };
  button.addEventListener("click", async () => {
    // A browser opens it only while it answers the click.
    const phone = window.open("", "noroshi-phone");
    button.disabled = true;
    place.classList.remove("fault");
    const fault = await start(field.value.trim(), phone);
    if (fault) {
      say(fault);
      if (phone.location.href === "about:blank") phone.close();
    }
    show();
  });
  for (const kind of ["input", "change"]) field.addEventListener(kind, show);
  show();
}
