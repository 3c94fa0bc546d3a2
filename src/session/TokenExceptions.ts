/**
 * What `getToken` needs for retired secrets, for several session cookies at once, and for its warning. Loaded together, when one of
 * them is first needed: most processes meet none.
 *
 * @since 0.1.0
 */
export { inForce, retiredSecretsProblem } from "../crypto/RetiredSecrets.ts"
export { warn } from "../http/UnopenedWarning.ts"
export { choose, openSession } from "./SeveralSessions.ts"
