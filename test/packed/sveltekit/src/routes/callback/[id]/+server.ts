import { redirect, type RequestHandler } from "@sveltejs/kit"

/** Where the client of passkeys posts, which leaves `/auth` out. */
export const POST: RequestHandler = ({ url }) => redirect(307, `/auth${url.pathname}${url.search}`)
