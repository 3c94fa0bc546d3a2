import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeMemory } from "../../src/Adapter.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { at, browser, config } from "../Browser.ts"

describe("asking for more links than a mailbox may get", () => {
  it.effect("asks neither the store nor the application, and answers as before", () => {
    const memory = makeMemory()
    const calls: Array<string> = []
    const store: AdapterShape = {
      ...memory,
      getUserByEmail: (email) => {
        calls.push("getUserByEmail")
        return memory.getUserByEmail(email)
      },
      createVerificationToken: (token) => {
        calls.push("createVerificationToken")
        return memory.createVerificationToken(token)
      }
    }
    const mail = {
      id: "mail",
      name: "Mail",
      type: "email",
      from: "site@example.com",
      sendVerificationRequest: () => calls.push("mail")
    } as never
    const signIn = () => {
      calls.push("callbacks.signIn")
      return true
    }
    return Effect.gen(function* () {
      const ask = () => browser().submit("/auth/signin/mail", { email: "limit-first@example.com" })
      const first = yield* ask()
      const once = calls.splice(0)
      assert.includeMembers(once, ["getUserByEmail", "callbacks.signIn", "createVerificationToken", "mail"])
      for (let more = 0; more < 4; more++) yield* ask()
      calls.splice(0)
      const limited = yield* ask()
      assert.deepStrictEqual(calls, [])
      assert.deepStrictEqual([limited.status, limited.location], [first.status, first.location])
      assert.strictEqual(limited.lines.length, first.lines.length)
    }).pipe(at(config({ adapter: store, providers: [mail], callbacks: { signIn } })))
  })
})
