import { auth } from "@/auth"

/** Lets nobody pass who is not signed in: `callbacks.authorized` says so. */
export default auth

// Where server actions change a session the proxy stays away: it would renew the session as it was before.
export const config = { matcher: ["/private/:path*"] }
