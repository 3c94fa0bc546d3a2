/**
 * Single requests, crossed: every action with every method, base path, origin, header, state of the cookies, body and option
 * that it may meet. What is remarkable about one of them stands in the other files; here nothing is chosen by hand.
 */
import type { CookieState } from "../GivenCookies.ts"
import type { Config } from "../Implementation.ts"
import type { Kit, PlannedStep, Scenario, Step } from "../Scenario.ts"
import { fine } from "./Configuration.ts"
import { get, oauth, oidc, password, scenario, watched } from "./Table.ts"

/** A request with a name. */
export type Request = readonly [name: string, step: Step]

/** Methods of HTTP that a browser or a program sends. */
export const methods: ReadonlyArray<string> = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

/** Every action, with a provider where one belongs. */
export const actions: ReadonlyArray<string> = [
  "session",
  "csrf",
  "providers",
  "signin",
  "signin/acme",
  "signin/password",
  "signin/unknown",
  "signout",
  "error",
  "verify-request",
  "callback/acme",
  "callback/password",
  "callback/unknown",
  "webauthn-options/acme"
]

/** States of the session cookie. */
export const sessions: ReadonlyArray<CookieState> = [
  "session",
  "session-minimal",
  "session-rich",
  "session-tampered",
  "session-expired",
  "session-just-expired",
  "session-not-yet",
  "session-foreign-secret",
  "session-foreign-salt",
  "session-garbage",
  "session-empty",
  "session-chunked",
  "session-a256gcm",
  "session-without-kid"
]

/** States of the anti-forgery cookie. */
export const csrfs: ReadonlyArray<CookieState> = [
  "csrf",
  "csrf-tampered",
  "csrf-garbage",
  "csrf-foreign-secret",
  "csrf-no-hash"
]

/** States of the cookie that says where to go. */
export const targets: ReadonlyArray<CookieState> = ["callback-url", "callback-url-relative", "callback-url-foreign"]

const good = { username: "ada", password: "secret" }

/** Requests of browsers, one for each action. */
export const usual: ReadonlyArray<Request> = [
  ["GET session", { path: "/auth/session" }],
  ["GET csrf", { path: "/auth/csrf" }],
  ["GET providers", { path: "/auth/providers" }],
  ["GET signin", { path: "/auth/signin" }],
  ["GET signout", { path: "/auth/signout" }],
  ["GET error", { path: "/auth/error?error=AccessDenied" }],
  ["GET verify-request", { path: "/auth/verify-request" }],
  ["POST session", { method: "POST", path: "/auth/session", json: { data: { name: "Grace" } }, csrf: "held" }],
  ["POST signout", { method: "POST", path: "/auth/signout", form: {}, csrf: "held" }],
  ["POST signin", { method: "POST", path: "/auth/signin/acme", form: { callbackUrl: "/in" }, csrf: "held" }],
  ["POST callback", { method: "POST", path: "/auth/callback/password", form: good, csrf: "held" }],
  ["GET callback", { path: "/auth/callback/acme?code=x&state=y" }]
]

/** Headers of a request. */
export const heads: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
  ["answer wanted as JSON", { "x-auth-return-redirect": "1" }],
  ["answer wanted as JSON, said with nothing", { "x-auth-return-redirect": "" }],
  ["of this site", { origin: "http://localhost:3000", "sec-fetch-site": "same-origin" }],
  ["of another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  ["of another site, in an old browser", { origin: "https://evil.example" }],
  ["of another page, in an old browser", { referer: "https://evil.example/page" }],
  ["of another host of the domain", { origin: "http://sub.localhost:3000", "sec-fetch-site": "same-site" }],
  ["of nobody", { origin: "null" }],
  ["typed in", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }],
  ["for JSON", { accept: "application/json" }],
  ["for pages", { accept: "text/html,application/xhtml+xml", "accept-language": "de" }],
  ["with a bearer token", { authorization: "Bearer eyJ.a.b.c.d" }],
  [
    "through a proxy",
    { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", "x-forwarded-for": "1.2.3.4" }
  ],
  ["with another method in its head", { "x-http-method-override": "POST" }],
  ["ahead of time", { purpose: "prefetch", "sec-purpose": "prefetch" }],
  ["for a part", { range: "bytes=0-1", "if-none-match": "*" }]
]

const token = "0123456789abcdef".repeat(4)
const urlencoded = "application/x-www-form-urlencoded"
const json = "application/json"

/** Bodies. */
export const bodies: ReadonlyArray<readonly [string, Omit<Step, "path" | "method">]> = [
  ["none", {}],
  ["form", { form: good, csrf: "held" }],
  ["form without token", { form: good }],
  ["form with a wrong token", { form: good, csrf: "wrong" }],
  ["form with an empty token", { form: { ...good, csrfToken: "" } }],
  ["form with a charset", { form: good, csrf: "held", contentType: `${urlencoded}; charset=utf-8` }],
  ["form, type in capitals", { form: good, csrf: "held", contentType: urlencoded.toUpperCase() }],
  ["form, empty", { text: "", contentType: urlencoded }],
  ["form, no pairs", { text: "&&&=&", contentType: urlencoded }],
  ["form, percent signs", { text: "%&%zz=%&csrfToken=%", contentType: urlencoded }],
  ["form, token twice, right first", { text: `csrfToken=${token}&csrfToken=x`, contentType: urlencoded }],
  ["form, token twice, right last", { text: `csrfToken=x&csrfToken=${token}`, contentType: urlencoded }],
  ["form, token twice, both right", { text: `csrfToken=${token}&csrfToken=${token}`, contentType: urlencoded }],
  [
    "form, a field twice",
    { text: `csrfToken=${token}&username=eve&username=ada&password=secret`, contentType: urlencoded }
  ],
  [
    "form, prototype names",
    { text: `csrfToken=${token}&__proto__=x&constructor=y&toString=z`, contentType: urlencoded }
  ],
  ["form, brackets", { text: `csrfToken=${token}&a[b]=c&d[]=e`, contentType: urlencoded }],
  ["form, long", { form: { ...good, filler: "x".repeat(30_000) }, csrf: "held" }],
  ["form, too long", { form: { ...good, filler: "x".repeat(100_000) }, csrf: "held" }],
  [
    "form, many fields",
    { form: { ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, "x"])), ...good }, csrf: "held" }
  ],
  ["form, not Latin", { form: { username: "Zoë – ✓ 𝄞", password: "\u0000" }, csrf: "held" }],
  ["form, JSON inside", { text: JSON.stringify({ csrfToken: token }), contentType: urlencoded }],
  ["JSON", { json: good, csrf: "held" }],
  ["JSON without token", { json: good }],
  ["JSON with a wrong token", { json: good, csrf: "wrong" }],
  ["JSON with a charset", { json: good, csrf: "held", contentType: `${json};charset=utf-8` }],
  ["JSON of another kind", { json: good, csrf: "held", contentType: "application/ld+json" }],
  ["JSON, an empty object", { json: {}, csrf: "held" }],
  ["JSON, token a number", { json: { csrfToken: 5 } }],
  ["JSON, token null", { json: { csrfToken: null } }],
  ["JSON, token in a list", { json: { csrfToken: [token] } }],
  ["JSON, members of every kind", { json: { n: 1, b: true, z: null, l: [1], o: { p: {} } }, csrf: "held" }],
  ["JSON, prototype", { text: `{"csrfToken":"${token}","__proto__":{"x":1}}`, contentType: json }],
  ["JSON, a member twice", { text: `{"csrfToken":"x","csrfToken":"${token}"}`, contentType: json }],
  ["JSON, deep", { text: `{"csrfToken":"${token}","a":${"[".repeat(200)}${"]".repeat(200)}}`, contentType: json }],
  ["JSON, too long", { json: { filler: "x".repeat(100_000) }, csrf: "held" }],
  ["JSON, a list", { text: "[]", contentType: json }],
  ["JSON, a text", { text: '"x"', contentType: json }],
  ["JSON, a number", { text: "1", contentType: json }],
  ["JSON, null", { text: "null", contentType: json }],
  ["JSON, broken", { text: "{", contentType: json }],
  ["JSON, a byte order mark", { text: `\ufeff{"csrfToken":"${token}"}`, contentType: json }],
  ["text", { text: `csrfToken=${token}`, contentType: "text/plain" }],
  ["many parts", { text: "--b\r\n\r\n--b--", contentType: "multipart/form-data; boundary=b" }],
  ["of no type", { text: "x=1", contentType: "" }],
  ["of a type that is none", { text: "x=1", contentType: "x" }]
]

const posted: ReadonlyArray<string> = ["signout", "session", "signin", "signin/acme", "callback/password"]

const one = (group: string, name: string, step: Step, more: Parameters<typeof scenario>[3] = {}): Scenario =>
  scenario(group, name, [{ make: step } satisfies PlannedStep], { config: watched, ...more })

const given = ["csrf", "session"] as const

const rooted = (step: Step, basePath: string): Step => ({ ...step, path: step.path.replace("/auth", basePath) })

const pages = { signIn: "/login", signOut: "/leave", error: "/oops", verifyRequest: "/look", newUser: "/welcome" }

/** Providers of every kind that needs no storage. */
export const providers: ReadonlyArray<readonly [string, (kit: Kit) => Config]> = [
  ["an OAuth provider", (kit) => watched(kit, { providers: [oauth(kit)] })],
  ["an OpenID provider", (kit) => watched(kit, { providers: [oidc(kit)] })],
  ["a password", (kit) => watched(kit, { providers: [password(kit)] })],
  ["own pages", (kit) => watched(kit, { pages })],
  [
    "own pages elsewhere",
    (kit) => watched(kit, { pages: { signIn: "https://login.example/in", error: "https://login.example/no" } })
  ],
  ["a page of the sign-in for errors", (kit) => watched(kit, { pages: { error: "/auth/signin" } })],
  [
    "a theme",
    (kit) => watched(kit, { theme: { colorScheme: "dark", logo: "/logo.svg", brandColor: "#fff", buttonText: "#000" } })
  ],
  ["no protection", (kit) => watched(kit, { skipCSRFCheck: kit.implementation.skipCSRFCheck })]
]

/** The scenarios. */
export const matrix: ReadonlyArray<Scenario> = [
  ...["/api/auth", "/a/b/c/auth", "/auth-v1.0"].flatMap((basePath) =>
    actions.flatMap((action) =>
      methods.map((method) =>
        one(
          "matrix-route",
          `${method} ${basePath}/${action}`,
          { method, path: `${basePath}/${action}` },
          { config: (kit) => watched(kit, { basePath }) }
        )
      )
    )
  ),
  ...["http://localhost:3000", "https://app.example", "https://app.example:8443", "http://127.0.0.1"].flatMap(
    (origin) =>
      ["/auth", "/api/auth"].flatMap((basePath) =>
        usual.map(([name, step]) =>
          one("matrix-origin", `${origin}${basePath}: ${name}`, rooted(step, basePath), {
            given,
            origin,
            config: (kit) => watched(kit, { basePath })
          })
        )
      )
  ),
  ...heads.flatMap(([head, headers]) =>
    usual.map(([name, step]) => one("matrix-head", `${name} ${head}`, { ...step, headers }, { given }))
  ),
  ...sessions.flatMap((session) =>
    csrfs.flatMap((csrf) =>
      ["GET session", "POST session", "POST signout", "POST callback", "GET csrf"].map((name) => {
        const step = usual.find(([known]) => known === name)?.[1] ?? { path: "/auth/session" }
        return one("matrix-cookies", `${name} with ${session} and ${csrf}`, step, { given: [session, csrf] })
      })
    )
  ),
  ...targets.flatMap((target) =>
    usual.flatMap(([name, step]) =>
      [
        "",
        "?callbackUrl=%2Fthere",
        "?callbackUrl=https%3A%2F%2Fevil.example",
        "?callbackUrl=x&callbackUrl=%2Fthere"
      ].map((query) =>
        one(
          "matrix-target",
          `${name}${query} with ${target}`,
          { ...step, path: step.path.includes("?") ? step.path + query.replace("?", "&") : step.path + query },
          { given: [...given, target] }
        )
      )
    )
  ),
  ...bodies.flatMap(([name, body]) =>
    posted.map((path) =>
      one("matrix-body", `POST ${path}: ${name}`, { method: "POST", path: `/auth/${path}`, ...body }, { given })
    )
  ),
  ...fine.flatMap(({ config, name: option }) =>
    usual.map(([name, step]) => one("matrix-option", `${option}: ${name}`, step, { given, config, traits: [option] }))
  ),
  ...providers.flatMap(([what, config]) =>
    usual.map(([name, step]) => one("matrix-provider", `${what}: ${name}`, step, { given, config, traits: [what] }))
  ),
  ...providers.flatMap(([what, config]) =>
    [
      "",
      "?error=Callback",
      "?error=CredentialsSignin&code=x",
      "?callbackUrl=%2Fdeep%3Fa%3Db",
      "?csrfToken=x&email=a%40b"
    ].flatMap((query) =>
      ["signin", "signout", "error", "verify-request"].map((page) =>
        scenario("matrix-page", `${what}: ${page}${query}`, [get(`/auth/${page}${query}`)], {
          given: ["csrf"],
          config,
          traits: [what]
        })
      )
    )
  )
]
