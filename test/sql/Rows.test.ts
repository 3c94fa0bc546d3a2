import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { fromPromises } from "../../src/Adapter.ts"
import { decodeUser } from "../../src/sql/Rows.ts"

const ann = { id: "u1", name: "Ann", email: "ann@example.com", emailVerified: null, image: null }

/** A row, and what it means; `undefined` where it is no user. */
const rows: ReadonlyArray<readonly [row: Record<string, unknown>, decoded: Record<string, unknown> | undefined]> = [
  [ann, ann],
  [
    { ...ann, id: 7 },
    { ...ann, id: "7" }
  ],
  [
    { ...ann, id: 2n ** 60n },
    { ...ann, id: "1152921504606846976" }
  ],
  [{ ...ann, id: 0.5 }, undefined],
  [{ ...ann, id: "" }, undefined],
  [
    { ...ann, email: null },
    { ...ann, email: "" }
  ],
  [{ ...ann, email: 7 }, undefined],
  [
    { ...ann, plan: "free" },
    { ...ann, plan: "free" }
  ],
  [{ ...ann, name: 7 }, undefined],
  [{ ...ann, image: {} }, undefined],
  ...[
    new Date("2024-05-06T07:08:09Z"),
    1714979289000,
    1714979289000n,
    "1714979289000",
    "2024-05-06T07:08:09.000Z",
    "2024-05-06T09:08:09+02:00",
    "2024-05-06 07:08:09"
  ].map(
    (emailVerified) =>
      [
        { ...ann, emailVerified },
        { ...ann, emailVerified: new Date(1714979289000) }
      ] as const
  ),
  [{ ...ann, emailVerified: "yesterday" }, undefined],
  [{ ...ann, emailVerified: new Date(Number.NaN) }, undefined]
]

describe("rows", () => {
  it.effect.each(rows)("of a table and of an Auth.js adapter are decoded alike: %o", ([row, decoded]) =>
    Effect.gen(function* () {
      const ofTable = yield* Effect.option(decodeUser(row))
      const ofAdapter = yield* Effect.option(fromPromises({ getUserByEmail: () => row }).getUserByEmail(ann.email))
      assert.deepStrictEqual<object | undefined>(Option.getOrUndefined(ofTable), decoded)
      assert.deepStrictEqual<object | undefined>(Option.getOrUndefined(Option.flatten(ofAdapter)), decoded)
    })
  )
})
