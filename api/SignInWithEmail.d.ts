export { followLink } from "./actions/FollowLink.ts";
export { sendLink } from "./actions/SendLink.ts";
