/** Signing in with storage: what callbacks, events and providers decide, what stores answer, and what changes on the way. */
import type { Person } from "../FakeProvider.ts"
import type { Config } from "../Implementation.ts"
import { type Kit, type PlannedStep, type Scenario, start } from "../Scenario.ts"
import type { Seed } from "../Store.ts"
import {
  account,
  ada,
  adasToken,
  adaThere,
  alanThere,
  as,
  day,
  everybody,
  gracesToken,
  graceThere,
  holding,
  seen,
  session,
  signInAs,
  stored
} from "./People.ts"
import { after, comeBack, computed, get, oauth, oidc, type Options, password, post, scenario, fails } from "./Table.ts"

const group = "stored-sign-in"
const read = get("/auth/session")

const failing = fails

/** A scenario for both ways of keeping sessions. */
const both = (
  name: string,
  steps: ReadonlyArray<PlannedStep>,
  more: Config | ((kit: Kit) => Config) = {},
  options: Options = {}
): ReadonlyArray<Scenario> =>
  (["database", "jwt"] as const).map((strategy) =>
    scenario(group, `${name}, ${strategy}`, steps, {
      ...options,
      config: (kit) => {
        const made = typeof more === "function" ? more(kit) : more
        return stored(kit, { ...made, session: { strategy, ...(made["session"] as object | undefined) } })
      }
    })
  )

const known: Seed = everybody({ accounts: [account("user-1", "ada-at-acme")] })

const answers: ReadonlyArray<readonly [string, () => unknown]> = [
  ["false", () => false],
  ["an address of the site", () => "/not/you"],
  ["another address", () => "https://elsewhere.example/why"],
  ["throws", failing],
  ["rejects", () => Promise.reject(new Error("no"))],
  ["later true", () => Promise.resolve(true)]
]

const pages: ReadonlyArray<readonly [string, string]> = [
  ["of the site", "/welcome"],
  ["with a query", "/welcome?first=1"],
  ["elsewhere", "https://welcome.example/in"]
]

type Given = Record<string, unknown>

const tokens: ReadonlyArray<readonly [string, (given: Given) => unknown]> = [
  [
    "adds claims",
    ({ isNewUser, token, trigger, user }) => ({ ...(token as object), isNewUser, trigger, known: user !== undefined })
  ],
  ["answers null", () => null],
  ["throws", failing]
]

const filters: ReadonlyArray<readonly [string, (tokens: Given) => unknown]> = [
  ["picks members", ({ access_token, scope }) => ({ access_token, scope })],
  ["adds members", (given) => ({ ...given, team: "blue" })],
  ["answers nothing", () => undefined],
  ["names another account", () => ({ provider: "x", providerAccountId: "y", userId: "user-2", type: "email" })],
  ["throws", failing]
]

const profiles: ReadonlyArray<readonly [string, (profile: Given) => unknown]> = [
  [
    "adds columns",
    (profile) => ({ id: profile["sub"], name: profile["name"], email: profile["email"], role: "member" })
  ],
  [
    "says that the address is proven",
    (profile) => ({ id: profile["sub"], email: profile["email"], emailVerified: new Date(0) })
  ],
  ["answers no address", (profile) => ({ id: profile["sub"], name: "Nobody" })]
]

/** The methods a sign-in calls, and a visit that calls each. */
const reached: ReadonlyArray<readonly [string, Seed, Options]> = [
  ["getUserByAccount", everybody(), {}],
  ["getUserByEmail", everybody(), {}],
  ["createUser", everybody(), {}],
  ["linkAccount", everybody(), {}],
  ["createSession", everybody(), {}],
  ["getSessionAndUser", everybody(), { held: holding(adasToken) }],
  ["getUser", everybody(), { given: ["session"] }]
]

const wrongs: ReadonlyArray<readonly [string, () => unknown]> = [
  ["throws", failing],
  ["answers null", () => null],
  ["answers nothing", () => undefined]
]

const stale: ReadonlyArray<readonly [string, Seed, Options]> = [
  ["that nobody has", everybody(), { held: holding("a-token-that-nobody-has") }],
  ["that has ended", { users: [ada], sessions: [session("user-1", adasToken, -day)] }, { held: holding(adasToken) }],
  ["of a user who was deleted", { sessions: [session("user-1", adasToken)] }, { held: holding(adasToken) }],
  ["in a token of a user who was deleted", {}, { given: ["session"] }],
  ["in a token that has ended", everybody(), { given: ["session-expired"] }],
  ["in a token that cannot be read", everybody(), { given: ["session-garbage"] }]
]

/** Another session in the browser from here on. */
const swap = (token: string | undefined): PlannedStep =>
  computed((past) => {
    if (token === undefined) past.cookies.delete("authjs.session-token")
    else past.cookies.set("authjs.session-token", token)
    return { path: "/auth/providers" }
  })

const started = [get("/auth/csrf"), post("/auth/signin/acme")]

const credentials = (answer: unknown) => (kit: Kit) => ({
  providers: [oauth(kit), password(kit, { authorize: kit.spy("authorize", () => answer) })]
})

const byPassword: ReadonlyArray<PlannedStep> = [
  get("/auth/csrf"),
  post("/auth/callback/password", { username: "ada", password: "secret", callbackUrl: "/in" }),
  read
]

const users: ReadonlyArray<readonly [string, unknown]> = [
  ["a user who is stored", { id: "user-1", name: "Ada", email: "ada@example.com" }],
  ["a user who is not", { id: "user-9", name: "Ida" }],
  ["a user without an id", { name: "Ida" }],
  ["null", null]
]

const robots: Person = { sub: "robot", name: "Robot" }

/** Whole visits that must work when each request is answered by a different side, over one store. */
export const storedVisits: ReadonlyArray<Scenario> = both(
  "a whole visit",
  [
    ...signInAs(alanThere, "acme", { callbackUrl: "/in" }),
    read,
    get("/auth/csrf"),
    post("/auth/session", { data: "x" }),
    ...signInAs({ ...alanThere, sub: "alan-at-other" }, "other"),
    after(2 * 86_400, read),
    get("/auth/csrf"),
    post("/auth/signout", { callbackUrl: "/bye" }),
    read,
    ...signInAs({ ...alanThere, sub: "alan-at-other" }, "other"),
    read
  ],
  (kit) => ({
    providers: [
      oauth(kit, { checks: ["pkce", "state"] }),
      oauth(kit, { id: "other", name: "Other", checks: ["pkce", "state"] })
    ]
  })
)

/** The change that handlers of applications write to the user when an account was linked. */
const writings: ReadonlyArray<readonly [string, Given]> = [
  ["that the address is proven", { emailVerified: new Date(start) }],
  ["a name", { name: "Of the handler" }],
  ["another address", { email: "of-the-handler@example.com" }]
]

/** Signs in, reads, reads again a day later, and signs in anew. */
const comingAgain: ReadonlyArray<PlannedStep> = [
  ...signInAs(alanThere),
  read,
  after(2 * 86_400, read),
  get("/auth/csrf"),
  post("/auth/signout"),
  ...signInAs(alanThere),
  read
]

/** The scenarios. */
export const storedSignIns: ReadonlyArray<Scenario> = [
  ...storedVisits,
  ...both("twice", [
    ...signInAs(alanThere),
    read,
    get("/auth/csrf"),
    post("/auth/signout"),
    ...signInAs(alanThere),
    read
  ]),
  ...both("twice without signing out", [...signInAs(alanThere), ...signInAs(alanThere), read]),
  ...both("two people of one browser", [...signInAs(alanThere), ...signInAs(graceThere), read], {}, { seed: {} }),
  ...both("a second provider is linked", [
    ...signInAs(alanThere),
    ...signInAs({ ...alanThere, sub: "alan-at-other" }, "other"),
    get("/auth/csrf"),
    post("/auth/signout"),
    ...signInAs({ ...alanThere, sub: "alan-at-other" }, "other"),
    read
  ]),
  ...both("an adapter of a class", [...signInAs(alanThere), read], (kit) => ({
    adapter: Object.create(kit.store.adapter()) as object
  })),
  ...both("somebody without an address", [...signInAs(robots), read]),
  ...both("https", [...signInAs(alanThere), read], {}, { origin: "https://app.example" }),
  ...both(
    "an OpenID provider",
    [...signInAs({ ...alanThere, email_verified: false }), read],
    (kit) => ({ providers: [oidc(kit)] }),
    { openid: true }
  ),
  ...both("default callbacks", [...signInAs(alanThere), read], { callbacks: {} }),
  ...answers.flatMap(([name, answer]) => [
    ...both(`signIn answers ${name} for somebody new`, [...signInAs(alanThere), read], (kit) => ({
      callbacks: seen(kit, { signIn: kit.spy("signIn", answer) })
    })),
    ...both(
      `signIn answers ${name} for somebody known`,
      [...signInAs(adaThere), read],
      (kit) => ({ callbacks: seen(kit, { signIn: kit.spy("signIn", answer) }) }),
      { seed: known }
    )
  ]),
  ...pages.flatMap(([name, newUser]) => [
    ...both(`a page for new users ${name}`, signInAs(alanThere, "acme", { callbackUrl: "/in?a=1" }), {
      pages: { newUser }
    }),
    ...both(
      `a page for new users ${name}, for somebody known`,
      signInAs(adaThere),
      { pages: { newUser } },
      { seed: known }
    ),
    ...both(
      `a page for new users ${name}, for somebody who links`,
      signInAs(alanThere),
      { pages: { newUser } },
      { seed: everybody(), held: holding(adasToken) }
    )
  ]),
  ...tokens.flatMap(([name, jwt]) => [
    ...both(`jwt ${name} for somebody new`, [...signInAs(alanThere), read], (kit) => ({
      callbacks: seen(kit, { jwt: kit.spy("jwt", jwt) })
    })),
    ...both(
      `jwt ${name} for somebody known`,
      [...signInAs(adaThere), read],
      (kit) => ({ callbacks: seen(kit, { jwt: kit.spy("jwt", jwt) }) }),
      { seed: known }
    )
  ]),
  ...writings.flatMap(([name, change]) =>
    both(`event linkAccount writes ${name}`, comingAgain, (kit) => {
      const adapter = kit.store.adapter()
      return {
        adapter,
        events: {
          linkAccount: kit.spy("linkAccount", ({ user }: { readonly user: Given }) =>
            adapter["updateUser"]?.({ id: user["id"], ...change } as never)
          )
        }
      }
    })
  ),
  ...both("a store whose getUser knows nobody", comingAgain, (kit) => ({
    adapter: kit.store.adapter({ instead: { getUser: () => null } })
  })),
  ...both("a store whose createUser names users by itself", comingAgain, (kit) => ({
    adapter: kit.store.adapter({
      instead: {
        createUser: (answer) => {
          const made = answer() as Given
          const row = kit.store.users.find(({ id }) => id === made["id"])
          return Object.assign(row ?? {}, { id: `named-${String(made["id"])}` })
        }
      }
    })
  })),
  ...both("a store whose createUser answers an id that it does not keep", comingAgain, (kit) => ({
    adapter: kit.store.adapter({ instead: { createUser: (answer) => ({ ...(answer() as Given), id: "another-one" }) } })
  })),
  ...["createUser", "linkAccount", "signIn"].flatMap((name) =>
    both(`event ${name} throws`, [...signInAs(alanThere), read], { events: { [name]: failing } })
  ),
  ...filters.flatMap(([name, filter]) =>
    both(`account ${name}`, signInAs(alanThere), (kit) => ({
      providers: [oauth(kit, { account: kit.spy("account", filter) })]
    }))
  ),
  ...profiles.flatMap(([name, profile]) =>
    both(`profile ${name}`, [...signInAs(alanThere), read], (kit) => ({ providers: [oauth(kit, { profile })] }))
  ),
  ...reached.flatMap(([method, seed, options]) =>
    wrongs.flatMap(([how, answer]) =>
      both(
        `${method} ${how}`,
        [...signInAs(alanThere), read],
        (kit) => ({ adapter: kit.store.adapter({ instead: { [method]: answer } }) }),
        { ...options, seed }
      )
    )
  ),
  ...both(
    "a store without columns",
    [...signInAs({ sub: "alan-at-acme", email: "alan@example.com" }), read],
    (kit) => ({
      adapter: kit.store.adapter({
        instead: {
          createUser: (answer) => {
            const { image: _, name: __, ...rest } = answer() as Given
            return rest
          }
        }
      })
    })
  ),
  ...both(
    "a store that numbers its users",
    [...signInAs(adaThere), read],
    {},
    {
      seed: {
        users: [{ ...ada, id: 7 }],
        accounts: [{ userId: 7, provider: "acme", providerAccountId: "ada-at-acme", type: "oauth" }]
      }
    }
  ),
  ...stale.flatMap(([name, seed, options]) =>
    both(`with a session ${name}`, [...signInAs(alanThere), read], {}, { ...options, seed })
  ),
  ...both(
    "signed out on the way",
    [...started, swap(undefined), as(alanThere, comeBack()), read],
    {},
    { seed: everybody(), held: holding(adasToken) }
  ),
  ...both(
    "signed in on the way",
    [...started, swap(adasToken), as(alanThere, comeBack()), read],
    {},
    { seed: everybody() }
  ),
  ...both(
    "somebody else signed in on the way",
    [...started, swap(gracesToken), as(alanThere, comeBack()), read],
    {},
    { seed: everybody(), held: holding(adasToken) }
  ),
  ...users.flatMap(([name, answer]) =>
    both(
      `a password, authorize answers ${name}`,
      [...byPassword, get("/auth/csrf"), post("/auth/signout", { callbackUrl: "/bye" })],
      credentials(answer),
      { seed: everybody() }
    )
  ),
  ...both("a password while signed in", byPassword, credentials({ id: "user-2", name: "Grace" }), {
    seed: everybody(),
    held: holding(adasToken)
  }),
  scenario(group, "the strategy when there is no adapter", [...signInAs(alanThere), read], {
    config: (kit) => ({ ...stored(kit), adapter: undefined })
  }),
  scenario(group, "the strategy when there is an adapter", [...signInAs(alanThere), read], {
    config: (kit) => ({ ...stored(kit), session: { generateSessionToken: () => "a-token-of-this-scenario" } })
  }),
  scenario(group, "a linked account with more tokens", signInAs(alanThere), {
    faults: ["token-refresh", "token-scope", "token-extra-fields", "token-type-upper"],
    config: (kit) => stored(kit)
  })
]
