// Plays the coming week for whoever is signed in on the phone, and shows what it would get.
const pause = 1000;

export function startWeek(page) {
  const button = page.querySelector("[data-week]");
  const part = page.querySelector("[data-week-shown]");
  if (!button) return;

  async function follow() {
    const answer = await fetch(button.dataset.week).catch(() => undefined);
    if (!answer?.ok) return;
    part.innerHTML = await answer.text();
    part.hidden = false;
    if (part.querySelector("[data-playing]")) setTimeout(follow, pause);
    else button.disabled = false;
  }

  button.addEventListener("click", async () => {
    button.disabled = true;
    await fetch(button.dataset.week, { method: "POST" }).catch(() => undefined);
    await follow();
    part.scrollIntoView({ block: "nearest" });
  });
}
