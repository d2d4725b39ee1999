// The drawer with what the SDK did, the latest at the end and in view.
import { make } from "./dom.js";

let shown = "";

export function showLog(page, lines) {
  const key = JSON.stringify(lines);
  if (key === shown) return;
  shown = key;
  const list = page.querySelector("[data-log]");
  const wasAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
  page.querySelector("[data-log-empty]").hidden = lines.length > 0;
  list.replaceChildren(...lines.map((line) => {
    const time = new Date(line.at);
    return make(
      `li.${line.kind}`, {},
      make("time", { dateTime: line.at }, time.toLocaleTimeString(document.documentElement.lang)),
      line.text,
    );
  }));
  if (wasAtEnd) list.scrollTop = list.scrollHeight;
}
