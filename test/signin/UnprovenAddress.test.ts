/**
 * An address that a user holds without proof opens nothing, keeps nobody out, and is taken from nobody but by its owner.
 */
import { asUserId } from "../../src/models/Id.ts"
import { dateAt } from "../../src/internal/DateAt.ts"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { makeMemory } from "../../src/Adapter.ts"
import { Settings, type Options } from "../../src/config/Settings.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import { AdapterError } from "../../src/Errors.ts"
import type { Account } from "../../src/Models.ts"
import { Discord } from "../../src/Provider/Discord.ts"
import { Email } from "../../src/Provider/Email.ts"
import { GitHub } from "../../src/Provider/GitHub.ts"
import { Google } from "../../src/Provider/Google.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import * as ServerSignIn from "../../src/actions/ServerSignIn.ts"
import { make as fromPromises, type PromiseAdapter } from "../../src/authjs/PromiseAdapter.ts"
import type { AdapterMethod, AdapterShape } from "../../src/storage/AdapterShape.ts"
import { type Browser, signInAt } from "../Browser.ts"
import { ask, browser, fieldsOf, mailed, press } from "../Mailed.ts"
import { idp, idpOrigin, memoryProvider } from "../MemoryProvider.ts"
import { password, site } from "../Visitor.ts"

const address = "ada@example.com"
const client = { clientId: "client-1", clientSecret: "a client secret" }
const platforms = [Google(client), GitHub(client), idp(), Email()]

const jwtOf = (claims: object): string =>
  ["{}", JSON.stringify(claims), "signature"].map((part) => Buffer.from(part).toString("base64url")).join(".")

/** A site whose store has the user of the address, who never proved it, with these accounts. */
const siteWith = (accounts: ReadonlyArray<Account>, more: Partial<Options> = {}) => {
  const mail = mailed({ more: { providers: platforms, ...more } })
  const seed = Effect.gen(function* () {
    yield* mail.store.createUser({
      id: asUserId("before"),
      email: address,
      emailVerified: null,
      name: "Before",
      image: null
    })
    for (const { provider, providerAccountId, ...rest } of accounts) {
      yield* mail.store.linkAccount({ ...rest, provider, providerAccountId, userId: asUserId("before"), type: "oidc" })
    }
  })
  const follow = Effect.fnUntraced(function* (who: Browser) {
    yield* ask(who, address)
    return yield* press(who, yield* mail.link)
  })
  const holder = Effect.map(mail.store.getUserByEmail(address), Option.getOrUndefined)
  return { ...mail, seed, follow, holder }
}

const account = (provider: string, more: Partial<Account> = {}): Account => ({
  provider,
  providerAccountId: `${provider}-1`,
  type: "oidc",
  ...more
})

type Refusing = (store: AdapterShape) => PromiseAdapter

/** A store as Auth.js knows it. */
const plain: Refusing = (store) => {
  const run = <A>(program: Effect.Effect<A, unknown>) => Effect.runPromise(program)
  const orNull = <A>(program: Effect.Effect<Option.Option<A>, unknown>) => run(Effect.map(program, Option.getOrNull))
  return {
    createUser: (user) => run(store.createUser({ ...user, id: asUserId(user.id) })),
    getUser: (id) => orNull(store.getUser(asUserId(id))),
    getUserByEmail: (email) => orNull(store.getUserByEmail(email)),
    getUserByAccount: (key) => orNull(store.getUserByAccount(key)),
    updateUser: (change) => run(store.updateUser({ ...change, id: asUserId(change.id) })),
    linkAccount: (row) => run(store.linkAccount({ ...row, userId: asUserId(row.userId) })),
    createSession: (session) => run(store.createSession({ ...session, userId: asUserId(session.userId) })),
    getSessionAndUser: (token) => orNull(store.getSessionAndUser(token)),
    updateSession: (change) => orNull(store.updateSession(change)),
    deleteSession: (token) => orNull(store.deleteSession(token)),
    createVerificationToken: (token) => run(store.createVerificationToken(token)),
    useVerificationToken: (key) => orNull(store.useVerificationToken(key))
  }
}

describe("a user of a platform that hands out verified addresses only", () => {
  const stated = (claims: object) => account("google", { id_token: jwtOf(claims) })
  const rows: ReadonlyArray<readonly [string, ReadonlyArray<Account>, boolean, Partial<Options>?]> = [
    ["one account of Google", [account("google")], true],
    ["one account of GitHub", [account("github")], true],
    ["accounts of both", [account("google"), account("github")], true],
    ["an ID token with the address", [stated({ email: address, email_verified: true })], true],
    ["an ID token with the address in capitals", [stated({ email: "Ada@Example.com", email_verified: true })], true],
    ["that, and an account of another provider", [stated({ email: address }), account("idp")], true],
    ["an ID token with another address", [stated({ email: "eve@example.com", email_verified: true })], false],
    ["an ID token that denies the address", [stated({ email: address, email_verified: false })], false],
    ["an ID token that denies it in a text", [stated({ email: address, email_verified: "false" })], false],
    ["an ID token that is none", [account("google", { id_token: "nothing" })], true],
    ["an account of another provider", [account("idp")], false],
    ["an account of a provider that is not configured", [account("former")], false],
    ["one of Google and one of another provider", [account("google"), account("idp")], false],
    ["no account", [], true],
    ["no account, where there are passwords", [], false, { providers: [...platforms, password()] }],
    ["one of Google, where there are passwords", [account("google")], false, { providers: [...platforms, password()] }],
    [
      "an ID token with the address, where there are passwords",
      [stated({ email: address })],
      true,
      { providers: [...platforms, password()] }
    ],
    [
      "one of Google with a mapping of the application",
      [account("google")],
      false,
      { providers: [Google({ ...client, profile: ({ sub }) => ({ id: sub, email: address }) }), Email()] }
    ]
  ]
  for (const [name, accounts, isProven, more] of rows) {
    it.effect(`in rows of Auth.js: ${name} ${isProven ? "proves" : "does not prove"} the address`, () => {
      const here = siteWith(accounts, more)
      return Effect.gen(function* () {
        yield* here.seed
        const who = browser()
        const { failure } = yield* here.follow(who)
        assert.strictEqual(failure?._tag, isProven ? undefined : "UnprovenAddress")
        const user = yield* here.holder
        assert.strictEqual(user?.id, "before")
        assert.strictEqual(user?.emailVerified === null, !isProven)
        assert.strictEqual((yield* who.session)?.user?.["email"], isProven ? address : undefined)
      }).pipe(here.at)
    })
  }

  it.effect("counts once: from the first sign-in here on, emailVerified says whether the address is proven", () => {
    const here = siteWith([account("github")])
    return Effect.gen(function* () {
      yield* here.seed
      assert.isUndefined((yield* here.follow(browser())).failure)
      // The application lets its user name another address, and says that nobody verified it.
      yield* here.store.updateUser({ id: asUserId("before"), email: "victim@example.com", emailVerified: null })
      const victim = browser()
      yield* ask(victim, "victim@example.com")
      const { failure } = yield* press(victim, yield* here.link)
      assert.strictEqual(failure?._tag, "UnprovenAddress")
    }).pipe(here.at)
  })

  const github = GitHub(client)
  const methods: ReadonlyArray<readonly [string, Options["providers"], boolean]> = [
    ["mailed links alone", [Email()], true],
    ["platforms that hand out verified addresses only, and mailed links", [Google(client), github, Email()], true],
    ["that, and a provider of the application's own", platforms, false],
    ["that, and passwords", [github, Email(), password()], false],
    ["that, and passkeys", [github, Email(), Passkey()], false],
    ["that, with a server of one's own", [GitHub({ ...client, enterprise: { baseUrl: idpOrigin } }), Email()], false],
    [
      "that, with a mapping of the application",
      [GitHub({ ...client, profile: () => ({ id: "github-1" }) }), Email()],
      false
    ],
    ["that, and a platform that says nothing of addresses", [github, Discord(client), Email()], false],
    ["that, and a provider that is disabled", [github, Google({ ...client, issuer: "no address" }), Email()], false]
  ]
  for (const [name, providers, isProven] of methods) {
    it.effect(`with a store that lists no accounts: ${name} ${isProven ? "prove" : "do not prove"} the address`, () => {
      const memory = makeMemory()
      const here = siteWith([], {
        adapter: fromPromises(plain(memory)),
        providers,
        experimental: { enableWebAuthn: true }
      })
      return Effect.gen(function* () {
        yield* memory.createUser({ id: asUserId("before"), email: address, emailVerified: null })
        yield* memory.linkAccount({ ...account("github"), type: "oauth", userId: asUserId("before") })
        const who = browser()
        const { failure } = yield* here.follow(who)
        assert.strictEqual(failure?._tag, isProven ? undefined : "UnprovenAddress")
        const holder = Option.getOrThrow(yield* memory.getUserByEmail(address))
        assert.strictEqual(holder.id, "before")
        assert.strictEqual(holder.emailVerified === null, !isProven)
        assert.strictEqual((yield* who.session)?.user?.["email"], isProven ? address : undefined)
      }).pipe(here.at)
    })
  }
})

describe("a user whom the application signs in by itself", () => {
  const without = (store: AdapterShape, left: ReadonlyArray<AdapterMethod>): AdapterShape => ({
    ...store,
    methods: new Set([...store.methods].filter((method) => !left.includes(method)))
  })
  const signedIn = Effect.gen(function* () {
    const { basePath } = yield* Settings
    const request = yield* fromWeb(new Request(`${site}/auth/session`), basePath)
    return yield* Effect.provideService(ServerSignIn.signIn({ id: asUserId("before") }), AuthRequest, request)
  })

  for (const [name, methods] of [
    ["lists accounts", []],
    ["lists accounts, and no uses", ["useOnce"]],
    ["lists no accounts", ["listAccounts", "useOnce"]]
  ] as const) {
    it.effect(`holds the address without proof: a person who proves it is asked (a store that ${name})`, () => {
      const memory = makeMemory()
      const store = without(memory, methods)
      const here = mailed({ more: { adapter: store, providers: [Email()] } })
      return Effect.gen(function* () {
        // A stranger registers with the address of somebody else, in a form of the application.
        yield* memory.createUser({ id: asUserId("before"), email: address, emailVerified: null })
        assert.isNotEmpty((yield* signedIn).cookies)
        const owner = browser()
        yield* ask(owner, address)
        const { failure } = yield* press(owner, yield* here.link)
        assert.strictEqual(failure?._tag, "UnprovenAddress")
        assert.isNull(yield* owner.session)
        assert.isNull(Option.getOrThrow(yield* memory.getUser(asUserId("before"))).emailVerified)
      }).pipe(here.at)
    })

    it.effect(`has proven it where the application says so (a store that ${name})`, () => {
      const memory = makeMemory()
      const here = mailed({ more: { adapter: without(memory, methods), providers: [Email()] } })
      return Effect.gen(function* () {
        yield* memory.createUser({ id: asUserId("before"), email: address, emailVerified: dateAt(0) })
        yield* signedIn
        const owner = browser()
        yield* ask(owner, address)
        assert.isUndefined((yield* press(owner, yield* here.link)).failure)
        assert.strictEqual((yield* owner.session)?.user?.["email"], address)
      }).pipe(here.at)
    })
  }
})

describe("the option unprovenAddress", () => {
  const strangers = [account("idp")]

  it.effect("release gives the address to a new account without asking, and tells both ids", () => {
    const told: Array<unknown> = []
    const here = siteWith(strangers, {
      unprovenAddress: "release",
      events: { addressReleased: (message) => void told.push(message) }
    })
    return Effect.gen(function* () {
      yield* here.seed
      assert.isUndefined((yield* here.follow(browser())).failure)
      const user = yield* here.holder
      assert.notStrictEqual(user?.id, "before")
      assert.strictEqual(user?.email, address)
      assert.notStrictEqual(user?.name, "Before")
      assert.deepStrictEqual(told, [{ email: address, userId: user?.id, previousUserId: "before" }])
      assert.strictEqual(Option.getOrThrow(yield* here.store.getUser(asUserId("before"))).email, "")
    }).pipe(here.at)
  })

  it.effect("keep signs in to the user who is there, as Auth.js does", () => {
    const here = siteWith(strangers, { unprovenAddress: "keep" })
    return Effect.gen(function* () {
      yield* here.seed
      assert.isUndefined((yield* here.follow(browser())).failure)
      assert.strictEqual((yield* here.holder)?.id, "before")
    }).pipe(here.at)
  })

  it.play("ask tells a program the choice as problem details", siteWith(strangers), function* (here) {
    yield* here.seed
    const who = browser()
    yield* ask(who, address)
    const link = yield* here.link
    const page = yield* who.get(link)
    const seen = yield* who.send("POST", link.pathname, {
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: new URLSearchParams(fieldsOf(page.body)).toString()
    })
    assert.strictEqual(seen.status, 409)
    assert.deepInclude(JSON.parse(seen.body), {
      type: "urn:effect-doorman:UnprovenAddress",
      code: "UnprovenAddress",
      status: 409
    })
    assert.isUndefined((yield* who.submit("/auth/signin/email", { account: "new" })).failure)
    assert.strictEqual((yield* who.session)?.user?.["email"], address)
  })

  it.play(
    "ask names the address on its page only to the browser that proved it",
    siteWith(strangers),
    function* (here) {
      yield* here.seed
      const who = browser()
      const { location } = yield* here.follow(who)
      assert.strictEqual(location, `${site}/auth/signin?error=UnprovenAddress&provider=email`)
      assert.include((yield* who.get(location ?? "")).body, "newAccountButton")
      const other = yield* browser().get(location ?? "")
      assert.notInclude(other.body, address)
      assert.notInclude(other.body, "newAccountButton")
    }
  )

  it.effect("a new account is begun by a form of this site, with its token, and ten minutes long", () => {
    const here = siteWith(strangers)
    return Effect.gen(function* () {
      yield* here.seed
      const who = browser()
      yield* here.follow(who)
      const forged = yield* who.send("POST", "/auth/signin/email", {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "account=new"
      })
      assert.strictEqual(forged.failure?._tag, "MissingCsrf")
      assert.strictEqual((yield* who.submit("/auth/signin/idp", { account: "new" })).failure?._tag, "Verification")
      assert.strictEqual((yield* here.holder)?.id, "before")
    }).pipe(here.at)
  })

  /** A browser that was asked, and the cookie that holds its proof. */
  const asked = Effect.fnUntraced(function* (here: Pick<ReturnType<typeof siteWith>, "follow" | "seed">) {
    yield* here.seed
    const who = browser()
    yield* here.follow(who)
    const held = [...who.cookies].filter(([name]) => name.endsWith("authjs.address-proof"))
    assert.lengthOf(held, 1)
    return { who, hold: () => held.forEach(([name, value]) => who.cookies.set(name, value)) }
  })

  for (const [minutes, isHeld] of [
    ["599 seconds", true],
    ["10 minutes", false],
    ["1 hour", false]
  ] as const) {
    it.effect(`the proof of the address ${isHeld ? "is good" : "is worthless"} after ${minutes}`, () => {
      const here = siteWith(strangers)
      return Effect.gen(function* () {
        const { hold, who } = yield* asked(here)
        yield* TestClock.adjust(minutes)
        // Whatever the browser does with its cookies.
        hold()
        const { body } = yield* who.get("/auth/signin?error=UnprovenAddress&provider=email")
        assert.strictEqual(body.includes("newAccountButton"), isHeld)
        const { failure } = yield* who.submit("/auth/signin/email", { account: "new" })
        assert.strictEqual(failure?._tag, isHeld ? undefined : "Verification")
        assert.strictEqual((yield* here.holder)?.id === "before", !isHeld)
        assert.strictEqual((yield* who.session)?.user?.["email"], isHeld ? address : undefined)
      }).pipe(here.at)
    })

    it.effect(`a sign-in as that user ${isHeld ? "marks" : "does not mark"} the address after ${minutes}`, () => {
      const provider = memoryProvider()
      Object.assign(provider.claims, { email_verified: undefined })
      const here = siteWith([account("idp", { providerAccountId: "person-1" })])
      return Effect.gen(function* () {
        const { hold, who } = yield* asked(here)
        yield* TestClock.adjust(minutes)
        hold()
        assert.isUndefined((yield* signInAt(who, provider)).failure)
        const user = yield* here.holder
        assert.strictEqual(user?.id, "before")
        assert.strictEqual(user?.emailVerified === null, !isHeld)
      }).pipe((program) => here.at(program, provider))
    })
  }

  it.effect("the proof marks no other address that its user took meanwhile", () => {
    const provider = memoryProvider()
    Object.assign(provider.claims, { email_verified: undefined })
    const here = siteWith([account("idp", { providerAccountId: "person-1" })])
    return Effect.gen(function* () {
      const { who } = yield* asked(here)
      // The application lets its users name an address that nobody verified.
      yield* here.store.updateUser({ id: asUserId("before"), email: "victim@example.com", emailVerified: null })
      assert.isUndefined((yield* signInAt(who, provider)).failure)
      const user = Option.getOrThrow(yield* here.store.getUser(asUserId("before")))
      assert.strictEqual(user.email, "victim@example.com")
      assert.isNull(user.emailVerified)
    }).pipe((program) => here.at(program, provider))
  })

  it.effect("a new account that was chosen at one provider is begun at no other one", () => {
    const provider = memoryProvider()
    Object.assign(provider.claims, { email_verified: true })
    const here = siteWith([account("former")], { providers: [idp(), idp({ id: "other" }), Email()] })
    return Effect.gen(function* () {
      yield* here.seed
      const who = browser()
      assert.strictEqual((yield* signInAt(who, provider)).failure?._tag, "UnprovenAddress")
      assert.isUndefined((yield* who.submit("/auth/signin/idp", { account: "new" })).failure)
      const elsewhere = yield* who.get(provider.agree(yield* who.leave("other")))
      assert.strictEqual(elsewhere.failure?._tag, "UnprovenAddress")
      assert.strictEqual((yield* here.holder)?.id, "before")
      assert.isNull(yield* who.session)
    }).pipe((program) => here.at(program, provider))
  })

  it.play("the proof counts once, also for a browser that kept its cookie", siteWith(strangers), function* (here) {
    const { hold, who } = yield* asked(here)
    assert.isUndefined((yield* who.submit("/auth/signin/email", { account: "new" })).failure)
    const owner = yield* here.holder
    hold()
    yield* TestClock.adjust("61 seconds")
    const { failure } = yield* who.submit("/auth/signin/email", { account: "new" })
    assert.strictEqual(failure?._tag, "Verification")
    assert.isFalse([...who.cookies.keys()].some((name) => name.endsWith("authjs.address-proof")))
    assert.strictEqual((yield* here.holder)?.id, owner?.id)
  })

  for (const [what, without] of [
    ["keeps everything", []],
    ["remembers no used keys", ["useOnce"]]
  ] as const) {
    /** A store with transactions, one of whose calls fails. */
    const failing = (method: "createSession" | "updateUser") => {
      const store = makeMemory()
      const state = { fails: true }
      const first = Effect.suspend(() => {
        const { fails } = state
        state.fails = false
        return fails ? Effect.fail(new AdapterError({ method, reason: "unavailable" })) : Effect.void
      })
      const adapter: AdapterShape = {
        ...store,
        methods: new Set([...store.methods].filter((name) => !without.some((one) => one === name))),
        [method]: (...given: ReadonlyArray<never>) =>
          Effect.andThen(first, Reflect.apply(store[method], store, given) as Effect.Effect<unknown>)
      }
      const seed = Effect.andThen(
        store.createUser({ id: asUserId("before"), email: address, emailVerified: null }),
        store.linkAccount({ provider: "idp", providerAccountId: "person-1", userId: asUserId("before"), type: "oidc" })
      )
      return { ...siteWith([], { adapter }), users: store, seed }
    }

    it.play(`a unit that fails loses no proof on a store that ${what}`, failing("createSession"), function* (here) {
      const { hold, who } = yield* asked(here)
      const failed = yield* who.submit("/auth/signin/email", { account: "new" })
      assert.strictEqual(failed.failure?._tag, "AdapterError")
      hold()
      assert.isUndefined((yield* who.submit("/auth/signin/email", { account: "new" })).failure)
      assert.strictEqual((yield* who.session)?.user?.["email"], address)
    })

    it.effect(`a mark that fails loses no proof on a store that ${what}`, () => {
      const provider = memoryProvider()
      Object.assign(provider.claims, { email_verified: undefined })
      const here = failing("updateUser")
      return Effect.gen(function* () {
        const { hold, who } = yield* asked(here)
        assert.strictEqual((yield* signInAt(who, provider)).failure?._tag, "AdapterError")
        hold()
        assert.isUndefined((yield* signInAt(who, provider)).failure)
        const user = Option.getOrUndefined(yield* here.users.getUser(asUserId("before")))
        assert.isNotNull(user?.emailVerified)
        hold()
        const { failure } = yield* who.submit("/auth/signin/email", { account: "new" })
        assert.strictEqual(failure?._tag, "Verification")
      }).pipe((program) => here.at(program, provider))
    })
  }

  it.effect("a proof that made the address a user's own is used up", () => {
    const provider = memoryProvider()
    Object.assign(provider.claims, { email_verified: undefined })
    const here = siteWith([account("idp", { providerAccountId: "person-1" })])
    return Effect.gen(function* () {
      const { hold, who } = yield* asked(here)
      assert.isUndefined((yield* signInAt(who, provider)).failure)
      assert.isNotNull((yield* here.holder)?.emailVerified)
      hold()
      const { failure } = yield* who.submit("/auth/signin/email", { account: "new" })
      assert.strictEqual(failure?._tag, "Verification")
      assert.strictEqual((yield* here.holder)?.id, "before")
    }).pipe((program) => here.at(program, provider))
  })
})

describe("taking an address away", () => {
  const stores: ReadonlyArray<readonly [string, Refusing, RegExp | undefined]> = [
    ["takes null", plain, /^$/],
    [
      "wants an address of every user",
      (store) => ({
        ...plain(store),
        updateUser: async (change) => {
          if (change.email === null) throw new Error('null value in column "email" violates not-null constraint')
          return Effect.runPromise(store.updateUser({ ...change, id: asUserId(change.id) }))
        }
      }),
      /^[0-9a-f-]{36}@released\.invalid$/
    ],
    [
      "ignores null",
      (store) => ({
        ...plain(store),
        updateUser: ({ email, ...change }) =>
          Effect.runPromise(store.updateUser({ ...change, id: asUserId(change.id), ...(email ? { email } : {}) }))
      }),
      /^[0-9a-f-]{36}@released\.invalid$/
    ],
    [
      "keeps every address",
      (store) => ({
        ...plain(store),
        updateUser: (change) => Effect.runPromise(store.updateUser({ id: asUserId(change.id), name: change.name }))
      }),
      undefined
    ]
  ]
  for (const [name, adapterOf, expected] of stores) {
    it.effect(`from a store that ${name}`, () => {
      const memory = makeMemory()
      const here = siteWith([], { adapter: fromPromises(adapterOf(memory)), unprovenAddress: "release" })
      return Effect.gen(function* () {
        yield* memory.createUser({ id: asUserId("before"), email: address, emailVerified: null })
        const who = browser()
        const { failure } = yield* here.follow(who)
        const before = Option.getOrThrow(yield* memory.getUser(asUserId("before")))
        const holder = Option.getOrThrow(yield* memory.getUserByEmail(address))
        if (expected === undefined) {
          assert.strictEqual(failure?._tag, "AdapterError")
          assert.isTrue(here.log.entries.some(({ message }) => message === failure))
          assert.strictEqual(holder.id, "before")
          assert.isNull(holder.emailVerified)
          assert.isNull(yield* who.session)
        } else {
          assert.isUndefined(failure)
          assert.match(before.email, expected)
          assert.notStrictEqual(holder.id, "before")
          assert.isNotNull(holder.emailVerified)
        }
      }).pipe(here.at)
    })
  }
})

describe("a session that is a token", () => {
  it.effect("asks no store, and does not end when the address is proven elsewhere", () => {
    const provider = memoryProvider()
    Object.assign(provider.claims, { email_verified: undefined })
    const here = siteWith([], { session: { strategy: "jwt" } })
    return Effect.gen(function* () {
      const who = browser()
      yield* signInAt(who, provider)
      const user = yield* here.holder
      assert.isNull(user?.emailVerified)
      here.calls.length = 0
      assert.strictEqual((yield* who.session)?.user?.["email"], address)
      assert.deepStrictEqual(here.calls, [])
      yield* here.store.updateUser({ id: user?.id ?? "", emailVerified: dateAt(0) })
      assert.strictEqual((yield* who.session)?.user?.["email"], address)
    }).pipe((program) => here.at(program, provider))
  })
})

describe("an address that a provider denies", () => {
  it.effect("is stored as unproven, and signs in no user, for any trust of the application", () => {
    const provider = memoryProvider()
    Object.assign(provider.claims, { email_verified: false })
    const here = siteWith([], { providers: [idp({ allowDangerousEmailAccountLinking: true }), Email()] })
    return Effect.gen(function* () {
      yield* signInAt(browser(), provider)
      assert.isNull((yield* here.holder)?.emailVerified)
      const victim = browser()
      assert.strictEqual((yield* here.follow(victim)).failure?._tag, "UnprovenAddress")
      assert.isUndefined((yield* victim.submit("/auth/signin/email", { account: "new" })).failure)
      const owner = yield* here.holder
      Object.assign(provider.claims, { sub: "person-2" })
      const { failure } = yield* signInAt(browser(), provider)
      assert.strictEqual(failure?._tag, "OAuthAccountNotLinked")
      assert.deepStrictEqual(yield* here.store.listAccounts(asUserId(owner?.id ?? "")), [])
    }).pipe((program) => here.at(program, provider))
  })
})
