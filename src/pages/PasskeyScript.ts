/**
 * The script of forms for keys (Web Authentication): asks the site for options, has the browser hold the ceremony, and posts
 * its answer with the form.
 *
 * It is a constant of this package, so the policy of a page names it by its hash and nothing else runs there. Forms that
 * it serves carry `data-passkey`, the address of the options; until it has run they are hidden, and a text stands there.
 */

// Kept without the character that could end a script element, and without comments: it is sent as it stands here.
const source = String.raw`
"use strict";
(() => {
  const can = window.PublicKeyCredential;
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
  const text = (buffer) => {
    let out = "";
    for (const one of new Uint8Array(buffer)) out += String.fromCharCode(one);
    return btoa(out).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };
  const named = (list) => (list || []).map((one) => ({ ...one, id: bytes(one.id) }));
  const parse = (action, options) => {
    if (action === "register") {
      if (can.parseCreationOptionsFromJSON) return can.parseCreationOptionsFromJSON(options);
      return {
        ...options,
        challenge: bytes(options.challenge),
        user: { ...options.user, id: bytes(options.user.id) },
        excludeCredentials: named(options.excludeCredentials)
      };
    }
    if (can.parseRequestOptionsFromJSON) return can.parseRequestOptionsFromJSON(options);
    return { ...options, challenge: bytes(options.challenge), allowCredentials: named(options.allowCredentials) };
  };
  const write = (key) => {
    if (key.toJSON) return key.toJSON();
    const { response } = key;
    const made = { id: key.id, rawId: text(key.rawId), type: key.type, response: {}, clientExtensionResults: {} };
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (response[name]) made.response[name] = text(response[name]);
    }
    if (response.getTransports) made.response.transports = response.getTransports();
    return made;
  };
  const reasons = {
    NotAllowedError: "Nothing was confirmed, or it took too long. Please try again.",
    InvalidStateError: "This device already has a passkey for this account. Sign in with that one.",
    SecurityError: "Passkeys do not work at this address of the site.",
    NotSupportedError: "This device cannot make a passkey for this site.",
    NetworkError: "The site did not answer. Check your connection and try again.",
    Refused: "That did not work with these details. Check them and try again."
  };
  const failure = (name) => Object.assign(new Error(name), { name });
  let open;
  const start = (form) => {
    const say = form.querySelector("[data-say]");
    const buttons = form.querySelectorAll("button");
    const tell = (message) => {
      say.textContent = message;
      say.hidden = message === "";
    };
    const ask = async (action) => {
      const url = new URL(form.dataset.passkey, location.href);
      url.searchParams.set("action", action);
      if (action === "register" || "names" in form.dataset) {
        for (const field of form.querySelectorAll("input[data-form-field]")) {
          if (field.value !== "") url.searchParams.append(field.name, field.value);
        }
      }
      const answer = await fetch(url, { cache: "no-store", redirect: "error" }).catch(() => {
        throw failure("NetworkError");
      });
      if (!answer.ok) throw failure("Refused");
      return (await answer.json()).options;
    };
    const hold = async (action, mediation) => {
      if (open) open.abort();
      const own = (open = new AbortController());
      const options = await ask(action);
      if (own.signal.aborted) return;
      const publicKey = parse(action, options);
      const request = { publicKey, signal: own.signal };
      if (mediation) request.mediation = mediation;
      const key = await (action === "register" ? navigator.credentials.create(request) : navigator.credentials.get(request));
      if (own.signal.aborted) return;
      for (const [name, value] of [["action", action], ["data", JSON.stringify(write(key))]]) {
        const field = form.querySelector("input[type=hidden][name=" + name + "]") || document.createElement("input");
        field.type = "hidden";
        field.name = name;
        field.value = value;
        form.append(field);
      }
      HTMLFormElement.prototype.submit.call(form);
    };
    const offer = async () => {
      if (!("conditional" in form.dataset) || !can.isConditionalMediationAvailable) return;
      if (!(await can.isConditionalMediationAvailable())) return;
      const again = setTimeout(offer, 240000);
      try {
        await hold("authenticate", "conditional");
      } catch (error) {
        if (error.name !== "AbortError") clearTimeout(again);
      }
    };
    form.noValidate = true;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const action = (event.submitter || buttons[0]).dataset.ask;
      if (action === "register" && !form.reportValidity()) return;
      tell("");
      for (const one of buttons) one.disabled = true;
      try {
        await hold(action);
      } catch (error) {
        tell(reasons[error.name] || "Your passkey could not be used. Please try again, or choose another way.");
        for (const one of buttons) one.disabled = false;
        if (action === "authenticate" && error.name !== "SecurityError") offer();
      }
    });
    form.hidden = false;
    form.previousElementSibling.hidden = true;
    offer();
  };
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    if (can && window.isSecureContext) start(form);
    else form.previousElementSibling.textContent = "This browser cannot use passkeys here. Please choose another way.";
  }
})()
`

/** The script, without the white space that only its source needs. */
export const passkeyScript: string = source.replace(/\s*\n\s*/g, "\n").trim()
