/** The functions of session tokens answer Effects that need services of the application: its layer provides them. */
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Adapter from "../../src/Adapter.ts"
import { Doorman } from "../../src/Doorman.ts"
import * as Http from "../../src/Http.ts"
import { Email } from "../../src/Provider/Email.ts"
import * as Mailer from "../../src/Mailer.ts"
import { listener, password, secret, site, type Visitor, visitor } from "../Visitor.ts"

class Vault extends Context.Service<Vault, { readonly use: (name: string) => Effect.Effect<string> }>()("test/Vault") {}

const common = { secret: Redacted.make(secret), origin: site, logger: listener().logger }

/** Uses a configuration at a server; answers what the vault was asked for. */
const asked = async (
  doorman: Layer.Layer<Doorman, unknown, HttpClient.HttpClient | Vault>,
  use: (person: Visitor) => Promise<void>
): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  const vault = Layer.succeed(Vault, { use: (name) => Effect.sync(() => (names.push(name), `${name} of the vault`)) })
  const nobody = HttpClient.make((request) => Effect.die(`nothing may be sent to ${request.url}`))
  const { dispose, handler } = HttpRouter.toWebHandler(
    Http.layerMount().pipe(
      Layer.provide(doorman),
      Layer.provide([vault, Layer.succeed(HttpClient.HttpClient, nobody), HttpServer.layerServices]),
      Layer.orDie
    ),
    { disableLogger: true }
  )
  await use(visitor((request) => handler(request), site)).finally(() => void dispose())
  return names
}

const ask = (name: string) => Vault.use(({ use }) => use(name))

describe("a function of session tokens uses a service of the application", () => {
  it("jwt.encode and jwt.decode", async () => {
    const doorman = Doorman.layer({
      ...common,
      providers: [password()],
      jwt: {
        encode: ({ token }) => Effect.as(ask("encode"), JSON.stringify(token)),
        decode: ({ token = "null" }) => Effect.as(ask("decode"), JSON.parse(token))
      }
    })
    const names = await asked(doorman, async (person) => {
      await person.signIn()
      assert.strictEqual((await person.session())?.user?.["name"], "ann")
    })
    assert.includeMembers([...names], ["encode", "decode"])
  })

  it("session.generateSessionToken", async () => {
    const box = Mailer.capture()
    const doorman = Doorman.layer({
      ...common,
      providers: [Email({ consumeOn: "get", from: "site@app.example" })],
      adapter: Adapter.makeMemory(),
      mailer: box,
      session: { generateSessionToken: () => ask("session token") }
    })
    const names = await asked(doorman, async (person) => {
      await person.submit("/auth/signin/email", { email: "ann@example.com" })
      const [mail] = Effect.runSync(box.mails)
      const link = new URL(mail?.url ?? "")
      await person.get(`${link.pathname}${link.search}`)
      assert.include([...person.cookies.values()].join(" "), "session%20token%20of%20the%20vault")
    })
    assert.deepStrictEqual(names, ["session token"])
  })
})
