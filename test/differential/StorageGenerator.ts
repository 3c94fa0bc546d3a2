/**
 * Visits with storage that nobody thought of: a few people, two providers, a mailbox and a password, in any order, with time
 * passing, sessions that are swapped and callbacks that nobody asked for. The same number is always the same visit.
 */
import { random } from "./Generator.ts"
import type { Person } from "./FakeProvider.ts"
import type { Config } from "./Implementation.ts"
import { type Kit, type PlannedStep, type Scenario, secret } from "./Scenario.ts"
import { ask, email, follow } from "./corpus/EmailLinks.ts"
import { account, ada, adasToken, as, everybody, grace, holding, session, signInAs, stored } from "./corpus/People.ts"
import { after, bare, comeBack, computed, get, oauth, oidc, password, post, scenario } from "./corpus/Table.ts"

const day = 24 * 60 * 60

const addresses: ReadonlyArray<string> = ["ada@example.com", "grace@example.com", "alan@example.com", "ida@example.com"]

/** Hostile and broken callbacks, as paths. */
const callbacks: ReadonlyArray<string> = [
  "/auth/callback/acme",
  "/auth/callback/acme?code=x",
  "/auth/callback/acme?code=x&state=y",
  "/auth/callback/acme?error=access_denied",
  "/auth/callback/other?code=code-1",
  "/auth/callback/nobody?code=x"
]

/** Changes of the session cookie on the way; not a former session, which one side has ended and the other has not. */
const sessions: ReadonlyArray<string | undefined> = [undefined, "a-token-that-nobody-has"]

/** Steps of a generated visit: with a mailbox or without one. */
export interface Kind {
  readonly mail: boolean
}

/** The visit of a number. */
export const generateStored = (seed: number, { mail }: Kind): Scenario => {
  const next = random(seed)
  const one = <A>(list: ReadonlyArray<A>, fallback: A): A => list[Math.floor(next() * list.length)] ?? fallback
  const maybe = (chance: number): boolean => next() < chance
  const strategy = maybe(0.6) ? "database" : "jwt"
  const openid = maybe(0.3)
  const trusted = maybe(0.3)
  const person = (): Person => {
    const number = Math.floor(next() * 4)
    const address = addresses[number] ?? "alan@example.com"
    return {
      sub: `person-${number}${maybe(0.3) ? "-again" : ""}`,
      name: `Person ${number}`,
      ...(maybe(0.8) ? { email: address } : {})
    }
  }
  const target = (): Readonly<Record<string, string>> =>
    maybe(0.3) ? { callbackUrl: one(["/in", "/a/b?c=d"], "/in") } : {}
  const steps: Array<PlannedStep> = []
  const count = 2 + Math.floor(next() * 5)
  for (let step = 0; step < count; step++) {
    const kind = Math.floor(next() * 10)
    const provider = one(["acme", "other"], "acme")
    if (kind < 3) steps.push(...signInAs(person(), provider, target()))
    else if (kind === 3) steps.push(get("/auth/session"))
    else if (kind === 4)
      steps.push(get("/auth/csrf"), bare("/auth/session", { json: { data: { name: "x" } }, csrf: "held" }))
    else if (kind === 5)
      steps.push(get("/auth/csrf"), post("/auth/signout", { callbackUrl: "/bye" }), get("/auth/session"))
    else if (kind === 6) steps.push(after(one([60, day / 2, day, 2 * day, 70 * day], 60), get("/auth/session")))
    else if (kind === 7) steps.push(get(one(callbacks, "/auth/callback/acme")))
    else if (kind === 8 && mail) {
      steps.push(...ask(one(addresses, "ada@example.com"), target()))
      if (maybe(0.8)) steps.push(follow())
      if (maybe(0.2)) steps.push(follow((link) => link.searchParams.set("token", "f".repeat(64))))
    } else if (kind === 8) {
      // Somebody comes back after the answer of the provider was used, or as somebody else.
      steps.push(get("/auth/csrf"), post(`/auth/signin/${provider}`), as(person(), comeBack()), get("/auth/session"))
    } else if (strategy === "database") {
      const token = one(sessions, undefined)
      steps.push(
        computed((past) => {
          if (token === undefined) past.cookies.delete("authjs.session-token")
          else past.cookies.set("authjs.session-token", token)
          return { path: "/auth/session" }
        })
      )
    } else {
      steps.push(
        get("/auth/csrf"),
        post("/auth/callback/password", { username: "ada", password: one(["secret", "no"], "no") })
      )
    }
  }
  const rows = maybe(0.5)
  return scenario("generated-storage", `${mail ? "with mail " : ""}number ${seed}`, steps, {
    openid,
    seed: maybe(0.2)
      ? {}
      : everybody({
          ...(rows ? { accounts: [account("user-1", "person-0"), account("user-2", "person-1", "other")] } : {}),
          ...(maybe(0.2) ? { sessions: [session("user-1", adasToken, 2 * day * 1000 + 30_000)] } : {}),
          users: [ada, grace]
        }),
    ...(strategy === "database" && maybe(0.3) ? { held: holding(adasToken) } : {}),
    ...(strategy === "jwt" && maybe(0.3) ? { given: ["session"] as const } : {}),
    config: (kit: Kit): Config => {
      const make = openid ? oidc : oauth
      return stored(kit, {
        // One choice would change everything that a random visit does afterwards.
        unprovenAddress: "keep",
        secret: `${secret} ${mail ? "mail" : ""} ${seed}`,
        providers: [
          make(kit, { allowDangerousEmailAccountLinking: trusted }),
          make(kit, { id: "other", name: "Other" }),
          password(kit),
          ...(mail ? [email(kit)] : [])
        ],
        session: { strategy }
      })
    }
  })
}
