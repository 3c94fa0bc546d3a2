/** Sign-in by a link that is mailed: asking for one, following it, and everything that may go wrong on the way. */
import type { Config } from "../Implementation.ts"
import { type Kit, type PlannedStep, type Scenario, secret } from "../Scenario.ts"
import type { Seed } from "../Store.ts"
import { account, adasToken, day, everybody, gracesToken, holding, seen, session, stored } from "./People.ts"
import { after, bare, computed, type Fields, get, oauth, type Options, post, scenario, fails } from "./Table.ts"

const group = "email-link"
const read = get("/auth/session")

const failing = fails

/** Rejects once somebody waits for it. */
const rejecting = (): PromiseLike<never> => ({
  // oxlint-disable-next-line unicorn/no-thenable
  then: (_, reject) => Promise.reject(new Error("no")).then(undefined, reject)
})

/** An email provider; a visit of the link uses it up, as everywhere in this corpus where nothing else is said. */
export const email = (kit: Kit, more: Fields = {}): Fields => ({
  id: "email",
  name: "Email",
  type: "email",
  maxAge: 86_400,
  consumeOn: "get",
  sendVerificationRequest: kit.spy(
    "sendVerificationRequest",
    ({ identifier, url }: { readonly identifier: string; readonly url: string }): unknown => {
      kit.mails.push({ identifier, url })
      return Promise.resolve()
    }
  ),
  ...more
})

/** A configuration with it. Every scenario has a secret of its own, so that nothing counted for a mailbox meets another. */
export const mailed = (kit: Kit, name: string, more: Config = {}, provider: Fields = {}): Config =>
  stored(kit, { providers: [email(kit, provider), oauth(kit)], secret: `${secret} ${name}`, ...more })

const play = (
  name: string,
  steps: ReadonlyArray<PlannedStep>,
  options: Options & { readonly more?: (kit: Kit) => Config; readonly provider?: (kit: Kit) => Fields } = {}
): Scenario => {
  const { more, provider, ...rest } = options
  return scenario(group, name, steps, {
    config: (kit) => mailed(kit, name, more?.(kit), provider?.(kit)),
    seed: everybody(),
    ...rest
  })
}

/** Asks for a link. */
export const ask = (address: string, form: Readonly<Record<string, string>> = {}): ReadonlyArray<PlannedStep> => [
  get("/auth/csrf"),
  post("/auth/signin/email", { email: address, ...form })
]

/** Follows the link of a mail, counted from the newest. */
export const follow = (change: (link: URL) => void = () => undefined, back = 1): PlannedStep =>
  computed((past) => {
    const link = new URL(
      past.mails.at(-back)?.url ?? "/auth/callback/email?token=none&email=nobody@example.com",
      past.origin
    )
    change(link)
    return { path: `${link.pathname}${link.search}` }
  })

const people: ReadonlyArray<readonly [string, string]> = [
  ["somebody new", "alan@example.com"],
  ["somebody proven", "ada@example.com"],
  ["somebody unproven", "grace@example.com"]
]

const presences: ReadonlyArray<readonly [string, "database" | "jwt", Options]> = [
  ["nobody signed in", "database", {}],
  ["Ada signed in", "database", { held: holding(adasToken) }],
  ["Grace signed in", "database", { held: holding(gracesToken) }],
  ["a session nobody has", "database", { held: holding("a-token-that-nobody-has") }],
  [
    "a session that has ended",
    "database",
    { held: holding(adasToken), seed: { ...everybody(), sessions: [session("user-1", adasToken, -day)] } }
  ],
  ["nobody signed in, tokens", "jwt", {}],
  ["Ada signed in, tokens", "jwt", { given: ["session"] }]
]

const changes: ReadonlyArray<readonly [string, (link: URL) => void]> = [
  ["another address", (link) => link.searchParams.set("email", "grace@example.com")],
  ["the address in upper case", (link) => link.searchParams.set("email", "ALAN@EXAMPLE.COM")],
  ["no address", (link) => link.searchParams.delete("email")],
  ["an empty address", (link) => link.searchParams.set("email", "")],
  ["another token", (link) => link.searchParams.set("token", "f".repeat(64))],
  ["no token", (link) => link.searchParams.delete("token")],
  ["an empty token", (link) => link.searchParams.set("token", "")],
  ["a longer token", (link) => link.searchParams.set("token", `${link.searchParams.get("token") ?? ""}0`)],
  ["another target of the site", (link) => link.searchParams.set("callbackUrl", "http://localhost:3000/there")],
  ["another site as target", (link) => link.searchParams.set("callbackUrl", "https://evil.example/")],
  ["no target", (link) => link.searchParams.delete("callbackUrl")],
  ["more parameters", (link) => link.searchParams.set("utm_source", "mail")]
]

const addresses: ReadonlyArray<string> = [
  "Alan@Example.COM",
  "  alan@example.com ",
  "alan+shop@example.com",
  "o'brien@example.com",
  "alan@sub.example.co.uk",
  "",
  "alan",
  "@example.com",
  "alan@",
  "alan@@example.com",
  "alan@example.com@evil.example",
  '"alan"@example.com',
  "alan@example.com,evil@evil.example",
  "alan@localhost",
  "alan @example.com",
  "alan@exam ple.com",
  "alan\u0000@example.com",
  "alan＠example.com",
  "alan@ｅｘａｍｐｌｅ.com",
  "älan@example.com",
  "alan@bücher.example",
  "alan@[127.0.0.1]",
  `${"a".repeat(65)}@example.com`,
  `alan@${"a".repeat(250)}.com`,
  "<alan@example.com>",
  "alan@example.com\r\nBcc: x@evil.example"
]

const answers: ReadonlyArray<readonly [string, (given: Record<string, unknown>) => unknown]> = [
  ["false", () => false],
  ["an address", () => "/not/you"],
  ["throws", failing],
  ["false once the link is followed", (given) => given["email"] !== undefined],
  ["an address once the link is followed", (given) => (given["email"] === undefined ? "/not/you" : true)],
  ["throws once the link is followed", (given) => (given["email"] === undefined ? failing() : true)]
]

const reached: ReadonlyArray<readonly [string, string, Seed]> = [
  ["getUserByEmail", "alan@example.com", everybody()],
  ["createVerificationToken", "alan@example.com", everybody()],
  ["useVerificationToken", "alan@example.com", everybody()],
  ["createUser", "alan@example.com", everybody()],
  ["updateUser", "ada@example.com", everybody()],
  ["createSession", "ada@example.com", everybody()]
]

const wrongs: ReadonlyArray<readonly [string, () => unknown]> = [
  ["throws", failing],
  ["answers null", () => null],
  ["answers nothing", () => undefined]
]

const providers: ReadonlyArray<readonly [string, (kit: Kit) => Fields]> = [
  ["own tokens", (kit) => ({ generateVerificationToken: kit.spy("generateVerificationToken", () => "code-123456") })],
  ["own tokens, later", () => ({ generateVerificationToken: () => Promise.resolve("code-654321-of-this") })],
  ["own tokens that fail", () => ({ generateVerificationToken: failing })],
  ["own secret", () => ({ secret: "a-secret-of-the-mail-provider-0123456789" })],
  ["ten minutes", () => ({ maxAge: 600 })],
  ["the usual time", () => ({ maxAge: undefined })],
  ["own spelling", () => ({ normalizeIdentifier: (given: string) => given.toLowerCase().replace(/\+.*@/, "@") })],
  ["own spelling that fails", () => ({ normalizeIdentifier: failing })],
  ["a mailer that throws", () => ({ sendVerificationRequest: failing })],
  ["a mailer that rejects", () => ({ sendVerificationRequest: rejecting })],
  ["another id", () => ({ id: "post", name: "Post" })],
  ["a from", () => ({ from: "Site <noreply@example.com>" })]
]

const alan = "alan@example.com"

const renamed = (step: PlannedStep): PlannedStep =>
  typeof step.make === "function"
    ? step
    : { ...step, make: { ...step.make, path: step.make.path.replace("/email", "/post") } }

/** Whole visits that must work when each request is answered by a different side. */
export const emailVisits: ReadonlyArray<Scenario> = (["database", "jwt"] as const).map((strategy) =>
  play(
    `visit, ${strategy}`,
    [...ask(alan, { callbackUrl: "/in" }), follow(), read, get("/auth/csrf"), post("/auth/signout"), read],
    { more: () => ({ session: { strategy } }) }
  )
)

/** The scenarios. */
export const emailLinks: ReadonlyArray<Scenario> = [
  ...emailVisits,
  ...people.flatMap(([who, address]) =>
    presences.map(([presence, strategy, options]) =>
      play(`${who}, ${presence}`, [...ask(address), follow(), read], {
        ...options,
        more: () => ({ session: { strategy } })
      })
    )
  ),
  play("somebody unproven with an account", [...ask("grace@example.com"), follow(), read], {
    seed: everybody({ accounts: [account("user-2", "somebody-at-acme")] })
  }),
  play("https", [...ask(alan), follow(), read], { origin: "https://app.example" }),
  play("used twice", [...ask(alan), follow(), follow(), read]),
  play("used a second before it ends", [...ask(alan), after(86_399, follow())]),
  play("used when it ends", [...ask(alan), after(86_400, follow())]),
  play("used a second after it ended", [...ask(alan), after(86_401, follow())]),
  play("asked for by two", [...ask(alan), ...ask("grace@example.com"), follow(undefined, 2), follow(undefined, 1)]),
  play("the former of two", [...ask(alan), ...ask(alan), follow(undefined, 2)]),
  play("the later of two", [...ask(alan), ...ask(alan), follow(undefined, 1)]),
  play("asked for six times", Array.from({ length: 6 }, () => ask(alan)).flat()),
  play("tried eleven times with a short token", [
    ...ask(alan),
    ...Array.from({ length: 11 }, (_, at) => follow((link) => link.searchParams.set("token", `code-${at}`)))
  ]),
  ...changes.map(([name, change]) =>
    play(`followed with ${name}`, [...ask(alan, { callbackUrl: "/in" }), follow(change), read])
  ),
  ...addresses.map((address) => play(`an address: ${JSON.stringify(address)}`, ask(address))),
  play("no address at all", [get("/auth/csrf"), post("/auth/signin/email")]),
  play("the address in JSON", [get("/auth/csrf"), bare("/auth/signin/email", { json: { email: alan }, csrf: "held" })]),
  play("an address that is a list", [
    get("/auth/csrf"),
    bare("/auth/signin/email", { json: { email: [alan] }, csrf: "held" })
  ]),
  play("asked for as JSON", [
    get("/auth/csrf"),
    post("/auth/signin/email", { email: alan }, { headers: { "x-auth-return-redirect": "1" } })
  ]),
  play("asked for without the CSRF token", [bare("/auth/signin/email", { form: { email: alan } })]),
  play("asked for without protection", ask(alan), {
    more: (kit) => ({ skipCSRFCheck: kit.implementation.skipCSRFCheck })
  }),
  play("asked for by GET", [get("/auth/signin/email")]),
  play("asked for with another site as target", [...ask(alan, { callbackUrl: "https://evil.example/" }), follow()]),
  ...answers.map(([name, answer]) =>
    play(`signIn answers ${name}`, [...ask(alan), follow(), read], {
      more: (kit) => ({ callbacks: seen(kit, { signIn: kit.spy("signIn", answer) }) })
    })
  ),
  play("a page for new users", [...ask(alan, { callbackUrl: "/in" }), follow()], {
    more: () => ({ pages: { newUser: "/welcome" } })
  }),
  play("a page for new users, for somebody known", [...ask("ada@example.com"), follow()], {
    more: () => ({ pages: { newUser: "/welcome" } })
  }),
  play("own page after the mail", [...ask(alan), get("/auth/verify-request?provider=email&type=email")], {
    more: () => ({ pages: { verifyRequest: "/look" } })
  }),
  play("pages", [get("/auth/signin"), get("/auth/verify-request?provider=email&type=email"), get("/auth/providers")]),
  play("own error page", [...ask(alan), follow((link) => link.searchParams.set("token", "x"))], {
    more: () => ({ pages: { error: "/oops", signIn: "/login" } })
  }),
  ...["createUser", "updateUser", "signIn"].map((name) =>
    play(`event ${name} throws`, [...ask(name === "updateUser" ? "ada@example.com" : alan), follow(), read], {
      more: () => ({ events: { [name]: failing } })
    })
  ),
  ...reached.flatMap(([method, address, seed]) =>
    wrongs.map(([how, answer]) =>
      play(`${method} ${how}`, [...ask(address), follow(), read], {
        seed,
        more: (kit) => ({ adapter: kit.store.adapter({ instead: { [method]: answer } }) })
      })
    )
  ),
  ...providers.map(([name, provider]) =>
    play(
      `a provider with ${name}`,
      [...ask(alan).map((step) => (name === "another id" ? renamed(step) : step)), follow()],
      { provider }
    )
  ),
  play("followed to be confirmed first", [...ask(alan, { callbackUrl: "/in" }), follow(), read], {
    provider: () => ({ consumeOn: undefined })
  }),
  play("looked at by a program", [
    ...ask(alan),
    computed((past) => {
      const link = new URL(past.mails.at(-1)?.url ?? "/", past.origin)
      return { method: "HEAD", path: `${link.pathname}${link.search}` }
    }),
    follow()
  ])
]
