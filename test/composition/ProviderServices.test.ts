/** Functions of providers answer Effects that need services of the application: its layer provides them at each call. */
import { assert, describe, it, vi } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Adapter from "../../src/Adapter.ts"
import { Doorman } from "../../src/Doorman.ts"
import * as Http from "../../src/Http.ts"
import { Credentials } from "../../src/Provider/Credentials.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { idp, memoryProvider } from "../MemoryProvider.ts"
import { listener, secret, site, type Visitor, visitor } from "../Visitor.ts"
import { forLayer } from "../ForLayer.ts"

class SqlClient extends Context.Service<SqlClient, { readonly find: (name: string) => Effect.Effect<string> }>()(
  "test/SqlClient"
) {}

const common = { secret, origin: site, logger: listener().logger }

/** Uses a configuration at a server; answers what the client of the database was asked. */
const asked = async (
  auth: Layer.Layer<Doorman, unknown, HttpClient.HttpClient | SqlClient>,
  use: (person: Visitor) => Promise<void>,
  client: Layer.Layer<HttpClient.HttpClient> = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request) => Effect.die(`nothing may be sent to ${request.url}`))
  )
): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  const find = (name: string) => Effect.sync(() => (names.push(name), `id of ${name}`))
  const { dispose, handler } = HttpRouter.toWebHandler(
    Http.layerMount().pipe(
      Layer.provide(auth),
      Layer.provide([client, Layer.succeed(SqlClient, { find }), HttpServer.layerServices]),
      Layer.orDie
    ),
    { disableLogger: true }
  )
  await use(visitor((request) => handler(request), site)).finally(() => void dispose())
  return names
}

const find = (name: string) => Effect.flatMap(SqlClient, (sql) => sql.find(name))

describe("a function of a provider uses a service of the application", () => {
  it("authorize, with the request of the server and a scope that is closed after it", async () => {
    const steps: Array<string> = []
    const auth = Doorman.layer(
      forLayer({
        ...common,
        providers: [
          Credentials({
            credentials: { username: {}, password: {} },
            authorize: ({ username = "" }) =>
              Effect.gen(function* () {
                const { method } = yield* HttpServerRequest
                yield* Effect.acquireRelease(
                  Effect.sync(() => steps.push(method)),
                  () => Effect.sync(() => steps.push("closed"))
                )
                return { id: yield* find(username), name: username }
              })
          })
        ],
        events: { signIn: () => void steps.push("signed in") }
      })
    )
    const names = await asked(auth, async (person) => {
      await person.signIn()
      assert.strictEqual((await person.session())?.user?.["name"], "ann")
    })
    assert.deepStrictEqual(names, ["ann"])
    assert.deepStrictEqual(steps, ["POST", "closed", "signed in"])
  })

  it("profile and userinfo.request", async () => {
    const provider = memoryProvider()
    const auth = Doorman.layer(
      forLayer({
        ...common,
        providers: [
          {
            ...idp(),
            clientSecret: Redacted.make(idp().clientSecret),
            type: "oauth" as const,
            userinfo: { request: () => Effect.map(find("userinfo"), (sub) => ({ sub })) },
            profile: ({ sub }: { readonly sub: string }) => Effect.map(find("profile"), (name) => ({ id: sub, name }))
          }
        ]
      })
    )
    const names = await asked(
      auth,
      async (person) => {
        const away = await person.submit("/auth/signin/idp")
        const back = provider.agree(away.headers.get("location") ?? "")
        await person.get(`${back.pathname}${back.search}`)
        assert.strictEqual((await person.session())?.user?.["name"], "id of profile")
      },
      provider.layer
    )
    assert.deepStrictEqual(names, ["userinfo", "profile"])
  })

  it("normalizeIdentifier, generateVerificationToken and sendVerificationRequest", async () => {
    const auth = Doorman.layer(
      forLayer({
        ...common,
        adapter: Adapter.makeMemory(),
        providers: [
          Email({
            normalizeIdentifier: () => Effect.as(find("normalize"), "ann@example.com"),
            generateVerificationToken: () => Effect.as(find("generate"), "a token of the application 0123456789"),
            sendVerificationRequest: ({ identifier }) => find(`send to ${identifier}`)
          })
        ]
      })
    )
    const names = await asked(auth, async (person) => {
      await person.submit("/auth/signin/email", { email: "Ann@Example.com" })
    })
    // The mail is sent after the answer.
    await vi.waitFor(() => assert.includeMembers([...names], ["normalize", "generate", "send to ann@example.com"]), {
      timeout: 60_000
    })
  })

  it("getRelayingParty and getUserInfo", async () => {
    const auth = Doorman.layer(
      forLayer({
        ...common,
        adapter: Adapter.makeMemory(),
        experimental: { enableWebAuthn: true },
        providers: [
          Passkey({
            getRelayingParty: () => Effect.as(find("party"), { id: "app.example", name: "App", origin: site }),
            getUserInfo: () => Effect.as(find("owner"), null)
          })
        ]
      })
    )
    const names = await asked(auth, async (person) => {
      await person.get("/auth/webauthn-options/passkey")
      await person.get("/auth/webauthn-options/passkey?action=register&email=ann%40example.com")
    })
    assert.includeMembers([...names], ["party", "owner"])
  })
})
