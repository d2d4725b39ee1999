// What a page and its service worker share: the outbox in IndexedDB and the way to the server.
//
// It has no imports and no exports, so that a page loads it as a module and a service worker with
// importScripts. Every record gets its id, time and number where it happened; it is deleted only
// after the server has answered for it, so sending it again never counts twice.
(() => {
  "use strict";

  const DATABASE = "noroshi";
  const BATCH = 100;
  const SEEN_LIMIT = 500;
  const FIRST_WAIT = 1_000;
  const LONGEST_WAIT = 300_000;
  const SIGNATURE_LIMIT = 8;
  const VERSION = "0.2.0";

  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  const opened = () => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("state");
      request.result.createObjectStore("records", { keyPath: "seq" });
      request.result.createObjectStore("seen", { keyPath: "key" }).createIndex("time", "time");
    };
    return done(request);
  };

  /**
   * Makes the ids of records: UUIDs of version 7 (RFC 9562), which sort by the time of their making
   * and which the server therefore finds quickly. Within a millisecond a counter of 12 bits goes up
   * from a random number; when it is full, or the clock goes back, the latest millisecond that was
   * used stays, or the one after it is used, so that ids always grow.
   */
  class TimeOrderedIDs {
    #millisecond = 0;
    #count = 0;
    #now;
    #random;

    /** `now` gives milliseconds since 1970, `random` as many random bytes as it is asked for. */
    constructor(now = Date.now, random = (count) => crypto.getRandomValues(new Uint8Array(count))) {
      this.#now = now;
      this.#random = random;
    }

    next() {
      const bytes = this.#random(16);
      const start = (bytes[6] << 8 | bytes[7]) & 0x7ff;
      const now = Math.max(0, Math.floor(this.#now()));
      if (now > this.#millisecond) {
        [this.#millisecond, this.#count] = [now, start];
      } else if (this.#count < 0xfff) {
        this.#count += 1;
      } else {
        [this.#millisecond, this.#count] = [this.#millisecond + 1, start];
      }
      for (let index = 5, rest = this.#millisecond; index >= 0; index -= 1) {
        bytes[index] = rest % 256;
        rest = Math.floor(rest / 256);
      }
      bytes[6] = 0x70 | this.#count >> 8;
      bytes[7] = this.#count & 0xff;
      bytes[8] = bytes[8] & 0x3f | 0x80;
      const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    }
  }

  const recordIDs = new TimeOrderedIDs();

  class Outbox {
    #database;
    #isRefused = false;
    #told;

    /** Called with `{code, reason, user}` when the server refuses a user's signed token. */
    onSignatureRefused = () => {};

    static async open() {
      const outbox = new Outbox();
      outbox.#database = await opened();
      // Another tab with a newer version of the SDK may change the database.
      outbox.#database.onversionchange = () => outbox.#database.close();
      return outbox;
    }

    /** Runs `work` on the stores in one transaction and resolves when it is on disk. */
    #transaction(work) {
      const transaction = this.#database.transaction(["state", "records", "seen"], "readwrite",
        { durability: "strict" });
      const stores = {
        state: transaction.objectStore("state"),
        records: transaction.objectStore("records"),
        seen: transaction.objectStore("seen"),
      };
      return new Promise((resolve, reject) => {
        let result;
        transaction.oncomplete = () => resolve(result);
        transaction.onabort = () => reject(transaction.error ?? new Error("not stored"));
        Promise.resolve(work(stores)).then((value) => { result = value; }, (error) => {
          reject(error);
          try { transaction.abort(); } catch { /* it has ended already */ }
        });
      });
    }

    /** Remembers who and where we are; made at the first start of the installation. */
    async configure({ endpoint, apiKey }) {
      this.#isRefused = false;
      return this.#transaction(async ({ state }) => {
        const known = await done(state.get("installation"));
        const installation = {
          device: known?.device ?? crypto.randomUUID(),
          user: known?.user ?? { anonymous_id: crypto.randomUUID() },
          token: known?.token ?? null,
          session: known?.session ?? null,
          signatures: known?.signatures ?? {},
          endpoint,
          apiKey,
        };
        state.put(installation, "installation");
        return installation;
      });
    }

    /** Keeps a value under a name of its own. */
    async keep(name, value) {
      await this.#transaction(({ state }) => done(state.put(value, name)));
    }

    /** What is kept under a name. */
    async kept(name) {
      return this.#transaction(({ state }) => done(state.get(name)));
    }

    /** The installation; nothing before the first `configure`. */
    async installation() {
      return this.#transaction(({ state }) => done(state.get("installation")));
    }

    /** Changes the installation and appends records in one transaction. */
    async change(work) {
      return this.#transaction(async (stores) => {
        const installation = await done(stores.state.get("installation"));
        if (!installation) throw new Error("Noroshi has not been started on this site yet");
        const records = work(installation) ?? [];
        stores.state.put(installation, "installation");
        await this.#append(stores, installation, records);
        return installation;
      });
    }

    /** Appends records of the current user. */
    async append(...records) {
      return this.change(() => records);
    }

    /** Appends a record once for each key, however often it happens; false for a repetition. */
    async appendOnce(key, record) {
      return this.#transaction(async (stores) => {
        const installation = await done(stores.state.get("installation"));
        if (!installation || await done(stores.seen.get(key))) return false;
        stores.seen.put({ key, time: Date.now() });
        await this.#append(stores, installation, [record]);
        const count = await done(stores.seen.count());
        if (count > SEEN_LIMIT) {
          const oldest = await done(stores.seen.index("time").getAllKeys(null, count - SEEN_LIMIT));
          for (const old of oldest) stores.seen.delete(old);
        }
        return true;
      });
    }

    async #append({ state, records }, installation, added) {
      let number = (await done(state.get("sequence"))) ?? 0;
      for (const record of added) {
        number += 1;
        records.add({
          id: recordIDs.next(),
          seq: number,
          time_ms: Date.now(),
          user: installation.user,
          ...(installation.session && { session: installation.session.id }),
          ...record,
        });
      }
      if (added.length) state.put(number, "sequence");
    }

    /** The oldest records, all of one user: a signed token speaks for one. */
    async #pending(limit) {
      const waiting = await this.#transaction(({ records }) => done(records.getAll(null, limit)));
      const other = waiting.findIndex(({ user }) => !isSameUser(user, waiting[0].user));
      return other < 0 ? waiting : waiting.slice(0, other);
    }

    /** Keeps the signed token of a user until another takes its place. */
    async setSignature(user, signature) {
      return this.change((installation) => keepSignature(installation, user, signature));
    }

    /** How many records wait for the server. */
    async pendingCount() {
      return this.#transaction(({ records }) => done(records.count()));
    }

    async #remove(ids, sent) {
      const gone = new Set(ids.map((id) => id.toLowerCase()));
      await this.#transaction(({ records }) => {
        for (const record of sent) {
          if (gone.has(record.id.toLowerCase())) records.delete(record.seq);
        }
      });
    }

    /** Tells the page once of a token that was refused, here or on a page before. */
    #tell({ code, reason, user, signature }) {
      const key = JSON.stringify([user, signature]);
      if (this.#told === key) return;
      this.#told = key;
      this.onSignatureRefused({ code, reason, user });
    }

    /**
     * Sends what waits, oldest first; one page or worker at a time. Resolves to the number of
     * milliseconds to wait before the next try, 0 when nothing is left, Infinity when the server
     * does not accept the key or waits for another signed token of the user.
     */
    async flush(failures = 0) {
      if (this.#isRefused) return Infinity;
      const work = () => this.#flush(failures);
      return globalThis.navigator?.locks
        ? navigator.locks.request("noroshi-flush", work) : work();
    }

    async #flush(failures) {
      let size = BATCH;
      for (;;) {
        const sent = await this.#pending(size);
        if (!sent.length) return 0;
        const installation = await this.installation();
        const user = sent[0].user.external_id;
        const signature = user && installation.signatures?.[user];
        const { refused } = installation;
        if (user && refused?.user === user && refused.signature === (signature ?? null)) {
          this.#tell(refused);
          return Infinity;
        }
        let answer;
        try {
          answer = await fetch(`${installation.endpoint}/sdk/v1/batch`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${installation.apiKey}`,
              "content-type": "application/json",
            },
            body: JSON.stringify({
              device: describe(installation), records: sent, ...(signature && { signature }),
            }),
            keepalive: sent.length <= 20,
          });
        } catch {
          return later(failures);
        }
        if (answer.ok) {
          const receipt = await answer.json();
          for (const refusal of receipt.rejected) {
            console.warn(`Noroshi: ${refusal.field} ${refusal.message}`);
          }
          const answered = [...receipt.acknowledged, ...receipt.rejected.map(({ id }) => id)];
          await this.#remove(answered, sent);
          // A receipt that names none of the records would be sent for ever.
          if (!answered.length) return later(failures);
          failures = 0;
        } else if (answer.status === 401 || answer.status === 403) {
          const { authentication } = await answer.json().catch(() => ({}));
          if (authentication && user) {
            // The next round tells the page, or finds that another token has come meanwhile.
            await this.change((current) => {
              current.refused = { ...authentication, user, signature: signature ?? null };
            });
            this.#told = undefined;
            continue;
          }
          console.warn("Noroshi: the server does not accept the SDK key; nothing is sent");
          this.#isRefused = true;
          return Infinity;
        } else if ([400, 413, 422].includes(answer.status)) {
          if (sent.length > 1) {
            size = Math.ceil(sent.length / 2);
          } else {
            console.warn("Noroshi: the server refuses a record; it is given up");
            await this.#remove([sent[0].id], sent);
            size = BATCH;
          }
        } else {
          return retryAfter(answer) ?? later(failures);
        }
      }
    }
  }

  const isSameUser = (left, right) =>
    left.external_id === right.external_id && left.anonymous_id === right.anonymous_id;

  const keepSignature = (installation, user, signature) => {
    const others = Object.entries(installation.signatures ?? {}).filter(([name]) => name !== user);
    // Tokens live for hours; those of users who left long ago are worthless.
    installation.signatures = Object.fromEntries(
      [...others.slice(1 - SIGNATURE_LIMIT), [user, signature]]);
  };

  /** 1 to 2 s, then twice as long each time, up to 5 minutes. */
  const later = (failures) =>
    Math.min(LONGEST_WAIT, FIRST_WAIT * (1 + Math.random()) * 2 ** Math.min(failures, 10));

  const retryAfter = (answer) => {
    const text = answer.headers.get("retry-after");
    if (!text) return undefined;
    const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
    return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
  };

  const describe = (installation) => ({
    id: installation.device,
    platform: "web",
    model: navigator.userAgentData?.brands?.at(-1)?.brand ?? navigator.userAgent.slice(0, 120),
    os_version: navigator.userAgentData?.platform || undefined,
    sdk_version: VERSION,
    locale: navigator.language?.replace("-", "_"),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });

  /** The record of a subscription, as `PushSubscription.toJSON()` describes it. */
  const tokenRecord = (subscription) => ({
    type: "push_token",
    token: {
      token: subscription.endpoint,
      provider: "webpush",
      authorization: "authorized",
      p256dh: subscription.keys.p256dh,
      auth: subscription.keys.auth,
    },
  });

  globalThis.NoroshiOutbox = {
    open: () => Outbox.open(), keepSignature, tokenRecord, TimeOrderedIDs,
  };
})();
