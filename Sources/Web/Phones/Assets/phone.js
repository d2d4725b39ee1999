// One virtual phone: draws the state that the server sends and sends back what a person does.
import { Device } from "./device.js";
import { showLog } from "./log.js";
import { startWeek } from "./week.js";

const page = document.querySelector("[data-phone]");
const lost = document.querySelector("[data-lost]");
const allWords = JSON.parse(page.dataset.words);

async function perform(action, more = {}) {
  const answer = await fetch(page.dataset.actions, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ action, ...more }),
  });
  lost.hidden = answer.ok;
}

// The clock of the phones and of their server, which is moved for all of them at once.
const clock = page.querySelector("[data-clock]");
for (const button of clock?.querySelectorAll("[data-seconds]") ?? []) {
  button.addEventListener("click", async () => {
    const answer = await fetch(clock.dataset.clock, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ seconds: Number(button.dataset.seconds) }),
    });
    lost.hidden = answer.ok;
  });
}

function showClock(secondsAhead) {
  if (!clock) return;
  clock.querySelector("[data-clock-time]").textContent = secondsAhead > 0
    ? new Date(Date.now() + secondsAhead * 1000).toLocaleString(
      document.documentElement.lang, { dateStyle: "full", timeStyle: "short" })
    : "";
}

const device = new Device(page.querySelector("[data-glass]"), {
  perform,
  icons: page.dataset.icons,
  phoneIcons: page.dataset.phoneIcons,
});

function show(state) {
  const words = allWords[state.language] ?? allWords.en;
  device.show(state, words);
  showLog(page, state.log);
  showClock(state.secondsAhead ?? 0);
  page.querySelector("[data-airplane]").checked = !state.isOnline;
  page.querySelector("[data-language]").value = state.language;
  const who = page.querySelector("[data-who]");
  who.textContent = state.user ?? who.dataset.anonymous;
  page.querySelector("[data-log-out]").hidden = !state.user;
  const ownWords = allWords[document.documentElement.lang] ?? allWords.en;
  const permission = { notDetermined: "waiting" }[state.permission] ?? state.permission;
  page.querySelector("[data-permission]").textContent = ownWords[`permission_${permission}`];
  page.querySelector("[data-do=lock]").disabled = state.screen === "locked";
  page.querySelector("[data-do=unlock]").disabled = state.screen !== "locked";
  page.querySelector("[data-do=goHome]").disabled = state.screen !== "app";
}

for (const button of page.querySelectorAll("[data-do]")) {
  button.addEventListener("click", () => perform(button.dataset.do));
}
page.querySelector("[data-airplane]").addEventListener("change", (event) => {
  perform(event.target.checked ? "goOffline" : "goOnline");
});
page.querySelector("[data-language]").addEventListener("change", (event) => {
  perform("chooseLanguage", { language: event.target.value });
});
page.querySelector("[data-login]").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = event.target.elements.user;
  if (field.value.trim()) perform("logIn", { user: field.value.trim() });
  field.value = "";
});

startWeek(page);

const source = new EventSource(page.dataset.changes);
source.addEventListener("open", () => { lost.hidden = true; });
source.addEventListener("error", () => { lost.hidden = false; });
source.addEventListener("state", (event) => show(JSON.parse(event.data)));
window.addEventListener("pagehide", () => source.close());
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
