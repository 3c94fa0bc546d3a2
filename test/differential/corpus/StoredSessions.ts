/** Sessions in a database: reading, renewing, updating and ending them. */
import type { Config } from "../Implementation.ts"
import type { Kit, PlannedStep, Scenario } from "../Scenario.ts"
import {
  ada,
  adasToken,
  day,
  everybody,
  holding,
  seen,
  session,
  signInAs,
  adaThere,
  stored,
  alanThere
} from "./People.ts"
import { after, bare, get, type Options, post, scenario, fails } from "./Table.ts"

const group = "stored-session"
const secureName = "__Secure-authjs.session-token"
const site = "https://app.example"

const read = get("/auth/session")
const leave: ReadonlyArray<PlannedStep> = [get("/auth/csrf"), post("/auth/signout", { callbackUrl: "/bye" }), read]
const update: ReadonlyArray<PlannedStep> = [
  get("/auth/csrf"),
  bare("/auth/session", { json: { data: { name: "Grace", role: "admin", sub: "user-2" } }, csrf: "held" })
]
const everything = [read, ...update, ...leave]

const play = (name: string, steps: ReadonlyArray<PlannedStep>, options: Options = {}): Scenario =>
  scenario(group, name, steps, {
    held: holding(adasToken),
    seed: everybody(),
    config: (kit) => stored(kit),
    ...options
  })

const lefts: ReadonlyArray<readonly [string, number]> = [
  ["fresh", 30 * day],
  ["a second before it is due", 29 * day + 1000],
  ["due", 29 * day],
  ["long due", 10 * day],
  ["with a second left", 1000],
  ["ending now", 0],
  ["ended a second ago", -1000],
  ["ended long ago", -40 * day],
  ["for longer than is allowed", 90 * day]
]

const withLeft = (left: number): Options => ({ seed: { users: [ada], sessions: [session("user-1", adasToken, left)] } })

const tokens: ReadonlyArray<readonly [string, string]> = [
  ["unknown", "a-token-that-nobody-has-here"],
  ["too short", "x"],
  ["too long to be one", "x".repeat(600)],
  ["with spaces", "a token with spaces"],
  ["a sealed token of the other strategy", `eyJ${"a".repeat(40)}.b.c.d.e`],
  ["a prototype name", "__proto__"]
]

type Given = { readonly session: { readonly user: object; readonly expires: Date }; readonly user: object }

const callbacks: ReadonlyArray<readonly [string, (given: Given) => unknown]> = [
  ["chooses members", ({ user }) => ({ user, role: "admin", when: new Date(0) })],
  ["answers the end as a date", ({ session }) => ({ expires: session.expires })],
  ["answers what it is given", ({ session }) => session],
  ["copies what it is given", ({ session }) => ({ ...session })],
  ["answers the token", ({ session }) => ({ token: Reflect.get(session, "sessionToken") })],
  ["answers null", () => null],
  ["throws", fails],
  ["rejects", () => Promise.reject(new Error("no"))],
  ["answers later", ({ session }) => Promise.resolve({ user: { name: "later" }, expires: session.expires })]
]

/** A session that the browser cannot end. */
const lostToken = "token-of-a-session-that-stays"

const failing = () => {
  throw new Error("the database is away")
}

const broken = (method: string, answer: () => unknown) => (kit: Kit) =>
  stored(kit, { adapter: kit.store.adapter({ instead: { [method]: answer } }) })

/** Steps that reach the method: a session that is due is written, one that has ended is deleted. */
const reaching: ReadonlyArray<readonly [string, string, number]> = [
  ["getSessionAndUser", "reading", 30 * day],
  ["updateSession", "renewing", 10 * day],
  ["deleteSession", "removing what has ended", -day]
]

/** The scenarios. */
export const storedSessions: ReadonlyArray<Scenario> = [
  ...lefts.flatMap(([name, left]) => [
    play(`read, ${name}`, [read, read], withLeft(left)),
    play(`updated, ${name}`, update, withLeft(left)),
    play(`ended by a sign-out, ${name}`, leave, withLeft(left))
  ]),
  play("renewed at every read", [read, after(60, read), after(60, read)], {
    config: (kit) => stored(kit, { session: { updateAge: 0 } })
  }),
  play(
    "of one hour, renewed after a minute",
    [read, after(59, read), after(1, read), after(3599, read), after(3601, read)],
    { ...withLeft(3600_000), config: (kit) => stored(kit, { session: { maxAge: 3600, updateAge: 60 } }) }
  ),
  play("ends while the browser holds its cookie", [read, after(30 * 86400 + 1, read), read]),
  ...tokens.flatMap(([name, token]) => [
    play(`read, ${name}`, [read], { held: holding(token) }),
    play(`ended by a sign-out, ${name}`, leave, { held: holding(token) })
  ]),
  play("none", everything, { held: [] }),
  play("an empty cookie", everything, { held: holding("") }),
  play("of a user who was deleted", everything, { seed: { users: [], sessions: [session("user-1", adasToken)] } }),
  play("of a user without name and picture", [read], {
    seed: {
      users: [{ id: "user-1", email: "ada@example.com", emailVerified: null }],
      sessions: [session("user-1", adasToken)]
    }
  }),
  play("with further columns", [read], {
    seed: {
      users: [{ ...ada, role: "admin" }],
      sessions: [{ ...session("user-1", adasToken), id: 7, ip: "192.0.2.1" }]
    }
  }),
  play("everything once", everything),
  play("everything once, https", everything, { origin: site, held: holding(adasToken, secureName) }),
  play("everything once, secure cookies on http", everything, {
    held: holding(adasToken, secureName),
    config: (kit) => stored(kit, { useSecureCookies: true })
  }),
  play("everything once, own cookie name", everything, {
    held: holding(adasToken, "sid"),
    config: (kit) => stored(kit, { cookies: { sessionToken: { name: "sid", options: { sameSite: "strict" } } } })
  }),
  play("everything once, without protection", everything, {
    config: (kit) => stored(kit, { skipCSRFCheck: kit.implementation.skipCSRFCheck })
  }),
  play("the cookie of http on https", [read], { origin: site }),
  play("default callbacks", [read, ...update], { config: (kit) => stored(kit, { callbacks: {} }) }),
  play("updated without the CSRF token", [bare("/auth/session", { json: { data: { name: "x" } } })]),
  play("updated with a wrong CSRF token", [
    get("/auth/csrf"),
    bare("/auth/session", { json: { data: { name: "x" } }, csrf: "wrong" })
  ]),
  play("updated by a form", [get("/auth/csrf"), post("/auth/session", { data: "x" })]),
  play("updated without data", [get("/auth/csrf"), bare("/auth/session", { json: {}, csrf: "held" })]),
  ...callbacks.flatMap(([name, callback]) => [
    play(`session callback ${name}`, [read, ...update, read], {
      config: (kit) => stored(kit, { callbacks: seen(kit, { session: kit.spy("session", callback) }) })
    })
  ]),
  play("session event throws", [read], { config: (kit) => ({ ...stored(kit), events: { session: failing } }) }),
  play("sign-out event throws", leave, { config: (kit) => ({ ...stored(kit), events: { signOut: failing } }) }),
  ...reaching.flatMap(([method, doing, left]) =>
    (
      [
        ["throws", failing],
        ["answers nothing", () => undefined],
        ["answers null", () => null]
      ] as const
    ).map(([how, answer]) =>
      play(`the store ${how} when ${doing}`, [read, read], { ...withLeft(left), config: broken(method, answer) })
    )
  ),
  play("the store throws when signing out", leave, {
    held: holding(lostToken),
    seed: { users: [ada], sessions: [session("user-1", lostToken)] },
    config: broken("deleteSession", failing)
  }),
  play("the store answers nothing when signing out", leave, { config: broken("deleteSession", () => undefined) }),
  play("the store says only that there is no session", [read], {
    config: broken("getSessionAndUser", () => ({ session: null, user: null }))
  }),
  play("signed out by json", [
    get("/auth/csrf"),
    post("/auth/signout", {}, { headers: { "x-auth-return-redirect": "1" } })
  ]),
  play("signed out without the CSRF token", [bare("/auth/signout"), read]),
  ...(
    [
      ["without options", {}],
      ["https", { origin: site }],
      [
        "own cookie name",
        { config: (kit: Kit): Config => stored(kit, { cookies: { sessionToken: { name: "sid" } } }) }
      ],
      ["for one hour", { config: (kit: Kit): Config => stored(kit, { session: { maxAge: 3600 } }) }],
      [
        "own tokens",
        {
          config: (kit: Kit): Config =>
            stored(kit, {
              session: { generateSessionToken: kit.spy("generateSessionToken", () => "own-token-0123456789") }
            })
        }
      ],
      ["tokens that are made here", { config: (kit: Kit): Config => ({ ...stored(kit), session: {} }) }],
      [
        "said explicitly",
        {
          config: (kit: Kit): Config =>
            stored(kit, { session: { strategy: "database", ...(stored(kit)["session"] as object) } })
        }
      ]
    ] as const
  ).flatMap(([name, options]: readonly [string, Options]) => [
    play(`made by a sign-in, ${name}`, [...signInAs(alanThere), read, ...update, ...leave], {
      held: [],
      seed: {},
      ...options
    }),
    play(`made beside another one, ${name}`, [...signInAs(adaThere), read], {
      held: [],
      seed: everybody({
        accounts: [{ userId: "user-1", provider: "acme", providerAccountId: "ada-at-acme", type: "oauth" }]
      }),
      ...options
    })
  ])
]
