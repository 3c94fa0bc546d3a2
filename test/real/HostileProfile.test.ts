/**
 * Faults of a provider's statement about a person: the userinfo answer (OpenID Connect Core section 5.3) and the
 * claims that become a user.
 */
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, it } from "vitest"
import type { Answer, ForgingProvider } from "./ForgingProvider.ts"
import { json, reply, startForgingProvider } from "./ForgingProvider.ts"
import type { Fault, Outcome } from "./hostile/Fault.ts"
import { bombSize, either, refused, signedIn, without } from "./hostile/Fault.ts"
import { plainOAuth, withoutOpenId } from "./hostile/PlainOAuth.ts"
import { playFault } from "./hostile/Visit.ts"

type Shape = Readonly<Record<string, unknown>>
type Check = NonNullable<Fault["check"]>

const badProfile = refused("profile_invalid", "invalid_response", "provider_error")

const noDetour: Check = ({ count }) => {
  if (count.elsewhere !== 0) throw new Error("a redirect of the userinfo endpoint was followed")
}

/** An OpenID Connect provider whose profile comes from userinfo. */
const userinfo = (title: string, change: (honest: Shape) => Answer, outcome: Outcome = badProfile): Fault => ({
  title,
  dials: () => ({ userinfo: change }),
  provider: () => ({ idToken: false }),
  outcome,
  check: noDetour
})

/** A provider without OpenID: neither `iss` nor an ID token. */
const oauth = (title: string, change: (honest: Shape) => Answer, outcome: Outcome = badProfile): Fault => ({
  title,
  dials: () => ({ ...withoutOpenId, userinfo: change }),
  provider: plainOAuth,
  outcome,
  check: noDetour
})

const asJson = { "content-type": "application/json" }

const statuses = [401, 403, 500].map((status) => ({
  status,
  outcome: refused("provider_error", "provider_unavailable", "profile_invalid", "invalid_response")
}))

const unusable: ReadonlyArray<readonly [string, Answer]> = [
  ["H136 an empty object", json({})],
  ["H136 an array", json([])],
  ["H136 null", json(null)],
  ["H136 a string", json("person")],
  ["H136 an empty body", reply({ headers: asJson, body: "" })],
  ["H136 truncated JSON", reply({ headers: asJson, body: '{"sub":"per' })],
  ["P077 a page", reply({ headers: { "content-type": "text/html" }, body: "<h1>person</h1>" })],
  ["P077 204", reply({ status: 204 })],
  [
    "H129 a small body that unpacks to sixty-four megabytes",
    reply({ headers: { ...asJson, "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(bombSize, " ")) })
  ],
  ["P093 five megabytes", reply({ headers: asJson, body: `{"pad":"${"x".repeat(5 * 1024 * 1024)}"}` })],
  ["H130 a connection that breaks", reply("reset")]
]

const unusableOutcome = refused("profile_invalid", "invalid_response", "provider_error", "provider_unavailable")

const elsewhereFault = (title: string, kind: typeof userinfo | typeof oauth): Fault => {
  const fault = kind(
    title,
    () => reply({}),
    refused("provider_error", "invalid_response", "provider_unavailable", "profile_invalid")
  )
  return {
    ...fault,
    dials: (issuer) => ({
      ...fault.dials(issuer),
      userinfo: () => reply({ status: 302, headers: { location: issuer.elsewhere } })
    })
  }
}

/** Claims of the ID token that are not what a profile may contain. */
const claim = (title: string, change: Shape, outcome: Outcome, check?: Check): Fault => ({
  title,
  dials: () => ({ claims: (honest) => ({ ...honest, ...change }) }),
  outcome,
  ...(check === undefined ? {} : { check })
})

const user = (session: Shape | undefined): Shape => {
  const found = session?.["user"]
  return typeof found === "object" && found !== null ? { ...found } : {}
}

/** Answers that come at once. */
const profileFaults: ReadonlyArray<Fault> = [
  userinfo("P259 userinfo is honest", json, signedIn),
  oauth("P259 userinfo of an OAuth provider is honest", json, signedIn),
  userinfo("P074, P261, H122 sub is another than in the ID token", (honest) =>
    json({ ...honest, sub: "somebody-else" })
  ),
  userinfo("P075 sub is missing", (honest) => json(without(honest, "sub"))),
  userinfo("P075 sub is a number", (honest) => json({ ...honest, sub: 7 })),
  userinfo("P077 a signed answer that nobody asked for", (honest) =>
    reply({
      headers: { "content-type": "application/jwt" },
      body: `e30.${Buffer.from(JSON.stringify(honest)).toString("base64url")}.`
    })
  ),
  userinfo("P077 JSON under the name of text", (honest) =>
    reply({ headers: { "content-type": "text/plain" }, body: JSON.stringify(honest) })
  ),
  ...statuses.flatMap(({ status, outcome }) => {
    const answer = (honest: Shape): Answer =>
      reply({ status, headers: asJson, body: JSON.stringify({ ...honest, error: "no" }) })
    return [
      userinfo(`P076, H135 OpenID userinfo ${status} with a profile`, answer, outcome),
      oauth(`P076, H135 OAuth userinfo ${status} with a profile`, answer, outcome)
    ]
  }),
  ...unusable.flatMap(([title, answer]) => [
    userinfo(`${title} from OpenID userinfo`, () => answer, unusableOutcome),
    oauth(`${title} from OAuth userinfo`, () => answer, unusableOutcome)
  ]),
  elsewhereFault("H140 OpenID userinfo redirects", userinfo),
  elsewhereFault("H140 OAuth userinfo redirects", oauth),
  oauth("H137 id is a safe integer", (honest) => json({ ...without(honest, "sub"), id: 4711 }), signedIn),
  ...(
    [
      ["an array", ["1"]],
      ["an object", { id: 1 }],
      ["empty", ""],
      ["null", null],
      ["true", true],
      ["a fraction", 1.5],
      ["beyond safe integers", 2 ** 60]
    ] as const
  ).map(([what, id]) => oauth(`H137 id is ${what}`, (honest) => json({ ...without(honest, "sub"), id }))),
  claim("P086 name is an array", { name: ["Ada"] }, either("profile_invalid", "invalid_token")),
  claim("P086 email is an object", { email: { address: "a@b.example" } }, either("profile_invalid", "invalid_token")),
  claim(
    "P086 email is an array of two",
    { email: ["a@b.example", "c@d.example"] },
    either("profile_invalid", "invalid_token")
  ),
  claim("P087 picture is a script", { picture: "javascript:alert(1)" }, signedIn, (_, session) => {
    if (user(session)["image"] !== undefined && user(session)["image"] !== null)
      throw new Error("a script became a picture")
  }),
  claim("P087 picture is data", { picture: "data:text/html,hello" }, signedIn, (_, session) => {
    if (user(session)["image"] !== undefined && user(session)["image"] !== null)
      throw new Error("data became a picture")
  }),
  claim(
    "P088 name has control characters",
    { name: "A\u0000d\u001b[31ma\r\nSet-Cookie: x=1" },
    signedIn,
    (_, session) => {
      if (/\p{Cc}/u.test(String(user(session)["name"]))) throw new Error("control characters reached the session")
    }
  ),
  claim("P088 name has twenty thousand characters", { name: "x".repeat(20_000) }, signedIn, (_, session) => {
    const { name } = user(session)
    if (typeof name === "string" && name.length > 4096) throw new Error("an endless name reached the session")
  }),
  claim("P277 claims live at another server", { _claim_names: { name: "far" } }, signedIn, noDetour)
]

let server: ForgingProvider

beforeAll(async () => {
  server = await startForgingProvider()
})

afterAll(() => server.close())

for (const [index, fault] of profileFaults.entries()) {
  it(`${fault.title}`, () => playFault(server, `fault-${index}`, fault))
}
