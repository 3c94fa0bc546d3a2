/**
 * Faults of the documents that a provider publishes (OpenID Connect Discovery section 4, RFC 8414, RFC 7517) and
 * of the answer that the browser carries back (RFC 6749 section 4.1.2, RFC 9207).
 */
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, it } from "vitest"
import type { Answer, ForgedIssuer, ForgingProvider, Reply } from "./ForgingProvider.ts"
import { json, makeSigningKey, reply, startForgingProvider } from "./ForgingProvider.ts"
import type { Fault, Outcome } from "./hostile/Fault.ts"
import { bombSize, either, refused, refusedAnywhere, refusedAtStart, signedIn, without } from "./hostile/Fault.ts"
import { playFault } from "./hostile/Visit.ts"

type Shape = Readonly<Record<string, unknown>>

const notStarted = refusedAtStart("provider_unavailable", "provider_error", "invalid_response")
const asJson = { "content-type": "application/json" }

const metadata = (
  title: string,
  change: (honest: Shape, issuer: ForgedIssuer) => Answer,
  outcome: Outcome = notStarted
): Fault => ({
  title,
  dials: (issuer) => ({ metadata: (honest) => change(honest, issuer) }),
  outcome,
  check: ({ count }) => {
    if (count.elsewhere !== 0) throw new Error("a redirect of the metadata was followed")
  }
})

const metadataReply = (title: string, value: Reply): Fault => metadata(title, () => reply(value))

const metadataFaults: ReadonlyArray<Fault> = [
  ...(
    [
      ["another issuer", () => "https://evil.example"],
      ["a trailing slash more", (issuer: string) => `${issuer}/`],
      ["another case", (issuer: string) => issuer.toUpperCase()],
      ["an array", (issuer: string) => [issuer]],
      ["a number", () => 1],
      ["null", () => null]
    ] as const
  ).map(([what, value]) =>
    metadata(`P089, P271 issuer is ${what}`, (honest, { issuer }) => json({ ...honest, issuer: value(issuer) }))
  ),
  metadata("P089 issuer is missing", (honest) => json(without(honest, "issuer"))),
  metadata("P091 authorization_endpoint is missing", (honest) => json(without(honest, "authorization_endpoint"))),
  ...["token_endpoint", "jwks_uri"].map((name) =>
    metadata(
      `P091 ${name} is missing`,
      (honest) => json(without(honest, name)),
      refusedAnywhere("provider_error", "invalid_response")
    )
  ),
  metadata("P091 authorization_endpoint is a script", (honest) =>
    json({ ...honest, authorization_endpoint: "javascript:alert(1)" })
  ),
  metadata("P091 authorization_endpoint is relative", (honest) =>
    json({ ...honest, authorization_endpoint: "/authorize" })
  ),
  metadata("P091 token_endpoint is a file", (honest) => json({ ...honest, token_endpoint: "file:///etc/passwd" })),
  metadata("P091 token_endpoint is a number", (honest) => json({ ...honest, token_endpoint: 7 })),
  ...[301, 302, 307, 308].map((status) =>
    metadata(`P092 the metadata answers ${status}`, (_, { elsewhere }) =>
      reply({ status, headers: { location: elsewhere } })
    )
  ),
  metadataReply("P093 the metadata is 404", { status: 404, headers: asJson, body: "{}" }),
  metadataReply("P093 the metadata is 500", { status: 500, body: "oops" }),
  metadataReply("P093 the metadata is a page", { headers: { "content-type": "text/html" }, body: "<h1>hello</h1>" }),
  metadata("P093 the metadata is JSON under the name of a page", (honest) =>
    reply({ headers: { "content-type": "text/html" }, body: JSON.stringify(honest) })
  ),
  metadataReply("P093 the metadata is no JSON", { headers: asJson, body: "{issuer:" }),
  metadataReply("P093 the metadata is null", { headers: asJson, body: "null" }),
  metadataReply("P093 the metadata is an array", { headers: asJson, body: "[]" }),
  metadata("P093 the metadata has five megabytes", (honest) => json({ ...honest, pad: "x".repeat(5 * 1024 * 1024) })),
  metadataReply("P093, H129 the metadata unpacks to sixty-four megabytes", {
    headers: { ...asJson, "content-encoding": "gzip" },
    body: gzipSync(Buffer.alloc(bombSize, " "))
  }),
  metadataReply("H130 the connection breaks during the metadata", "reset"),
  {
    ...metadata(
      "P003 nothing is said about PKCE",
      (honest) => json(without(honest, "code_challenge_methods_supported")),
      signedIn
    ),
    check: ({ seen: { authorization } }) => {
      if (authorization.get("code_challenge_method") !== "S256") throw new Error("PKCE was not sent")
      if (!authorization.has("state") || !authorization.has("nonce")) throw new Error("state or nonce was not sent")
    }
  },
  {
    ...metadata(
      "P098, P136 only plain PKCE is offered",
      (honest) => json({ ...honest, code_challenge_methods_supported: ["plain"] }),
      signedIn
    ),
    check: ({ seen: { authorization } }) => {
      if (authorization.get("code_challenge_method") === "plain") throw new Error("a plain challenge was sent")
      if (!authorization.has("state") || !authorization.has("nonce")) throw new Error("state or nonce was not sent")
    }
  }
]

const keySet = (
  title: string,
  change: (honest: { readonly keys: ReadonlyArray<Shape> }) => Answer,
  outcome: Outcome = refused("invalid_token", "provider_error", "provider_unavailable", "invalid_response")
): Fault => ({ title, dials: () => ({ jwks: change }), outcome })

const otherKey = makeSigningKey()

const keySetFaults: ReadonlyArray<Fault> = [
  keySet("H141 the key set is 500", () => reply({ status: 500 })),
  keySet("H141 the key set is a page", () =>
    reply({ headers: { "content-type": "text/html" }, body: "<h1>keys</h1>" })
  ),
  keySet("H141 the key set is null", () => json(null)),
  keySet("H141 the key set has no keys", () => json({})),
  keySet("H141 the key set is empty", () => json({ keys: [] })),
  keySet("H141 the key set has one null", () => json({ keys: [null] })),
  keySet("H141 the connection breaks during the key set", () => reply("reset")),
  keySet("P101 the key set has more than a hundred keys", ({ keys }) =>
    json({
      keys: [...keys, ...Array.from({ length: 100 }, (_, index) => ({ ...otherKey.publicJwk, kid: `k${index}` }))]
    })
  ),
  keySet("P101 the key set has more than 512 kilobytes", ({ keys }) => json({ keys, pad: "x".repeat(600 * 1024) })),
  keySet("H129 the key set unpacks to sixty-four megabytes", () =>
    reply({ headers: { ...asJson, "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(bombSize, " ")) })
  ),
  keySet(
    "P056 a key of an unknown type stands beside the good one",
    ({ keys }) => json({ keys: [{ kty: "XYZ", kid: "x" }, ...keys] }),
    signedIn
  ),
  {
    title: "P099, P275 the key changed just before signing",
    dials: () => ({ rotate: "before signing" }),
    outcome: signedIn
  }
]

const response = (
  title: string,
  change: (honest: URLSearchParams, issuer: ForgedIssuer) => URLSearchParams,
  outcome: Outcome
): Fault => ({
  title,
  dials: (issuer) => ({ authorization: (honest) => change(honest, issuer) }),
  outcome,
  check: ({ count }) => {
    if (outcome.end === "refused" && count.token !== 0) throw new Error("a code was sent though the answer was no good")
  }
})

const set =
  (name: string, value: string) =>
  (honest: URLSearchParams): URLSearchParams => {
    honest.set(name, value)
    return honest
  }

const drop =
  (...names: ReadonlyArray<string>) =>
  (honest: URLSearchParams): URLSearchParams => {
    for (const name of names) honest.delete(name)
    return honest
  }

const twice =
  (name: string, value: string) =>
  (honest: URLSearchParams): URLSearchParams => {
    honest.append(name, value)
    return honest
  }

const badIss = refused("flow_mismatch", "invalid_response", "provider_error")
const badState = refused("flow_missing", "flow_mismatch", "invalid_response")
const badCode = refused("invalid_response", "flow_missing", "flow_mismatch", "provider_error")

const silentAboutIss = (fault: Fault): Fault => ({
  ...fault,
  dials: (issuer) => ({
    ...fault.dials(issuer),
    metadata: (honest) => json(without(honest, "authorization_response_iss_parameter_supported"))
  })
})

const responseFaults: ReadonlyArray<Fault> = [
  response("P029 iss is missing though announced", drop("iss"), badIss),
  response("P031 iss has a trailing slash more", (honest, { issuer }) => set("iss", `${issuer}/`)(honest), badIss),
  response("P031 iss has another case", (honest, { issuer }) => set("iss", issuer.toUpperCase())(honest), badIss),
  response(
    "P031 iss is percent-encoded once more",
    (honest, { issuer }) => set("iss", encodeURIComponent(issuer))(honest),
    badIss
  ),
  response("P031 iss is another issuer", set("iss", "https://evil.example"), badIss),
  silentAboutIss(response("P032 iss is right though not announced", (honest) => honest, signedIn)),
  silentAboutIss(response("P032 iss is missing and not announced", drop("iss"), signedIn)),
  silentAboutIss(response("P033 iss is wrong though not announced", set("iss", "https://evil.example"), badIss)),
  response(
    "P034 an error comes from another issuer",
    (honest) => set("error", "access_denied")(set("iss", "https://evil.example")(drop("code")(honest))),
    badIss
  ),
  response("P035 iss comes twice", (honest, { issuer }) => twice("iss", issuer)(honest), badIss),
  {
    ...response(
      "P085 an error comes without state",
      (honest) => set("error", "access_denied")(drop("code", "state")(honest)),
      badState
    ),
    keepsAttempt: true
  },
  { ...response("H097 state is missing", drop("state"), badState), keepsAttempt: true },
  { ...response("H097 state is another", set("state", "another"), badState), keepsAttempt: true },
  { ...response("H097 state comes twice", twice("state", "another"), badState), keepsAttempt: true },
  response(
    "H103 code and error come together",
    set("error", "access_denied"),
    refused("invalid_response", "provider_error", "access_denied", "flow_missing", "flow_mismatch")
  ),
  response("H104 code is empty", set("code", ""), badCode),
  response("H104 code is missing", drop("code"), badCode),
  response("H104 code comes twice", twice("code", "another"), badCode),
  // Node's server refuses a request line beyond 16 kB itself; this one reaches the library.
  response("H105 code has ten thousand characters", set("code", "x".repeat(10_000)), badCode),
  {
    ...response(
      "H106 code has control characters",
      set("code", "a\u0000b\r\nc#ü"),
      either("invalid_response", "provider_error")
    )
  },
  response(
    "H118 the person refuses",
    (honest) => set("error", "access_denied")(drop("code")(honest)),
    refused("access_denied")
  ),
  response(
    "P071 the provider wants a login",
    (honest) => set("error", "login_required")(drop("code")(honest)),
    refused("login_required")
  ),
  response(
    "H107 error is a script",
    (honest) => set("error", "<script>alert(1)</script>")(drop("code")(honest)),
    refused("provider_error", "invalid_response")
  ),
  response(
    "H107 the description has control characters",
    (honest) =>
      set("error_description", "\u001b[31mred\r\nSet-Cookie: x=1")(set("error", "server_error")(drop("code")(honest))),
    refused("provider_error", "invalid_response", "provider_unavailable")
  ),
  response(
    "H107 error is the name of every object",
    (honest) => set("error", "__proto__")(drop("code")(honest)),
    refused("provider_error", "invalid_response")
  ),
  response(
    "P085 an ID token comes in the front",
    (honest) => set("id_token", "e30.e30.")(drop("code")(honest)),
    badCode
  ),
  response(
    "P085 a signed response that nobody asked for",
    (honest) => set("response", "e30.e30.")(drop("code")(honest)),
    badCode
  )
]

const serverFaults: ReadonlyArray<Fault> = [...metadataFaults, ...keySetFaults, ...responseFaults]

let server: ForgingProvider

beforeAll(async () => {
  server = await startForgingProvider()
})

afterAll(() => server.close())

for (const [index, fault] of serverFaults.entries()) {
  it(`${fault.title}`, () => playFault(server, `fault-${index}`, fault))
}
