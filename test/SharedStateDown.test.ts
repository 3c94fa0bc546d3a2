/** Results of whole requests while the store behind the shared state is down: the table of docs/reliability.md. */
import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { readFileSync } from "node:fs"
import * as Adapter from "../src/Adapter.ts"
import { Doorman, type DoormanOptions } from "../src/Doorman.ts"
import { AdapterError } from "../src/Errors.ts"
import * as Http from "../src/Http.ts"
import * as Mailer from "../src/Mailer.ts"
import { UserId } from "../src/Models.ts"
import { asUserId } from "../src/models/Id.ts"
import { Email } from "../src/Provider/Email.ts"
import * as ProviderTokens from "../src/ProviderTokens.ts"
import * as SharedState from "../src/SharedState.ts"
import { logoutToken } from "./actions/LogoutSite.ts"
import { idp, memoryProvider } from "./MemoryProvider.ts"
import { rotating, rotatingProvider } from "./RotatingProvider.ts"
import { listener, ownSite, password, secret, site, type Visitor, visitor } from "./Visitor.ts"
import { forLayer } from "./ForLayer.ts"
import { makeStore } from "./StateStore.ts"
import { offline } from "./Offline.ts"

/** One browser at a site whose shared state is on a store. */
const at = async (
  more: Partial<DoormanOptions>,
  play: (person: Visitor, store: ReturnType<typeof makeStore>, lines: ReadonlyArray<string>) => Promise<void>,
  client: Layer.Layer<HttpClient.HttpClient> = offline
): Promise<void> => {
  const state = makeStore()
  const lines: Array<string> = []
  const logger = { ...listener().logger, error: (error: Error) => void lines.push(error.name) }
  const auth = Doorman.layer(forLayer({ providers: [password()], secret, origin: site, logger, ...more }))
  const { dispose, handler } = HttpRouter.toWebHandler(
    Http.layerMount().pipe(
      Layer.provide(Layer.provide(auth, SharedState.layer(state.store))),
      Layer.provide([client, HttpServer.layerServices]),
      Layer.orDie
    ),
    { disableLogger: true }
  )
  const person = visitor((request) => handler(request), site)
  await play(person, state, lines).finally(() => void dispose())
}

const locationOf = (response: Response): string => response.headers.get("location") ?? ""

const linkOf = ({ mails }: Mailer.Mailbox["Service"], count = 1): Promise<string> =>
  vi.waitFor(
    () => {
      const sent = Effect.runSync(mails)
      const mail = sent[count - 1]
      if (mail === undefined) throw new Error("not sent yet")
      const { pathname, search } = new URL(mail.url)
      return `${pathname}${search}`
    },
    { timeout: 60_000 }
  )

const withLinks = (
  box: Mailer.Mailer["Service"],
  more: Partial<Adapter.AdapterShape> = {}
): Partial<DoormanOptions> => {
  const store = Adapter.makeMemory()
  return {
    providers: [Email({ consumeOn: "get", from: "site@app.example" })],
    adapter: { ...store, ...more, methods: new Set([...store.methods].filter((name) => name !== "transaction")) },
    mailer: box
  }
}

const signInByLink = async (person: Visitor, box: Mailer.Mailbox["Service"]): Promise<void> => {
  await person.submit("/auth/signin/email", { email: "ann@example.com" })
  await person.get(await linkOf(box))
}

const rows: ReadonlyArray<readonly [string, () => Promise<void>]> = [
  [
    "a sign-in that must count once",
    async () => {
      const provider = memoryProvider()
      await at(
        { providers: [idp()] },
        async (person, { faults }, lines) => {
          const signIn = async () => {
            const away = await person.submit("/auth/signin/idp", { callbackUrl: "/welcome" })
            const back = provider.agree(locationOf(away))
            return person.get(`${back.pathname}${back.search}`)
          }
          faults.isDown = true
          assert.include(locationOf(await signIn()), "error=Configuration")
          assert.deepStrictEqual(lines, ["SharedStateError"])
          assert.isNull(await person.session())
          assert.strictEqual(provider.count("/token"), 0)
          faults.isDown = false
          assert.strictEqual(locationOf(await signIn()), `${site}/welcome`)
        },
        provider.layer
      )
    }
  ],
  [
    "a sign-in by password, a mail with a link",
    async () => {
      await at({ providers: [password(() => null)] }, async (person, { faults }, lines) => {
        faults.isDown = true
        const codes: Array<string | null> = []
        for (let count = 0; count < 12; count++)
          codes.push(new URL(locationOf(await person.signIn())).searchParams.get("code"))
        assert.deepStrictEqual(
          codes.map((code) => code === "throttled"),
          codes.map((_, index) => index >= 10)
        )
        assert.include(lines, "SharedStateError")
      })
      const box = Mailer.capture()
      await at(withLinks(box), async (person, { faults }) => {
        faults.isDown = true
        for (let count = 0; count < 7; count++) await person.submit("/auth/signin/email", { email: "ann@example.com" })
        await linkOf(box, 5)
        assert.lengthOf(Effect.runSync(box.mails), 5)
      })
    }
  ],
  [
    "a read of a session in a database",
    async () => {
      const box = Mailer.capture()
      await at(withLinks(box), async (person, { faults }, lines) => {
        await signInByLink(person, box)
        assert.isNotNull(await person.session())
        const cookies = [...person.cookies]
        faults.isDown = true
        assert.isNull(await person.session())
        assert.deepStrictEqual([...person.cookies], cookies)
        assert.deepStrictEqual(lines, ["SessionTokenError"])
        faults.isDown = false
        assert.isNotNull(await person.session())
      })
    }
  ],
  [
    "a read of a session in a token",
    () =>
      at({}, async (person, { calls, faults }) => {
        await person.signIn()
        faults.isDown = true
        Object.assign(calls, { get: 0, swap: 0 })
        assert.isNotNull(await person.session())
        assert.deepStrictEqual(calls, { get: 0, swap: 0 })
      })
  ],
  [
    "a sign-out whose row cannot be deleted",
    async () => {
      const box = Mailer.capture()
      const down = Effect.fail(new AdapterError({ method: "deleteSession", reason: "unavailable" }))
      await at(withLinks(box, { deleteSession: () => down }), async (person, { faults }, lines) => {
        await signInByLink(person, box)
        faults.isDown = true
        await person.submit("/auth/signout")
        assert.includeMembers([...lines], ["SharedStateError", "SignOutError"])
        faults.isDown = false
        assert.isNull(await person.session())
      })
    }
  ],
  [
    "a link that is followed",
    async () => {
      const box = Mailer.capture()
      await at(withLinks(box), async (person, { faults }, lines) => {
        await person.submit("/auth/signin/email", { email: "ann@example.com" })
        const link = await linkOf(box)
        const before = new Map(person.cookies)
        faults.isDown = true
        assert.notInclude(locationOf(await person.get(link)), "error=")
        assert.include(lines, "SharedStateError")
        faults.isDown = false
        assert.isNotNull(await person.session())
        person.cookies.clear()
        for (const [name, value] of before) person.cookies.set(name, value)
        assert.include(locationOf(await person.get(link)), "error=Verification")
      })
    }
  ],
  [
    "a read of a session that can be revoked",
    () =>
      at({ session: { revocation: true, revocationCheck: "1 hour" } }, async (person, { faults }, lines) => {
        await person.signIn()
        const cookies = [...person.cookies]
        faults.isDown = true
        // This process has not asked for the session yet.
        assert.isNull(await person.session())
        assert.deepStrictEqual([...person.cookies], cookies)
        assert.deepStrictEqual(lines, ["JwtSessionError"])
        faults.isDown = false
        assert.isNotNull(await person.session())
        faults.isDown = true
        assert.isNotNull(await person.session())
      })
  ],
  [
    "a sign-in or a sign-out where sessions can be revoked",
    () =>
      at({ session: { revocation: true } }, async (person, { faults }, lines) => {
        await person.signIn()
        const copy = new Map(person.cookies)
        faults.isDown = true
        await person.submit("/auth/signout")
        assert.includeMembers([...lines], ["SignOutError"])
        assert.isNull(await person.session())
        assert.include(locationOf(await person.signIn()), "error=Configuration")
        faults.isDown = false
        assert.isNull(await person.session())
        for (const [name, value] of copy) person.cookies.set(name, value)
        assert.isNotNull(await person.session())
      })
  ],
  [
    "a logout that a provider posts",
    async () => {
      const provider = memoryProvider()
      provider.claims["sid"] = "provider-session-1"
      const options = { providers: [idp({ backchannelLogout: true })], session: { revocation: true } }
      await at(
        options,
        async (person, { faults }) => {
          const away = await person.submit("/auth/signin/idp", { callbackUrl: "/welcome" })
          const back = provider.agree(locationOf(away))
          await person.get(`${back.pathname}${back.search}`)
          const token = await Effect.runPromise(logoutToken())
          faults.isDown = true
          assert.strictEqual((await person.post("/auth/backchannel-logout/idp", { logout_token: token })).status, 503)
          faults.isDown = false
          assert.isNotNull(await person.session())
          assert.strictEqual((await person.post("/auth/backchannel-logout/idp", { logout_token: token })).status, 200)
          assert.isNull(await person.session())
        },
        provider.layer
      )
    }
  ],
  [
    "a token of a provider that must be refreshed",
    async () => {
      const { faults, store } = makeStore()
      const provider = rotatingProvider()
      const adapter = Adapter.makeMemory()
      const account = { provider: "acme", providerAccountId: "1", type: "oauth", userId: asUserId("ada") } as const
      const tokens = { access_token: "access-0", refresh_token: "refresh-0" }
      const expiresIn = (seconds: number) => ({ expires_at: Math.floor(Date.now() / 1000) + seconds })
      const auth = Doorman.layer(
        forLayer(ownSite({ adapter, providers: [rotating()], logger: listener().logger }))
      ).pipe(Layer.provide([Layer.succeed(HttpClient.HttpClient, provider.client), SharedState.layer(store)]))
      const get = ProviderTokens.get({ userId: UserId.make("ada"), provider: "acme" })
      const program = Effect.gen(function* () {
        yield* adapter.createUser({ id: asUserId("ada"), email: "ada@example.com", emailVerified: null })
        yield* adapter.linkAccount({ ...account, ...tokens, ...expiresIn(600) })
        faults.isDown = true
        assert.strictEqual(Redacted.value((yield* get).accessToken), "access-0")
        yield* adapter.updateAccount({ ...account, ...tokens, ...expiresIn(0) })
        assert.strictEqual((yield* Effect.flip(get))._tag, "SharedStateError")
        assert.lengthOf(provider.requests, 0)
        faults.isDown = false
        assert.strictEqual(Redacted.value((yield* get).accessToken), "access-1")
      })
      await Effect.runPromise(Effect.provide(program, auth))
    }
  ]
]

describe("while the store of the shared state is down", () => {
  for (const [name, check] of rows) it(name, check)

  it("has a row in docs/reliability.md for each of these", () => {
    const page = readFileSync(new URL("../docs/reliability.md", import.meta.url), "utf8")
    const table = page.slice(page.indexOf("while the store is down"))
    const named = [...table.slice(0, table.indexOf("\n\n")).matchAll(/^\| (a [^|]+?) +\|/gm)].map(([, row]) => row)
    assert.deepStrictEqual(
      named,
      rows.map(([row]) => row)
    )
  })
})
