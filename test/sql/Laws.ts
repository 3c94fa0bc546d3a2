/**
 * The laws of storage, on SQL storage: tables made by us and tables of Auth.js, tokens hashed and not.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Adapter } from "../../src/Adapter.ts"
import * as Sql from "../../src/Sql.ts"
import { laws } from "../../src/testing/AdapterLaws.ts"
import { type Engine, random } from "./Engine.ts"

const forms: ReadonlyArray<readonly [string, Sql.LayerOptions]> = [
  ["new tables", { encryptTokens: { secret: "first-secret-0123456789-abcdefghij" } }],
  ["tables as of Auth.js", { takeOver: true }]
]

/** Every law, each form of the tables on one database. */
export const lawful = (engine: Engine): void => {
  assert.isAbove(laws.length, 20)
  for (const [form, options] of forms) {
    const store = Layer.provide(Sql.layer({ ...options, sweep: false }), [engine.empty, random])
    it.layer(Layer.fresh(store))(form, (it) => {
      for (const law of laws) {
        it.effect(`keeps the law: ${law.name}`, () => Effect.flatMap(Adapter, () => law.check))
      }
    })
  }
}
