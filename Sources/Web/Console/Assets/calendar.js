// A message is dragged to another day: its form says which one, and is sent.
export function startCalendar(calendar) {
  let dragged = null;
  const day = (event) => event.target.closest?.("[data-day]");
  const mark = (cell) => {
    for (const other of calendar.querySelectorAll(".over")) other.classList.remove("over");
    cell?.classList.add("over");
  };
  calendar.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.("[data-subject]");
    if (!dragged) return;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.dataset.subject);
  });
  calendar.addEventListener("dragover", (event) => {
    const cell = day(event);
    if (!dragged || !cell) return;
    event.preventDefault();
    mark(cell);
  });
  calendar.addEventListener("dragend", () => {
    dragged = null;
    mark(null);
  });
  calendar.addEventListener("drop", (event) => {
    const cell = day(event);
    if (!dragged || !cell) return;
    event.preventDefault();
    const form = dragged.querySelector("form");
    if (cell.contains(dragged)) return;
    form.elements.day.min = "";
    form.elements.day.value = cell.dataset.day;
    form.requestSubmit();
  });
}
