import { assert, beforeAll, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Adapter from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import * as Index from "../../src/index.ts"
import * as Mailer from "../../src/Mailer.ts"
import * as Email from "../../src/Provider/Email.ts"
import * as Passkey from "../../src/Provider/Passkey.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { fieldsOf } from "../Mailed.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { options, type Site, site, visitor, type Visitor } from "../Visitor.ts"
import { forFunctions } from "../ForFunctions.ts"
import {
  create,
  type CreationOptions,
  type Credential,
  get,
  type RequestOptions
} from "../webauthn/SoftwareAuthenticator.ts"

/** One copy of the library. */
interface Copy {
  readonly index: typeof Index
  readonly adapter: typeof Adapter
  readonly mailer: typeof Mailer
  readonly email: typeof Email
  readonly passkey: typeof Passkey
  /** Runs with what the runtime of this copy has. */
  readonly within: <A>(run: () => Promise<A>) => Promise<A>
}

const here: Copy = {
  index: Index,
  adapter: Adapter,
  mailer: Mailer,
  email: Email,
  passkey: Passkey,
  within: (run) => run()
}

/** Runs where the modules of Node cannot be found, as on an edge worker. */
const withoutNode = async <A>(run: () => Promise<A>): Promise<A> => {
  vi.stubGlobal("process", { env: {} })
  try {
    return await run()
  } finally {
    vi.unstubAllGlobals()
  }
}

const state: { edge: Copy; engine: string } = { edge: here, engine: "none" }

beforeAll(async () => {
  vi.resetModules()
  await withoutNode(async () => {
    const index = await import("../../src/index.ts")
    state.edge = {
      index,
      adapter: await import("../../src/Adapter.ts"),
      mailer: await import("../../src/Mailer.ts"),
      email: await import("../../src/Provider/Email.ts"),
      passkey: await import("../../src/Provider/Passkey.ts"),
      within: withoutNode
    }
    await index.Auth(new Request(`${site}/auth/csrf`), forFunctions(options()))
    const { defaultEngine } = await import("../../src/crypto/CryptoEngine.ts")
    state.engine = defaultEngine()._tag
  })
})

const ada = "ada@mail.example"

interface Shop {
  readonly at: Site
  readonly store: AdapterShape
  /** The link of the last mail. */
  readonly link: () => Promise<URL>
  readonly agree: (address: string) => URL
}

interface Parts {
  readonly store: AdapterShape
  readonly mailer: ReturnType<typeof Mailer.capture>
  readonly provider: ReturnType<typeof memoryProvider>
}

const partsOf = ({ adapter, mailer }: Copy): Parts => ({
  store: adapter.makeMemory(),
  mailer: mailer.capture(),
  provider: memoryProvider()
})

/** A site of this copy over these parts. */
const shop = (copy: Copy, strategy: "database" | "jwt", { mailer, provider, store }: Parts = partsOf(copy)): Shop => {
  const { email, index, passkey } = copy
  const config: Options = options({
    providers: [idp({ [index.customFetch]: provider.fetch }), email.Email(), passkey.Passkey()],
    experimental: { enableWebAuthn: true },
    // Every read renews a session of the store.
    session: { strategy, updateAge: 0 },
    adapter: store,
    mailer
  })
  return {
    at: (request) => copy.within(() => index.Auth(request, forFunctions(config))),
    store,
    link: async () => new URL((await Effect.runPromise(mailer.mails)).at(-1)?.url ?? "https://there-is.no/mail"),
    agree: (address) => provider.agree(address)
  }
}

/** A text without its random parts and times. */
const mask = (text: string): string =>
  text
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, "uuid")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "digest")
    .replaceAll(/(authjs\.browser=)[\w-]{22}\.\d+(\.[\w-]+\.)[\w-]{43}/g, "$1id.time$2proof")
    .replaceAll(/eyJ[\w-]+\.[\w.-]*/g, "sealed")
    .replaceAll(/[\w-]{40,}/g, ({ length }) => `random ${length < 100 ? length : ""}`)
    .replaceAll(/flow\.[\w-]+/g, "flow.id")
    .replaceAll(/request_id=[\w-]+/g, "request_id=random")
    .replaceAll(/Expires=[^;]+/g, "Expires=time")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")

const told = async (response: Response): Promise<unknown> => [
  response.status,
  [...response.headers]
    .filter(([name]) => name !== "set-cookie")
    .map(([name, value]) => [name, name === "x-request-id" ? "random" : mask(value)]),
  response.headers.getSetCookie().map(mask),
  mask(await response.text())
]

const pathOf = (url: URL | string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const optionsOf = async <A>(response: Response): Promise<A> =>
  ((await response.clone().json()) as { options: A }).options

const postKey = (who: Visitor, action: string, data: unknown) =>
  who.submit("/auth/callback/passkey", { action, data: JSON.stringify(data) })

/** Opens a link and presses the button of its page. */
const press = async (who: Visitor, link: URL): Promise<ReadonlyArray<Response>> => {
  const page = await who.get(pathOf(link))
  return [page, await who.post(link.pathname, fieldsOf(await page.clone().text()))]
}

type Played = (shop: Shop, keep: (response: Response) => Promise<Response>) => Promise<void>

const flows: ReadonlyArray<readonly [title: string, strategy: "database" | "jwt", play: Played]> = [
  ...(["database", "jwt"] as const).map(
    (strategy) =>
      [
        `a sign-in at a provider, ${strategy}`,
        strategy,
        async ({ agree, at }: Shop, keep: (response: Response) => Promise<Response>) => {
          const who = visitor(at)
          const away = await keep(await who.submit("/auth/signin/idp"))
          const back = pathOf(agree(away.headers.get("location") ?? ""))
          await keep(await who.get(back))
          const copy = new Map(who.cookies)
          for (let reads = 0; reads < 2; reads++) await keep(await who.get("/auth/session"))
          await keep(await who.submit("/auth/session", { data: "x" }))
          await keep(await who.submit("/auth/signin/idp", { callbackUrl: "/again" }))
          await keep(await who.submit("/auth/signout", { callbackUrl: "/bye" }))
          await keep(await who.get("/auth/session"))
          // A session that was signed out elsewhere, a used code, and a session that never existed.
          for (const [name, value] of copy) who.cookies.set(name, value)
          if (strategy === "database") await keep(await who.get("/auth/session"))
          await keep(await who.get(back))
          await keep(await visitor(at).get("/auth/session", { cookie: "__Secure-authjs.session-token=nothing" }))
        }
      ] as const
  ),
  ...(["database", "jwt"] as const).map(
    (strategy) =>
      [
        `a link by email, ${strategy}`,
        strategy,
        async ({ at, link }: Shop, keep: (response: Response) => Promise<Response>) => {
          const who = visitor(at)
          await keep(await who.submit("/auth/signin/email", { email: " ADA@mail.example", callbackUrl: "/in" }))
          const first = await link()
          await keep(await visitor(at).get(pathOf(first)))
          for (const response of await press(who, first)) await keep(response)
          await keep(await who.get("/auth/session"))
          for (const response of await press(visitor(at), first)) await keep(response)
          await keep(await who.submit("/auth/signin/email", { email: "no address" }))
          await keep(await who.get("/auth/callback/email?token=x&email=ada@mail.example"))
          await keep(await who.submit("/auth/signout"))
        }
      ] as const
  ),
  [
    "a key",
    "database",
    async ({ at, link }, keep) => {
      const who = visitor(at)
      const register = await keep(await who.get(`/auth/webauthn-options/passkey?action=register&email=${ada}`))
      const { credential, data } = create(await optionsOf<CreationOptions>(register), site)
      await keep(await postKey(who, "register", data))
      await keep(await postKey(who, "register", data))
      for (const response of await press(who, await link())) await keep(response)
      await keep(await who.get("/auth/session"))
      await keep(await who.submit("/auth/signout"))
      const ask = async () => keep(await who.get("/auth/webauthn-options/passkey?action=authenticate"))
      const sign = async (key: Credential, lies: object = {}) => {
        const asked = await optionsOf<RequestOptions>(await ask())
        key.counter++
        await keep(await postKey(who, "authenticate", get(key, asked, site, lies)))
      }
      await sign(credential, { signature: Buffer.alloc(70, 7) })
      await sign(credential, { origin: "https://evil.example" })
      await sign(credential)
      await keep(await who.get("/auth/session"))
      await keep(await who.get(`/auth/webauthn-options/passkey?action=register`))
    }
  ]
]

/** Rows of the user, without ids and times. */
const rowsOf = ({ store }: Shop, email: string) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const user = yield* store.getUserByEmail(email)
      if (Option.isNone(user)) return "nobody"
      const { id, ...row } = user.value
      const rows = [
        row,
        ...(yield* store.listAccounts(id)).map((account) => ({ ...account, providerAccountId: "", expires_at: 0 })),
        ...(yield* store.listAuthenticatorsByUserId(id)).map((key) => ({
          ...key,
          credentialID: "",
          providerAccountId: "",
          credentialPublicKey: key.credentialPublicKey.length
        }))
      ]
      return mask(JSON.stringify(rows))
    })
  )

describe("a runtime without the modules of Node, with a store", () => {
  it("H296 is another copy, which runs on WebCrypto", () => {
    assert.notStrictEqual(state.edge.adapter.makeMemory, Adapter.makeMemory)
    assert.strictEqual(state.engine, "WebCrypto")
  })

  for (const [title, strategy, play] of flows) {
    it(`H296 gives the same answers, and keeps the same: ${title}`, async () => {
      const journey = async (copy: Copy) => {
        const answers: Array<unknown> = []
        const one = shop(copy, strategy)
        await play(one, async (response) => {
          answers.push(await told(response.clone()))
          return response
        })
        return { answers, rows: [await rowsOf(one, ada), await rowsOf(one, "ada@example.com")] }
      }
      const there = await journey(state.edge)
      assert.isAbove(there.answers.length, 7)
      assert.notDeepEqual(there.rows, ["nobody", "nobody"])
      assert.deepStrictEqual(there, await journey(here))
    })
  }

  it("H296 shares sessions, links and ceremonies with the others over one store", async () => {
    for (const [first, second] of [
      [state.edge, here],
      [here, state.edge]
    ] as const) {
      const parts = partsOf(first)
      const from = shop(first, "database", parts)
      const to = shop(second, "database", parts)
      const move = (who: Visitor, target: Shop): Visitor => {
        const moved = visitor(target.at)
        for (const [name, value] of who.cookies) moved.cookies.set(name, value)
        return moved
      }
      const asking = visitor(from.at)
      await asking.submit("/auth/signin/email", { email: ada })
      const following = move(asking, to)
      await press(following, await from.link())
      assert.strictEqual((await move(following, from).session())?.user?.["email"], ada)

      const started = visitor(from.at)
      const away = await started.submit("/auth/signin/idp")
      const back = move(started, to)
      await back.get(pathOf(from.agree(away.headers.get("location") ?? "")))
      assert.strictEqual((await move(back, from).session())?.user?.["email"], "ada@example.com")

      const adding = move(following, from)
      const asked = await adding.get("/auth/webauthn-options/passkey?action=register")
      const { credential, data } = create(await optionsOf<CreationOptions>(asked), site)
      const made = await postKey(move(adding, to), "register", data)
      assert.notInclude(made.headers.get("location") ?? "", "error")
      const stranger = visitor(to.at)
      const proof = await stranger.get("/auth/webauthn-options/passkey?action=authenticate")
      credential.counter++
      const proving = move(stranger, from)
      await postKey(proving, "authenticate", get(credential, await optionsOf<RequestOptions>(proof), site))
      assert.strictEqual((await move(proving, to).session())?.user?.["email"], ada)
    }
  })
})
