import { assert, describe, it } from "vitest"
import * as Adapter from "../../src/Adapter.ts"
import { createAuth, customFetch, type ServerAuth } from "../../src/index.ts"
import Email from "../../src/compat/providers/email.ts"
import { type Visitor, ownSite, site, visitor } from "../Visitor.ts"
import { forFunctions } from "../ForFunctions.ts"
import { idp, idpOrigin, memoryProvider } from "../MemoryProvider.ts"

const name = "__Host-authjs.session-token"

type Remember = boolean | "ask" | undefined

interface Setup {
  readonly auth: ServerAuth
  readonly mails: ReadonlyArray<URL>
  readonly provider: ReturnType<typeof memoryProvider>
  /** A user that the store knows. */
  readonly userId: () => Promise<string>
}

/** An adapter as Auth.js has them: without a column for what the library keeps. */
const adapterOfAuthJs = () => {
  const { listSessions: _, touchSession: _t, endSession: _e, ...adapter } = Adapter.toPromises(Adapter.makeMemory())
  return adapter
}

const make = (rememberMe: Remember, session: object, adapter?: ReturnType<typeof adapterOfAuthJs>): Setup => {
  const mails: Array<URL> = []
  const provider = memoryProvider()
  const { providers, ...options } = ownSite()
  const auth = createAuth(
    forFunctions({
      ...options,
      origin: site,
      env: {},
      providers: [
        ...providers,
        idp({ [customFetch]: provider.fetch }),
        ...(adapter === undefined
          ? []
          : [Email({ sendVerificationRequest: ({ url }: { url: string }) => void mails.push(new URL(url)) })])
      ],
      session: { updateAge: 0, rememberMe, ...session },
      ...(adapter === undefined ? {} : { adapter })
    })
  )
  const userId = async () =>
    (await adapter?.createUser?.({ id: "1", email: "ada@example.com", emailVerified: new Date() }))?.id ?? "1"
  return { auth, mails, provider, userId }
}

const stores = [
  ["tokens", (remember: Remember) => make(remember, { strategy: "jwt" })],
  ["rows", (remember: Remember) => make(remember, { strategy: "database" }, adapterOfAuthJs())],
  [
    "rows with an absolute end",
    (remember: Remember) =>
      make(remember, { strategy: "database", maxAge: 60, absoluteMaxAge: 3600 }, adapterOfAuthJs())
  ],
  ["tokens beside a store", (remember: Remember) => make(remember, { strategy: "jwt" }, adapterOfAuthJs())]
] as const

/** Did these lines set the session cookie, and does it outlive the browser? */
const outlives = (answer: Response | Headers): boolean => {
  const headers = answer instanceof Response ? answer.headers : answer
  const lines = headers.getSetCookie().filter((line) => line.startsWith(`${name}=`) && !line.startsWith(`${name}=;`))
  assert.lengthOf(lines, 1)
  const own = headers.getSetCookie().filter((line) => line.startsWith("__Host-authjs.session-id="))
  const ends = [...lines, ...own].map((line) => /; (?:Expires|Max-Age)=/.test(line))
  assert.lengthOf(new Set(ends), 1)
  return ends[0] === true
}

type SignIn = (setup: Setup, browser: Visitor, form: Record<string, string>) => Promise<Response>

const byPassword: SignIn = (_, browser, form) =>
  browser.submit("/auth/callback/credentials", { username: "ann", password: "pw", ...form })

const byProvider: SignIn = async ({ provider }, browser, form) => {
  const sent = await browser.submit("/auth/signin/idp", form)
  const back = provider.agree(sent.headers.get("location") ?? "")
  assert.strictEqual(new URL(sent.headers.get("location") ?? "").origin, idpOrigin)
  return browser.get(`${back.pathname}${back.search}`)
}

const byMail: SignIn = async ({ mails }, browser, form) => {
  await browser.submit("/auth/signin/email", { email: "ada@example.com", ...form })
  const link = mails.at(-1)
  assert.isDefined(link)
  const page = await (await browser.get(`${link.pathname}${link.search}`)).text()
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return browser.post(
    link.pathname,
    hidden.map(([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")] as const)
  )
}

const answers: ReadonlyArray<readonly [Remember, Record<string, string>, boolean]> = [
  [undefined, {}, true],
  [undefined, { rememberMe: "true" }, true],
  [undefined, { rememberMe: "false" }, false],
  [true, {}, true],
  [false, {}, false],
  [false, { rememberMe: "true" }, false],
  ["ask", {}, false],
  ["ask", { rememberMe: "true" }, true],
  ["ask", { rememberMe: "on" }, true],
  ["ask", { rememberMe: "false" }, false]
]

describe("A session with session.rememberMe", () => {
  const methods: ReadonlyArray<readonly [string, SignIn, ReadonlyArray<(typeof stores)[number]>]> = [
    ["a password", byPassword, [stores[0]]],
    ["a provider", byProvider, [...stores]],
    ["a link", byMail, stores.slice(1)]
  ]
  it.each(
    methods.flatMap(([method, signIn, usable]) =>
      usable.flatMap(([store, make]) =>
        answers.map(
          ([option, form, isRemembered]) => [method, store, option, form, isRemembered, signIn, make] as const
        )
      )
    )
  )("by %s in %s: %s, %o outlives the browser: %s", async (_, __, option, form, isRemembered, signIn, make) => {
    const setup = make(option)
    const browser = visitor(setup.auth.handler)
    assert.strictEqual(outlives(await signIn(setup, browser, form)), isRemembered)
    assert.isNotNull(await browser.session())
    // Through renewals.
    for (let renewal = 0; renewal < 3; renewal++)
      assert.strictEqual(outlives(await browser.get("/auth/session")), isRemembered)
  })

  it.each(
    stores.flatMap(([store, make]) =>
      ([undefined, false, "ask"] as const).flatMap((option) =>
        ([undefined, true, false] as const).map((rememberMe) => [store, option, rememberMe, make] as const)
      )
    )
  )("by signIn of the server in %s: %s, %s", async (_, option, rememberMe, make) => {
    const { auth, userId } = make(option)
    const id = await userId()
    const headers = await auth.signIn(new Request(site), { id }, { rememberMe })
    const isRemembered = rememberMe ?? option === undefined
    assert.strictEqual(outlives(headers), isRemembered)
    const cookie = headers
      .getSetCookie()
      .map((line) => line.replace(/;.*/, ""))
      .join("; ")
    const answer = new Headers()
    assert.strictEqual((await auth.getSession(new Headers({ cookie }), answer))?.userId, id)
    assert.strictEqual(outlives(answer), isRemembered)
  })

  it("has a token of the application that can be looked up, or none", async () => {
    const begin = async (length: number) => {
      const generateSessionToken = () => "a".repeat(length)
      const setup = make(false, { strategy: "database", absoluteMaxAge: 3600, generateSessionToken }, adapterOfAuthJs())
      const headers = await setup.auth.signIn(new Request(site), { id: await setup.userId() })
      const cookie = headers.getSetCookie().map((line) => line.replace(/;.*/, ""))
      return setup.auth.getSession(new Headers({ cookie: cookie.join("; ") }))
    }
    for (const length of [16, 500]) assert.isNotNull(await begin(length))
    const failure: unknown = await begin(512).catch((cause: unknown) => cause)
    assert.include(String(failure), "must return 16 to 512 characters, with those that rememberMe")
  })

  it('is asked for in each form of the sign-in page with "ask", and in none without', async () => {
    for (const [option, count] of [
      ["ask", 4],
      [true, 0],
      [undefined, 0],
      [false, 0]
    ] as const) {
      const { auth } = make(option, { strategy: "jwt" }, adapterOfAuthJs())
      const page = await (await auth.handler(new Request(`${site}/auth/signin`))).text()
      assert.lengthOf(page.match(/<input type="checkbox" name="rememberMe"/g) ?? [], count)
    }
  })
})
