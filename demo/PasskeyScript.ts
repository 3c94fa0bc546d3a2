/**
 * The one script of the demo's own pages: adds a passkey to the signed-in user. Everything else works without scripts.
 *
 * It asks the library for options, the browser for a key, and sends what came of it as a form. The button appears only
 * where this can work.
 */

/** Text of `/passkey.js`. */
export const passkeyScript = `"use strict";
const form = document.getElementById("add-passkey");
const status = document.getElementById("passkey-status");
if (form !== null) {
  const can = typeof PublicKeyCredential === "function" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
  form.hidden = !can;
  status.textContent = can ? "" : "This browser cannot make passkeys.";
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    status.textContent = "Follow your browser\\u2026";
    try {
      const answer = await fetch("/auth/webauthn-options/passkey?action=register");
      if (!answer.ok) throw new Error("The server answered " + answer.status);
      const { options } = await answer.json();
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
      const credential = await navigator.credentials.create({ publicKey });
      form.elements.namedItem("data").value = JSON.stringify(credential.toJSON());
      form.submit();
    } catch (error) {
      status.textContent = error.name === "InvalidStateError"
        ? "This device has a passkey of yours already."
        : error.name === "NotAllowedError" ? "No passkey was added." : "That did not work: " + error.message;
    }
  });
}
`
