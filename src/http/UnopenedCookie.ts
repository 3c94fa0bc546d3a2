/**
 * Explains why a session cookie does not open, as far as an operator can do something about it.
 *
 * @since 0.1.0
 */
/** What an operator can look at: the clocks of the servers, their versions, or the secret and the name of the cookie. */
export type UnopenedCause = "clocks" | "key" | "version"

/** The likely cause of the refusal `reason` of the codec, or of one of an own decode. A session that has expired or was revoked has ended as it should, and a good one of another browser has a line of its own: there is nothing to look at. */
export const unopenedCause = (reason: string | undefined): UnopenedCause | undefined => {
  if (reason === "expired" || reason === "other_session" || reason === "revoked") return undefined
  if (reason === "version_unknown") return "version"
  return reason === "issued_in_future" || reason === "not_yet_valid" ? "clocks" : "key"
}

/** The code of the warning. */
export const unopenedCode = "session-cookie-unopened"

/** What the log says about each cause. */
export const unopenedTexts: {
  readonly [Cause in UnopenedCause]: { readonly message: string; readonly remedy: string }
} = {
  clocks: {
    message: "A session cookie is valid only in the future: the clocks of the servers that write and read it differ.",
    remedy: "Set the clocks of all servers by NTP."
  },
  version: {
    message: "A newer version of the library wrote a session cookie, and this version cannot read it.",
    remedy: "Run one version on all servers. Sessions of the newer one end with the change to this one."
  },
  key: {
    message:
      "A session cookie is present and does not open. Either the secret or jwt.secret changed, or the cookie was written " +
      "under another name (salt), by another application on this host (localhost), or in a format of its own.",
    remedy:
      "Keep earlier secrets in the list behind the new one, or in retiredSecrets. Give getToken the secret, cookieName " +
      "and salt of the application that writes the cookie."
  }
}
