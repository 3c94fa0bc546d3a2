import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { sessionIdOf } from "../../src/Adapter.ts"
import { Auth } from "../../src/index.ts"
import { listener, secret, site } from "../Visitor.ts"
import { openSqlite } from "./OpenStore.ts"
import { forFunctions } from "../ForFunctions.ts"
import { ada } from "./Engine.ts"

describe("SQL storage behind the facade", () => {
  it("keeps sessions in a file that the facade reads, extends and ends", async () => {
    const { adapter, close } = await openSqlite({ filename: ":memory:" })
    const { logger, told } = listener()
    const user = await Effect.runPromise(adapter.createUser(ada))
    const expires = new Date(Date.now() + 60_000)
    await Effect.runPromise(adapter.createSession({ sessionToken: "a session token", userId: user.id, expires }))
    const answer = (path: string, cookie: string, init: RequestInit = {}) =>
      Auth(
        new Request(`${site}/auth/${path}`, { ...init, headers: { cookie, ...init.headers } }),
        forFunctions({ providers: [], adapter, secret, trustHost: true, logger })
      )
    const name = "__Secure-authjs.session-token"
    const response = await answer("session", `${name}=${encodeURIComponent("a session token")}`)
    const session: unknown = await response.json()
    assert.deepNestedInclude(session, { "user.email": "ada@example.com", "user.name": "Ada" })
    assert.include(response.headers.get("set-cookie") ?? "", `${name}=`)
    // Neither the id in a list nor the stored digest opens a session.
    const [listed] = await Effect.runPromise(adapter.listSessions(user.id))
    assert.strictEqual(listed?.id, sessionIdOf("a session token"))
    for (const value of ["another", listed?.id ?? "", `sha256:${listed?.id}`]) {
      const nobody = await answer("session", `${name}=${encodeURIComponent(value)}`)
      assert.isNull(await nobody.json(), value)
    }
    await close()
    // A request after the end gets an answer, and no session.
    const late = await answer("session", `${name}=${encodeURIComponent("a session token")}`)
    assert.notInclude(await late.text(), "ada")
    assert.include(told.errors.map(String).join(), "SessionTokenError")
  })
})
