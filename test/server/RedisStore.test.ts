import { assert, it } from "vitest"
import { inspect } from "node:util"
import { redis } from "../../src/server/RedisStore.ts"

it.each(["redis://ann:pa55word@host:99999", "redis://ann:pa55/word@host", "pa55word", "http://ann:pa55word@host"])(
  "an address that is none of Redis is refused without a word of it: %s",
  async (url) => {
    const failure: unknown = await Promise.resolve(redis({ url }).get("key")).catch((cause: unknown) => cause)
    assert.strictEqual(Reflect.get(Object(failure), "field"), "sharedState")
    assert.notInclude(inspect(failure, { depth: 8 }), "pa55")
  }
)
