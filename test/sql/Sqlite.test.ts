import { describe } from "@effect/vitest"
import * as Sqlite from "../../src/sql/Sqlite.ts"
import { expectations, races, transactions } from "./Behaviour.ts"
import type { Engine } from "./Engine.ts"
import { lawful } from "./Laws.ts"
import { endings, tables, tokens } from "./Keeping.ts"

const bindings =
  process.getBuiltinModule("node:sqlite") === undefined ? (["libsql"] as const) : (["node:sqlite", "libsql"] as const)

for (const binding of bindings) {
  const engine: Engine = { name: binding, empty: Sqlite.layer({ filename: ":memory:", binding }) }
  describe(`SQLite by ${binding}`, () => {
    expectations(engine)
    races(engine)
    transactions(engine)
    tokens(engine)
    tables(engine)
    endings(engine)
    lawful(engine)
  })
}
