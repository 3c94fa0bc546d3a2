/** Only plain data goes to functions of an application beside another copy of Effect: each line that must not compile is expected to fail. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { toApplication } from "../../src/server/FunctionFace.ts"

export const plain = toApplication({
  to: "ada@example.com",
  tags: ["sign-in"],
  sentAt: new Date(0),
  more: { count: 1 }
})

export const refused = [
  // @ts-expect-error a Redacted opens in the copy alone that made it
  toApplication({ url: Redacted.make("https://app.example") }),
  // @ts-expect-error the same inside other data
  toApplication({ more: { urls: [Redacted.make("https://app.example")] } }),
  // @ts-expect-error an Effect runs in the copy alone that made it
  toApplication({ send: Effect.void }),
  // @ts-expect-error an Option is compared by identity
  toApplication({ name: Option.some("Ada") }),
  // @ts-expect-error services are found by the copy alone that made them
  toApplication({ services: Context.empty() })
]
