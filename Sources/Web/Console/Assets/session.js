const name = "noroshi-session";

// Windows share a session. Whoever signs in anew in one of them gets another token for forms; the
// others take it over, so that the last words they send when they are closed are not refused.
export function startSession() {
  const fields = () => document.querySelectorAll("[name=csrf]");
  let windows;
  const open = () => {
    windows = new BroadcastChannel(name);
    windows.addEventListener("message", (event) => {
      for (const field of fields()) field.value = event.data;
    });
  };
  open();
  const token = fields()[0]?.value;
  if (token) windows.postMessage(token);
  // A page that the browser keeps for the way back listens to nobody meanwhile.
  addEventListener("pagehide", () => windows.close());
  addEventListener("pageshow", (event) => {
    if (event.persisted) open();
  });
}
