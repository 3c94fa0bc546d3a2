/**
 * Sign-in by a link that is sent to the person's mailbox: one action sends it, the other is where it leads.
 *
 * @since 0.1.0
 */
export { beginNewAccount, followLink } from "./FollowLink.ts"
export { sendLink, sendLinkTo } from "./SendLink.ts"
