import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeMemory, toPromises } from "../../src/Adapter.ts"
import * as Sql from "../../src/Sql.ts"
import * as Sqlite from "../../src/sql/Sqlite.ts"
import { allMethods, tableMethods } from "../../src/storage/MethodTable.ts"
import { laws } from "../../src/testing/AdapterLaws.ts"
import { random } from "../sql/Engine.ts"

describe("The table of adapter methods", () => {
  it("names methods that laws check, each of them", () =>
    assert.sameMembers([...new Set(laws.flatMap(({ needs }) => needs))], [...allMethods]))

  it.effect("names the methods that the stores of the library have, and their face of promises", () =>
    Effect.gen(function* () {
      for (const store of [makeMemory(), yield* Sql.make()]) {
        assert.sameMembers([...store.methods], [...allMethods])
        assert.sameMembers(Object.keys({ ...toPromises(store), sharedState: 1 }), [...tableMethods, "sharedState"])
      }
    }).pipe(Effect.provide(Layer.merge(Sqlite.layer({ filename: ":memory:" }), random)))
  )
})
