// Noroshi's part of a site's service worker. The site's own file, served from its root, holds
//
//   importScripts("https://push.example.com/sdk/web/worker.js");
//
// which brings the outbox with it. Pushes of other senders are left to other listeners.
(() => {
  "use strict";

  const NOTE_LIMIT = 2_000;

  let opening;
  const outbox = () => (opening ??= globalThis.NoroshiOutbox.open());

  /** The payload when it is ours. */
  const read = (data) => {
    let payload;
    try { payload = data?.json(); } catch { return undefined; }
    return typeof payload?.noroshi?.dispatch_id === "string" ? payload : undefined;
  };

  /** Records an interaction once; false when it was recorded before. */
  const note = async (payload, kind, action) => {
    const dispatch = payload.noroshi.dispatch_id;
    const key = [dispatch.toLowerCase(), kind, action ?? ""].join("|");
    const number = Number(payload.push_no);
    return (await outbox()).appendOnce(key, {
      type: "push",
      push: {
        kind,
        dispatch,
        ...(Number.isSafeInteger(number) && { push_no: number }),
        ...(action && { action }),
      },
    });
  };

  /** One try now; what stays is sent by the next page, push or, where it exists, sync. */
  const flush = async () => {
    const wait = await (await outbox()).flush();
    if (wait > 0 && Number.isFinite(wait)) {
      await self.registration.sync?.register("noroshi-flush").catch(() => {});
    }
  };

  const tellPages = async (message) => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    for (const page of pages) page.postMessage({ noroshi: message });
  };

  const show = async (payload, isNew) => {
    const content = payload.notification;
    if (!content) return;
    await self.registration.showNotification(content.title, {
      body: content.body,
      // A push that comes again takes the place of the first without a sound.
      tag: content.tag ?? payload.noroshi.dispatch_id,
      silent: content.silent === true || !isNew,
      ...(content.image && { image: content.image }),
      ...(content.icon && { icon: content.icon }),
      actions: (content.actions ?? []).map(({ action, title, icon }) => ({ action, title, icon })),
      data: { noroshiPayload: payload },
    });
    if (Number.isInteger(payload.app_badge)) {
      await (payload.app_badge > 0
        ? self.navigator.setAppBadge?.(payload.app_badge) : self.navigator.clearAppBadge?.());
    }
  };

  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  const received = async (payload) => {
    const noted = note(payload, "received").catch(() => true);
    // A browser ends subscriptions whose pushes show nothing, so the notification does not wait
    // for a database that is slow or broken.
    const isNew = await Promise.race([noted, pause(NOTE_LIMIT).then(() => true)]);
    await show(payload, isNew);
    if (isNew) await tellPages({ kind: "received", payload });
    await noted;
    await flush().catch(() => {});
  };

  /** Where a tap leads, among the addresses that a browser may go to. */
  const destination = (payload, action) => {
    const content = payload.notification;
    const chosen = action
      ? content?.actions?.find((button) => button.action === action)?.navigate
      : content?.navigate;
    try {
      const url = new URL(chosen, self.registration.scope);
      return ["https:", "http:"].includes(url.protocol) ? url.href : undefined;
    } catch {
      return undefined;
    }
  };

  const go = async (address) => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = pages.find((page) => page.url === address);
    await (there ? there.focus() : self.clients.openWindow(address));
  };

  const clicked = async (payload, action) => {
    const address = destination(payload, action);
    // First: a browser lets a worker open a window only shortly after the tap.
    if (address) await go(address).catch(() => {});
    if (action) await note(payload, "action", action);
    if (!action || address) {
      if (await note(payload, "opened")) await tellPages({ kind: "opened", action, payload });
    }
    await flush();
  };

  self.addEventListener("push", (event) => {
    const payload = read(event.data);
    if (payload) event.waitUntil(received(payload));
  });

  self.addEventListener("notificationclick", (event) => {
    const payload = event.notification.data?.noroshiPayload;
    if (!payload) return;
    event.notification.close();
    event.waitUntil(clicked(payload, event.action));
  });

  self.addEventListener("notificationclose", (event) => {
    const payload = event.notification.data?.noroshiPayload;
    if (payload) event.waitUntil(note(payload, "dismissed").then(flush));
  });

  // The browser has replaced the subscription, or wants it to be made again.
  self.addEventListener("pushsubscriptionchange", (event) => {
    event.waitUntil((async () => {
      const options = event.oldSubscription?.options;
      const subscription = event.newSubscription
        ?? (options && await self.registration.pushManager.subscribe(options));
      if (!subscription) return;
      const token = subscription.toJSON();
      await (await outbox()).change((installation) => {
        installation.token = token;
        return [globalThis.NoroshiOutbox.tokenRecord(token)];
      });
      await flush();
    })());
  });

  self.addEventListener("sync", (event) => {
    if (event.tag === "noroshi-flush") event.waitUntil(flush());
  });
})();
