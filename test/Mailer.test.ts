import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { capture, layerCapture, Mailbox, Mailer } from "../src/Mailer.ts"
import { redactedMail } from "../src/Mailer.ts"

const mail = (to: string) => ({ to, from: "f@x.com", subject: "s", text: "t", html: "h", url: "https://x.com/" })

describe("the mailer that keeps mails", () => {
  it.gen("keeps the last ones with their time, oldest first, and can be emptied", function* () {
    const { clear, mails, send } = capture(3)
    for (let count = 0; count < 5; count++) {
      yield* send(redactedMail(mail(`${count}@x.com`)))
      yield* TestClock.adjust(1000)
    }
    assert.deepStrictEqual(
      (yield* mails).map(({ sentAt, to }) => [to, sentAt]),
      [
        ["2@x.com", 2000],
        ["3@x.com", 3000],
        ["4@x.com", 4000]
      ]
    )
    yield* clear
    assert.deepStrictEqual(yield* mails, [])
  })

  it.gen("is a layer of the mailer and of its mailbox", Effect.provide(layerCapture()), function* () {
    const { send } = yield* Mailer
    yield* send(redactedMail(mail("a@x.com")))
    const { mails } = yield* Mailbox
    assert.deepStrictEqual(yield* mails, [{ ...mail("a@x.com"), sentAt: 0 }])
  })
})
