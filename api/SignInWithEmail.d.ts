export { beginNewAccount, followLink } from "./actions/FollowLink.ts";
export { sendLink, sendLinkTo } from "./actions/SendLink.ts";
