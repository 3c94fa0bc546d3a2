/**
 * Sends visitors without a session to the sign-in page before a page is rendered. The entry `effect-doorman/jwt` holds
 * the codec of tokens and nothing else.
 */
import { getToken } from "effect-doorman/jwt"
import { type NextRequest, NextResponse } from "next/server"

const site = new URL(process.env["AUTH_URL"] ?? "http://localhost:3000/auth")
const secret = process.env["AUTH_SECRET"]
if (secret === undefined) throw new Error("AUTH_SECRET is not set.")

export const proxy = async (request: NextRequest): Promise<NextResponse> => {
  const claims = await getToken({ req: request, secret, secureCookie: site.protocol === "https:" })
  if (claims !== null) return NextResponse.next()
  const back = encodeURIComponent(request.nextUrl.pathname + request.nextUrl.search)
  return NextResponse.redirect(`${site.origin}/auth/signin?callbackUrl=${back}`)
}

export const config = { matcher: "/private/:path*" }
