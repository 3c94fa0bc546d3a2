/**
 * Sign-in mails that go to a real mail server after the answer, with the function `Auth` and with the layer.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { makeMemory } from "../../src/Adapter.ts"
import * as Audit from "../../src/Audit.ts"
import { Doorman } from "../../src/Doorman.ts"
import type { Options } from "../../src/config/Settings.ts"
import { EmailSignInError } from "../../src/Errors.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import { Nodemailer } from "../../src/Provider/Nodemailer.ts"
import { facade, secret, type Site, visitor } from "../Visitor.ts"
import { type MailServer, startMailServer } from "./MailServer.ts"
import { forLayer } from "../ForLayer.ts"

const origin = "http://localhost:3000"
const sent = `${origin}/auth/verify-request?provider=nodemailer&type=email`

let server: MailServer

beforeAll(async () => {
  server = await startMailServer({ unknown: ["nobody@example.com"] })
})
afterAll(() => server.close())

interface Application {
  readonly site: Site
  readonly promises: ReadonlyArray<Promise<void>>
  readonly errors: ReadonlyArray<unknown>
  readonly audit: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

const optionsOf = (promises: Array<Promise<void>>) =>
  ({
    secret,
    origin,
    adapter: makeMemory(),
    providers: [Nodemailer({ server: server.transport(), from: "site@example.com" })],
    waitUntil: (sending: Promise<void>) => void promises.push(sending)
  }) satisfies Partial<Options>

const byFunction = (): Application => {
  const promises: Array<Promise<void>> = []
  const errors: Array<unknown> = []
  const logger = { error: (error: Error) => void errors.push(error), warn: () => undefined, debug: () => undefined }
  const site = facade({ ...optionsOf(promises), logger })
  return { site, promises, errors, audit: [], close: () => Promise.resolve() }
}

const byLayer = (): Application => {
  const promises: Array<Promise<void>> = []
  const errors: Array<unknown> = []
  const audit: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    if (logLevel === "Error") errors.push(...(Array.isArray(message) ? message : [message]))
  })
  const App = Http.layer(Access.Default).pipe(
    Layer.provide(Doorman.layer(forLayer(optionsOf(promises)))),
    Layer.provide(Audit.layerSink(({ _tag }) => Effect.sync(() => audit.push(_tag)))),
    Layer.provide([FetchHttpClient.layer, HttpServer.layerServices]),
    Layer.provideMerge(Logger.layer([logger]))
  )
  const { dispose, handler } = HttpRouter.toWebHandler(App, { disableLogger: true })
  return { site: (request) => handler(request), promises, errors, audit, close: dispose }
}

for (const [face, start] of [
  ["the function Auth", byFunction],
  ["the layer", byLayer]
] as const) {
  describe(`waitUntil of ${face}`, () => {
    it("gets the promise of each mail, whose link signs in", async () => {
      const { close, errors, promises, site } = start()
      const person = visitor(site, origin)
      const before = server.deliveries.length
      const response = await person.submit("/auth/signin/nodemailer", { email: "ann@example.com" })
      assert.strictEqual(response.headers.get("location"), sent)
      // A mail takes several turns of the network: the answer did not wait for them.
      assert.deepStrictEqual([promises.length, server.deliveries.length], [1, before])
      await Promise.all(promises)
      const delivery = server.deliveries[before]
      assert.deepStrictEqual(delivery?.recipients, ["ann@example.com"])
      const link = new URL(/(http:\/\/\S+)/.exec(delivery?.mail.text ?? "")?.[1] ?? "")
      await person.get(link.pathname + link.search)
      const done = await person.submit(link.pathname + link.search)
      assert.strictEqual(done.status, 303)
      assert.deepStrictEqual(errors, [])
      await close()
    })

    it("H167 gets no rejection: a mail that no server takes is in the log, without the address", async () => {
      const { audit, close, errors, promises, site } = start()
      const person = visitor(site, origin)
      const response = await person.submit("/auth/signin/nodemailer", { email: "nobody@example.com" })
      assert.strictEqual(response.headers.get("location"), sent)
      await Promise.all(promises)
      const [error] = errors
      assert.instanceOf(error, EmailSignInError)
      assert.match(error.message, /550/)
      assert.notInclude(JSON.stringify([error.message, String(error.cause)]), "nobody@")
      assert.strictEqual(errors.length, 1)
      assert.deepStrictEqual(audit, start === byLayer ? ["SignInRefused"] : [])
      await close()
    })
  })
}
