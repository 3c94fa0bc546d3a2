/** `@auth/mongodb-adapter` is not tested: what npm has for MongoDB fetches the server from elsewhere. */
import { describe, it } from "vitest"
import { absent } from "./Program.ts"

absent("@auth/mongodb-adapter", "there is no MongoDB in npm, only programs that fetch one from elsewhere")

describe.skip("@auth/mongodb-adapter", () => {
  it("on MongoDB", () => undefined)
})
