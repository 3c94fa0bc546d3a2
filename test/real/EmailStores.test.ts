/**
 * Sign-in links over published Auth.js adapters: kept, used once, and put back when a sign-in fails.
 */
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import * as Effect from "effect/Effect"
import { createStorage } from "unstorage"
import memoryDriver from "unstorage/drivers/memory"
import { assert, describe, it } from "vitest"
import { capture } from "../../src/Mailer.ts"
import { Email } from "../../src/Provider/Email.ts"
import { facade, locationOf, options, site, visitor } from "../Visitor.ts"

describe("links over an Auth.js adapter", () => {
  it("H247, H171 are used once, and again after a failure", async () => {
    const adapter = UnstorageAdapter(createStorage({ driver: memoryDriver() }))
    const failing = { count: 0 }
    const mailer = capture()
    const config = options({
      adapter: {
        ...adapter,
        createSession: (session: Parameters<NonNullable<typeof adapter.createSession>>[0]) => {
          if (failing.count-- > 0) throw new Error("down")
          return adapter.createSession?.(session) ?? Promise.reject(new Error("no such method"))
        }
      },
      mailer,
      providers: [Email()]
    })
    const person = visitor(facade(config))
    await person.submit("/auth/signin/email", { email: "ann@example.com" })
    const [mail] = await Effect.runPromise(mailer.mails)
    const link = new URL(mail?.url ?? "")
    const press = async () => locationOf(await person.submit(link.pathname + link.search))
    failing.count = 1
    assert.strictEqual(await press(), `${site}/auth/error?error=Configuration`)
    assert.isNull(await person.session())
    assert.strictEqual(await press(), site)
    assert.strictEqual((await person.session())?.user?.["email"], "ann@example.com")
    assert.strictEqual(await press(), `${site}/auth/error?error=Verification`)
  })
})
