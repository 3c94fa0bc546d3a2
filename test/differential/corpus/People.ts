/** Visitors of the scenarios with storage: people at providers, the rows they have, and the cookies they hold. */
import type { Person } from "../FakeProvider.ts"
import type { Config } from "../Implementation.ts"
import { type Kit, type PlannedStep, start } from "../Scenario.ts"
import type { Row, Seed, Store } from "../Store.ts"
import { comeBack, get, oauth, password, post } from "./Table.ts"

/** A day, in milliseconds. */
export const day = 24 * 60 * 60 * 1000

/** Ada, who has proven her address; Grace, who has not; and Alan, whom nobody knows yet. */
export const ada: Row = {
  id: "user-1",
  name: "Ada",
  email: "ada@example.com",
  emailVerified: new Date(start - day),
  image: null
}
export const grace: Row = { id: "user-2", name: "Grace", email: "grace@example.com", emailVerified: null, image: null }

/** These people at a provider. */
export const adaThere: Person = { sub: "ada-at-acme", name: "Ada Lovelace", email: "ada@example.com" }
export const graceThere: Person = { sub: "grace-at-acme", name: "Grace Hopper", email: "grace@example.com" }
export const alanThere: Person = { sub: "alan-at-acme", name: "Alan Turing", email: "alan@example.com" }

/** An account of a user at a provider. */
export const account = (userId: string, providerAccountId: string, provider = "acme"): Row => ({
  userId,
  provider,
  providerAccountId,
  type: "oauth",
  access_token: "old-access"
})

/** The tokens of the sessions that are there before. */
export const adasToken = "token-of-the-session-of-ada"
export const gracesToken = "token-of-the-session-of-grace"

/** A session of a user, with so much time left. */
export const session = (userId: string, sessionToken: string, left: number = 30 * day): Row => ({
  sessionToken,
  userId,
  expires: new Date(start + left)
})

/** The session cookie. */
export const holding = (token: string, name = "authjs.session-token"): ReadonlyArray<readonly [string, string]> => [
  [name, token]
]

/** Both users with a session of Ada's, and what else is said. */
export const everybody = (more: Seed = {}): Seed => ({
  users: [ada, grace],
  sessions: [session("user-1", adasToken), session("user-2", gracesToken)],
  ...more
})

const made = new WeakMap<object, number>()

/** Session tokens that count up in a store, so that both sides make the same ones. */
export const counting = (store: Store) => (): string => {
  const number = (made.get(store) ?? 0) + 1
  made.set(store, number)
  return `token-number-${number}-of-this-test`
}

/** A configuration with storage; two providers, a password, and callbacks that are seen. */
export const stored = (kit: Kit, more: Config = {}): Config => ({
  providers: [oauth(kit), oauth(kit, { id: "other", name: "Other" }), password(kit)],
  adapter: kit.store.adapter(),
  callbacks: seen(kit),
  ...more,
  session: { generateSessionToken: counting(kit.store), ...(more["session"] as object | undefined) }
})

/** Callbacks that answer like the defaults and are seen. */
export const seen = (kit: Kit, more: Config = {}): Config => ({
  signIn: kit.spy("signIn", () => true),
  jwt: kit.spy("jwt", ({ token }: { readonly token: unknown }) => token),
  session: kit.spy(
    "session",
    ({ session }: { readonly session: { readonly user: Row; readonly expires: unknown } }) => ({
      user: { name: session.user["name"], email: session.user["email"] },
      expires: session.expires
    })
  ),
  ...more
})

/** This step, after another person has signed in at the provider. */
export const as = (person: Person, step: PlannedStep): PlannedStep => ({
  ...step,
  make: (past) => {
    past.idp.person = person
    return typeof step.make === "function" ? step.make(past) : step.make
  }
})

/** A sign-in at a provider, from the first request to the callback. */
export const signInAs = (
  person: Person,
  provider = "acme",
  form: Readonly<Record<string, string>> = {}
): ReadonlyArray<PlannedStep> => [get("/auth/csrf"), post(`/auth/signin/${provider}`, form), as(person, comeBack())]
