import { assert, describe, it } from "vitest"
import * as Adapter from "../../src/Adapter.ts"
import { createAuth } from "../../src/index.ts"
import { forFunctions } from "../ForFunctions.ts"
import { ownSite, site } from "../Visitor.ts"

const name = "__Host-authjs.session-token"

describe("A session cookie whose percent-encoding is broken", () => {
  const stores = [
    ["tokens", {}],
    ["rows", { adapter: Adapter.toPromises(Adapter.makeMemory()), session: { strategy: "database" } }]
  ] as const
  const headers = [
    `${name}=%zz`,
    `${name}=abc%`,
    `${name}.0=%zz; ${name}.1=b`,
    `other=${"o".repeat(2000)}; ${name}=%zz`
  ]
  it.each(stores.flatMap(([store, more]) => headers.map((cookie) => [store, cookie, more] as const)))(
    "is removed, as every other that does not open: %s, %.60s",
    async (_, cookie, more) => {
      const auth = createAuth(forFunctions({ ...ownSite(), origin: site, env: {}, ...more }))
      const answer = await auth.handler(new Request(`${site}/auth/session`, { headers: { cookie } }))
      assert.strictEqual(await answer.text(), "null")
      const removed = answer.headers.getSetCookie().filter((line) => /^[^;]*=; Max-Age=0/.test(line))
      const sent = cookie.match(/__Host[^=]+/g) ?? []
      assert.sameMembers(
        removed.map((line) => line.replace(/=.*/, "")),
        sent
      )
    }
  )
})
