/**
 * Visits from the whole range, with storage: two providers, a mailbox and a password, people who are there or new, sessions in
 * the database or in tokens, any state of the cookies, and requests that nobody should send. The same number is always the
 * same visit.
 */
import type { Person } from "./FakeProvider.ts"
import type { CookieState } from "./GivenCookies.ts"
import type { Config } from "./Implementation.ts"
import { type Kit, otherSecret, type PlannedStep, type Scenario, secret } from "./Scenario.ts"
import type { Seed } from "./Store.ts"
import { type Draw, drawing, errand, rooted } from "./WideGenerator.ts"
import { ask, email, follow } from "./corpus/EmailLinks.ts"
import { csrfs, heads, sessions, targets } from "./corpus/Matrix.ts"
import { account, ada, adasToken, as, everybody, grace, holding, session, signInAs, stored } from "./corpus/People.ts"
import { after, bare, comeBack, get, oauth, oidc, password, post, scenario } from "./corpus/Table.ts"

const day = 24 * 60 * 60

const addresses: ReadonlyArray<string> = ["ada@example.com", "grace@example.com", "alan@example.com", "ida@example.com"]

/** Requests for a mailed link. */
const typed: ReadonlyArray<string> = [
  ...addresses,
  " Alan@Example.COM ",
  "alan",
  "",
  "alan@example.com,eve@evil.example",
  '"alan"@example.com',
  "alan＠example.com"
]

const heldTokens: ReadonlyArray<string | undefined> = [undefined, undefined, adasToken, "a-token-that-nobody-has", "x"]

const person = ({ below, maybe }: Draw): Person => {
  const number = below(4)
  const address = addresses[number] ?? "alan@example.com"
  return {
    sub: `person-${number}${maybe(0.3) ? "-again" : ""}`,
    name: `Person ${number}`,
    ...(maybe(0.8) ? { email: address } : {})
  }
}

const links: ReadonlyArray<(link: URL) => void> = [
  (link) => link.searchParams.set("token", "f".repeat(64)),
  (link) => link.searchParams.set("email", "grace@example.com"),
  (link) => link.searchParams.set("callbackUrl", "https://evil.example/"),
  (link) => link.searchParams.set("utm_source", "mail")
]

/** Requests for keys where there are none, or none that may be asked for. */
const keys: ReadonlyArray<string> = ["acme", "email", "unknown", "password"]

/** Steps of a visitor at a site with storage. */
const stay = (draw: Draw, mail: boolean): ReadonlyArray<PlannedStep> => {
  const { below, maybe, one } = draw
  const provider = one(["acme", "other"], "acme")
  const form = maybe(0.3) ? { callbackUrl: one(["/in", "/a/b?c=d", "https://evil.example/"], "/in") } : {}
  const head = maybe(0.15) ? (one(heads, heads[0] ?? ["", {}])[1] ?? {}) : {}
  switch (below(12)) {
    case 0:
    case 1:
    case 2:
      return signInAs(person(draw), provider, form)
    case 3:
      return [get("/auth/session", { headers: head })]
    case 4:
      return [
        get("/auth/csrf"),
        bare("/auth/session", { json: { data: one([{ name: "x" }, { sub: "root" }, 5, null], null) }, csrf: "held" })
      ]
    case 5:
      return [get("/auth/csrf"), post("/auth/signout", form, { headers: head }), get("/auth/session")]
    case 6:
      return [after(one([60, day / 2, day, 2 * day, 70 * day], 60), get("/auth/session"))]
    case 7:
      return mail
        ? [
            ...ask(one(typed, "ada@example.com"), form),
            ...(maybe(0.8) ? [follow(maybe(0.7) ? undefined : one(links, () => undefined))] : [])
          ]
        : [get("/auth/csrf"), post(`/auth/signin/${provider}`), as(person(draw), comeBack()), get("/auth/session")]
    case 8:
      return mail ? [...ask(one(addresses, "ada@example.com")), follow(), get("/auth/session")] : []
    case 9:
      return [get(`/auth/webauthn-options/${one(keys, "acme")}?action=authenticate`, { headers: head })]
    case 10:
      return [
        get("/auth/csrf"),
        post("/auth/callback/password", { username: "ada", password: maybe(0.3) ? "secret" : "no", ...form })
      ]
    default:
      return errand(draw)
  }
}

const traits: ReadonlyArray<readonly [string, Config]> = [
  ["", {}],
  ["pages", { pages: { signIn: "/login", signOut: "/leave", error: "/oops", verifyRequest: "/look" } }],
  ["a page for new people", { pages: { newUser: "/welcome" } }],
  ["sessions of one hour", { session: { maxAge: 3600 } }],
  ["sessions that are soon renewed", { session: { updateAge: 60 } }],
  ["sessions that are always renewed", { session: { updateAge: 0 } }],
  ["two secrets", {}],
  ["secure cookies", { useSecureCookies: true }]
]

/** The visit of a number, with a mailbox or without one. */
export const generateWideStored = (seed: number, { mail }: { readonly mail: boolean }): Scenario => {
  const draw = drawing(seed)
  const { below, maybe, one } = draw
  const strategy = maybe(0.6) ? "database" : "jwt"
  const openid = maybe(0.3)
  const trusted = maybe(0.2)
  const known = strategy === "database" ? traits : traits.filter(([name]) => !name.startsWith("sessions that"))
  const [name, option] = one(known, ["", {}] as const)
  const basePath = maybe(0.15) ? "/api/auth" : "/auth"
  const origin = one(["http://localhost:3000", "http://localhost:3000", "https://app.example"], "http://localhost:3000")
  const token = one(heldTokens, undefined)
  const secure = origin.startsWith("https:") || option["useSecureCookies"] === true
  const cookie = `${secure ? "__Secure-" : ""}authjs.session-token`
  const given: Array<CookieState> = []
  if (maybe(0.3)) given.push(one(csrfs, "csrf"))
  if (maybe(0.2)) given.push(one(targets, "callback-url"))
  if (strategy === "jwt" && maybe(0.4))
    given.push(
      one(
        sessions.filter((name) => name !== "session-a256gcm"),
        "session"
      )
    )
  const steps: Array<PlannedStep> = []
  const count = 1 + below(5)
  for (let at = 0; at < count; at++) steps.push(...stay(draw, mail))
  const rows: Seed = maybe(0.2)
    ? {}
    : everybody({
        ...(maybe(0.5) ? { accounts: [account("user-1", "person-0"), account("user-2", "person-1", "other")] } : {}),
        sessions: [session("user-1", adasToken, one([30, 20, 2], 30) * day * 1000 + 30_000)],
        users: [ada, grace]
      })
  return scenario(
    "wide-storage",
    `${mail ? "with mail " : ""}number ${seed}`,
    steps.map((step) => rooted(step, basePath)),
    {
      openid,
      origin,
      given,
      seed: rows,
      traits: name === "" ? [strategy] : [strategy, name],
      ...(strategy === "database" && token !== undefined ? { held: holding(token, cookie) } : {}),
      config: (kit: Kit): Config => {
        const make = openid ? oidc : oauth
        // A secret of its own for each visit: what is counted for a mailbox in one is not met in another.
        const own = `${secret} ${mail ? "wide mail" : "wide"} ${seed}`
        return stored(kit, {
          // One choice would change everything that a random visit does afterwards.
          unprovenAddress: "keep",
          secret: name === "two secrets" ? [`${otherSecret} ${seed}`, own] : own,
          providers: [
            make(kit, { allowDangerousEmailAccountLinking: trusted }),
            make(kit, { id: "other", name: "Other" }),
            password(kit),
            ...(mail ? [email(kit)] : [])
          ],
          ...option,
          basePath,
          session: { ...(option["session"] as object | undefined), strategy }
        })
      }
    }
  )
}
