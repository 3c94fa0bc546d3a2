/**
 * Faults of the answer of a token endpoint (RFC 6749 section 5, OpenID Connect Core section 3.1.3.3).
 */
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, it } from "vitest"
import type { Answer, ForgingProvider, Reply } from "./ForgingProvider.ts"
import { json, reply, startForgingProvider } from "./ForgingProvider.ts"
import type { Fault, Outcome } from "./hostile/Fault.ts"
import { bombSize, either, refused, signedIn, without } from "./hostile/Fault.ts"
import { playFault } from "./hostile/Visit.ts"

type Shape = Readonly<Record<string, unknown>>

const answers = (title: string, change: (honest: Shape) => Answer, outcome: Outcome): Fault => ({
  title,
  dials: () => ({ token: change }),
  outcome,
  check: ({ count }) => {
    // A code is spent with its first use, so asking again can only harm (RFC 6749 section 4.1.2).
    if (count.token !== 1) throw new Error(`the code was sent ${count.token} times`)
    if (count.elsewhere !== 0) throw new Error("a redirect of the token endpoint was followed")
  }
})

const replies = (title: string, value: Reply, outcome: Outcome): Fault => answers(title, () => reply(value), outcome)

const member = (title: string, change: Shape, outcome: Outcome): Fault =>
  answers(title, (honest) => json({ ...honest, ...change }), outcome)

const malformed = refused("invalid_response", "provider_error")
const down = refused("provider_unavailable", "provider_error")
const asJson = { "content-type": "application/json" }

const tokenFaults: ReadonlyArray<Fault> = [
  replies(
    "H123 500 with a page",
    { status: 500, headers: { "content-type": "text/html" }, body: "<h1>oops</h1>" },
    down
  ),
  replies("H123 500 with JSON", { status: 500, headers: asJson, body: '{"message":"oops"}' }, down),
  replies("H123 503 without a body", { status: 503 }, down),
  replies("H123 200 with a page", { headers: { "content-type": "text/html" }, body: "<h1>hello</h1>" }, malformed),
  replies("H123 truncated JSON", { headers: asJson, body: '{"access_token":"x","token_' }, malformed),
  replies("H123 null", { headers: asJson, body: "null" }, malformed),
  replies("H123 an array", { headers: asJson, body: "[]" }, malformed),
  replies("H123 a string", { headers: asJson, body: '"token"' }, malformed),
  replies("H123 204", { status: 204 }, malformed),
  replies("H123 an empty body", { headers: asJson, body: "" }, malformed),
  {
    ...replies("H123 a redirect", {}, refused("invalid_response", "provider_error", "provider_unavailable")),
    dials: ({ elsewhere }) => ({ token: () => reply({ status: 302, headers: { location: elsewhere } }) })
  },
  {
    ...replies(
      "H123 a redirect that keeps the method",
      {},
      refused("invalid_response", "provider_error", "provider_unavailable")
    ),
    dials: ({ elsewhere }) => ({ token: () => reply({ status: 307, headers: { location: elsewhere } }) })
  },
  replies("H123 400 with an error", { status: 400, headers: asJson, body: '{"error":"invalid_grant"}' }, malformed),
  replies(
    "H123 401 with a challenge",
    { status: 401, headers: { ...asJson, "www-authenticate": "Basic" }, body: '{"error":"invalid_client"}' },
    malformed
  ),
  replies(
    "P028, H124 200 with an error",
    { headers: asJson, body: '{"error":"invalid_grant","error_description":"<script>"}' },
    malformed
  ),
  answers("P028, H124 an error beside tokens", (honest) => json({ ...honest, error: "invalid_grant" }), malformed),
  answers("H124 no access token", (honest) => json(without(honest, "access_token")), malformed),
  member("H124 the access token is an object", { access_token: { value: "x" } }, malformed),
  member("H124 the access token is empty", { access_token: "" }, malformed),
  answers(
    "H125 JSON under the name of text",
    (honest) => reply({ headers: { "content-type": "text/plain" }, body: JSON.stringify(honest) }),
    malformed
  ),
  answers("P040 token_type is missing", (honest) => json(without(honest, "token_type")), malformed),
  member("P040 token_type is unknown", { token_type: "mac" }, malformed),
  member("P040 token_type is a number", { token_type: 7 }, malformed),
  member("P040, P286 token_type is in another case", { token_type: "bEaReR" }, signedIn),
  member("H133 expires_in is text", { expires_in: "3600" }, signedIn),
  member("H133 expires_in is zero", { expires_in: 0 }, signedIn),
  answers("H133, P286 expires_in is missing", (honest) => json(without(honest, "expires_in")), signedIn),
  member("H133 expires_in is negative", { expires_in: -1 }, either("invalid_response")),
  member("H133 expires_in is beyond every date", { expires_in: 1e308 }, either("invalid_response")),
  member("H133 expires_in is no number", { expires_in: "soon" }, either("invalid_response")),
  member("H133 expires_in is null", { expires_in: null }, either("invalid_response")),
  answers("H134, P286 scope is missing", (honest) => json(without(honest, "scope")), signedIn),
  member("H134, P021 scope is more than was asked for", { scope: "openid profile email admin" }, signedIn),
  member("H134 scope is an array", { scope: ["openid"] }, either("invalid_response")),
  member("H124 the refresh token is an object", { refresh_token: {} }, either("invalid_response")),
  member("P039 the ID token is an object", { id_token: {} }, refused("invalid_response", "invalid_token")),
  member("P039 the ID token is null", { id_token: null }, refused("invalid_response", "invalid_token")),
  member("P226 the ID token is no token", { id_token: "hello" }, refused("invalid_response", "invalid_token")),
  replies(
    "P093, H128 five megabytes",
    { headers: asJson, body: `{"pad":"${"x".repeat(5 * 1024 * 1024)}"}` },
    refused("invalid_response", "provider_error", "provider_unavailable")
  ),
  replies(
    "H129 a small body that unpacks to sixty-four megabytes",
    { headers: { ...asJson, "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(bombSize, " ")) },
    refused("invalid_response", "provider_error", "provider_unavailable")
  ),
  replies(
    "H130 the connection breaks in the middle",
    "reset",
    refused("provider_unavailable", "invalid_response", "provider_error")
  )
]

let server: ForgingProvider

beforeAll(async () => {
  server = await startForgingProvider()
})

afterAll(() => server.close())

for (const [index, fault] of tokenFaults.entries()) {
  it(`${fault.title}`, () => playFault(server, `fault-${index}`, fault))
}
