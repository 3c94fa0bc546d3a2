/**
 * Sign-in by a link that is sent to the person's mailbox. `SendLink.ts` sends it, and it leads to `FollowLink.ts`. Both are loaded
 * together, when the first link is asked for.
 *
 * @since 0.1.0
 */
export { beginNewAccount, followLink } from "./FollowLink.ts"
export { sendLink, sendLinkTo } from "./SendLink.ts"
