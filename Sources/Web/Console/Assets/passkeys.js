// Passkeys are made and used by the browser; the server gets what it says in a form.
const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

async function challenge(form) {
  const fields = new URLSearchParams(new FormData(form));
  const response = await fetch(form.dataset.challenge, { method: "POST", body: fields });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.fault ?? "");
  return answer;
}

async function make(form) {
  const asked = await challenge(form);
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: bytes(asked.challenge),
      rp: { id: asked.server, name: "Noroshi" },
      user: { id: bytes(asked.user), name: asked.name, displayName: asked.displayName },
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: asked.known.map((id) => ({ type: "public-key", id: bytes(id) })),
      attestation: "none",
    },
  });
  return {
    clientData: text(made.response.clientDataJSON),
    attestation: text(made.response.attestationObject),
  };
}

async function use(form) {
  const asked = await challenge(form);
  const used = await navigator.credentials.get({
    publicKey: {
      challenge: bytes(asked.challenge),
      rpId: asked.server,
      userVerification: "required",
    },
  });
  return {
    id: text(used.rawId),
    clientData: text(used.response.clientDataJSON),
    authenticatorData: text(used.response.authenticatorData),
    signature: text(used.response.signature),
    userHandle: used.response.userHandle ? text(used.response.userHandle) : undefined,
  };
}

export function startPasskeys() {
  if (!window.PublicKeyCredential) return;
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const fault = form.querySelector("[data-passkey-fault]");
      fault.hidden = true;
      try {
        const answer = await (form.dataset.passkey === "make" ? make : use)(form);
        form.elements.credential.value = JSON.stringify(answer);
        form.submit();
      } catch (error) {
        // Whoever says no in the browser's own dialog knows that.
        if (error.name === "NotAllowedError") return;
        fault.textContent = error.message || fault.dataset.passkeyFault;
        fault.hidden = false;
      }
    });
  }
}
