// Figures change where they stand as server-sent events arrive.
export function startLive(area) {
  const lost = document.querySelector("[data-lost]");
  const source = new EventSource(area.dataset.live);
  let warning;
  source.addEventListener("open", () => {
    clearTimeout(warning);
    warning = undefined;
    lost.hidden = true;
    // What changed before the stream was open, or while it was lost, is not told again.
    catchUp(area);
    // Figures that take long to count may be some seconds old.
    setTimeout(() => catchUp(area), 3500);
  });
  source.addEventListener("error", () => {
    warning ??= setTimeout(() => { lost.hidden = false; }, 4000);
  });
  source.addEventListener("push", (event) => {
    showPush(area, JSON.parse(event.data));
    freshenParts(area);
  });
  // A page that leaves closes its stream, without the warning.
  window.addEventListener("pagehide", () => {
    clearTimeout(warning);
    source.close();
  });
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

function showPush(area, push) {
  const places = area.querySelectorAll(`[data-push="${push.number}"]`);
  if (places.length === 0 && "liveNew" in area.dataset) offerReload(area);
  for (const place of places) {
    for (const cell of place.querySelectorAll("[data-figure]")) {
      setText(cell, push[cell.dataset.figure]);
    }
    for (const meter of place.querySelectorAll("meter[data-share]")) {
      meter.value = push[meter.dataset.share];
    }
    for (const mark of place.querySelectorAll("[data-state]")) {
      mark.className = `mark ${push.tone}`;
      setText(mark, push.state);
    }
    for (const part of place.querySelectorAll("[data-begun]")) part.hidden = push.isReserved;
    for (const row of place.querySelectorAll("[data-progress]")) {
      row.hidden = !push.isRunning;
      const bar = row.querySelector("progress");
      bar.max = Math.max(1, push.planned);
      bar.value = push.done;
    }
  }
  for (const form of area.querySelectorAll("[data-when-open]")) {
    if (places.length > 0) form.hidden = !push.isOpen;
  }
}

function setText(element, text) {
  if (text === undefined || element.textContent === text) return;
  element.textContent = text;
  if (!element.matches("[data-state]")) {
    element.classList.remove("changed");
    void element.offsetWidth;
    element.classList.add("changed");
  }
}

// A push that is not in the list yet: fetch the list again and put it in place.
async function offerReload(area) {
  const fresh = await freshArea();
  if (fresh) area.replaceChildren(...fresh.childNodes);
}

// Brings every figure and state to what the page says now.
async function catchUp(area) {
  const fresh = await freshArea();
  if (!fresh) return;
  const hiding = "[data-progress], [data-begun]";
  const parts = `[data-push] :is([data-figure], [data-state], ${hiding})`;
  const before = [...area.querySelectorAll(parts)];
  const now = [...fresh.querySelectorAll(parts)];
  const number = (part) => part.closest("[data-push]").dataset.push;
  if (before.map(number).join() !== now.map(number).join()) {
    // Other pushes than before: everything anew, but not under someone's fingers.
    if (!area.contains(document.activeElement)) area.replaceChildren(...fresh.childNodes);
    return;
  }
  before.forEach((part, index) => {
    if (part.matches(hiding)) {
      part.hidden = now[index].hidden;
      return;
    }
    if (part.matches("[data-state]")) part.className = now[index].className;
    setText(part, now[index].textContent);
  });
  replaceParts(area, fresh);
}

// Lists and charts, which no event carries, are fetched soon after a change, and once more when
// changes have ended.
let soon, last;
function freshenParts(area) {
  if (!area.querySelector("[data-fresh]")) return;
  const fetchParts = async () => {
    soon = undefined;
    const fresh = await freshArea();
    if (fresh) replaceParts(area, fresh);
  };
  soon ??= setTimeout(fetchParts, 1500);
  clearTimeout(last);
  last = setTimeout(fetchParts, 5000);
}

function replaceParts(area, fresh) {
  for (const part of area.querySelectorAll("[data-fresh]")) {
    const now = fresh.querySelector(`[data-fresh="${part.dataset.fresh}"]`);
    // Not under someone's fingers.
    if (!now || now.innerHTML === part.innerHTML || part.contains(document.activeElement)) continue;
    const open = [...part.querySelectorAll("details")].map((details) => details.open);
    part.replaceChildren(...now.childNodes);
    part.querySelectorAll("details").forEach((details, index) => {
      details.open = open[index] ?? details.open;
    });
  }
}

// Figures that no event tells of are looked at again from time to time while the page is seen, until it
// says that nothing changes any more: 0 seconds.
export function startRefresh(area) {
  const seconds = Number(area.dataset.refresh);
  if (seconds === 0) return;
  const timer = setInterval(async () => {
    if (document.visibilityState !== "visible") return;
    const fresh = await freshArea("[data-refresh]");
    if (!fresh) return;
    replaceParts(area, fresh);
    if (Number(fresh.dataset.refresh) === 0) clearInterval(timer);
  }, seconds * 1000);
}

let fetching = false;
async function freshArea(selector = "[data-live]") {
  if (fetching) return undefined;
  fetching = true;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return undefined;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector(selector) ?? undefined;
  } catch {
    return undefined;
  } finally {
    fetching = false;
  }
}
