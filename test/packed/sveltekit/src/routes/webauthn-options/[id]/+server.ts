import { redirect, type RequestHandler } from "@sveltejs/kit"

/** Where the client of passkeys looks, which leaves `/auth` out. */
export const GET: RequestHandler = ({ url }) => redirect(307, `/auth${url.pathname}${url.search}`)
