/**
 * What the log says of a session cookie that does not open.
 *
 * @since 0.1.0
 */
import type { UnopenedCause } from "./UnopenedCookie.ts"

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
