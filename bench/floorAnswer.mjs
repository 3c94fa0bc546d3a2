/**
 * The web half of the floor: the Response an action cannot do without, with the headers every answer carries and the
 * cookies and the body of this one. The other half, a Request with the same inputs, each floor builds for itself.
 */
const everyAnswer = {
  "content-type": "application/json",
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
  vary: "Cookie",
  "x-content-type-options": "nosniff"
}

const attributes = "; Path=/; HttpOnly; Secure; SameSite=Lax"

/** A Response with a body, cookies by name and value, and a location when it redirects. */
export const answer = (body, cookies = {}, location) => {
  const headers = new Headers(everyAnswer)
  for (const name in cookies) headers.append("set-cookie", `${name}=${cookies[name]}${attributes}`)
  if (location === undefined) return new Response(body, { headers })
  headers.set("location", location)
  return new Response(null, { status: 302, headers })
}
