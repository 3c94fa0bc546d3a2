/**
 * Explains why a session cookie does not open, as far as an operator can do something about it.
 *
 * @since 0.1.0
 */
/** What an operator can look at: the clocks of the servers, their versions, or the secret and the name of the cookie. */
export type UnopenedCause = "clocks" | "key" | "version"

/** The likely cause of the refusal `reason` of the codec, or of one of an own decode. A session that has expired or was revoked has ended as it should: there is nothing to look at. */
export const unopenedCause = (reason: string | undefined): UnopenedCause | undefined => {
  if (reason === "expired" || reason === "revoked") return undefined
  if (reason === "version_unknown") return "version"
  return reason === "issued_in_future" || reason === "not_yet_valid" ? "clocks" : "key"
}

/** The code of the warning. */
export const unopenedCode = "session-cookie-unopened"
