/**
 * Marks by which libraries recognise their own values, as members of what a client or a provider sends.
 */
import { assert, describe, it } from "vitest"
import { customFetch } from "../../src/index.ts"
import { acme, facade, listener, locationOf, network, options, password, site, visitor } from "../Visitor.ts"

/** Members by which Effect recognises its values, and the text of a symbol of ours. */
const marks = [
  "~effect/Effect",
  "~effect/Exit",
  "~effect/Cause",
  "~effect/Redacted",
  "~effect/data/Option",
  "~effect/data/Result",
  "~effect/Effect/evaluate",
  "Symbol(return-type-raw)",
  "then"
]

const marked = (value: unknown): Record<string, unknown> => Object.fromEntries(marks.map((mark) => [mark, value]))

describe("members that look like marks of Effect", () => {
  it("a form whose fields an application answers as they are signs in to a user and runs nothing", async () => {
    const { logger, told } = listener()
    const fields = Object.fromEntries(["username", "password", ...marks].map((name) => [name, { label: name }]))
    const provider = password((credentials) => ({ ...credentials, id: "7", name: "Ann" }), { credentials: fields })
    const callbacks = {
      jwt: ({ token, user }: { token: object; user?: object }) => ({ ...token, ...user }),
      session: ({ session, token }: { session: object; token: object }) => ({ ...session, ...token })
    }
    const browser = visitor(facade(options({ providers: [provider], logger, callbacks } as never)))
    const response = await browser.submit("/auth/callback/credentials", {
      ...(marked("1") as Record<string, string>),
      username: "ann",
      password: "pw"
    })
    assert.strictEqual(response.status, 302)
    assert.strictEqual(locationOf(response), site)
    const session = await browser.session()
    assert.strictEqual(session?.user?.["name"], "Ann")
    assert.deepStrictEqual(told.errors, [])
  })

  it("a profile that an application answers as it is signs in to a user and runs nothing", async () => {
    const { logger, told } = listener()
    const { fetch } = network((url) =>
      Response.json(
        url.endsWith("/token")
          ? { access_token: "token", token_type: "bearer" }
          : { ...marked({ _A: {}, _tag: "None" }), id: "7", name: "Ann" }
      )
    )
    const provider = acme({ [customFetch]: fetch, profile: (profile: unknown) => profile })
    const callbacks = {
      jwt: ({ profile, token }: { profile?: object; token: object }) => ({ ...token, ...profile }),
      session: ({ session, token }: { session: object; token: object }) => ({ ...session, ...token })
    }
    const browser = visitor(facade(options({ providers: [provider], logger, callbacks } as never)))
    const start = new URL(locationOf(await browser.submit("/auth/signin/acme")) ?? "")
    const answer = await browser.get(`/auth/callback/acme?code=c&state=${start.searchParams.get("state") ?? ""}`)
    assert.strictEqual(answer.status, 302)
    assert.strictEqual(locationOf(answer), site)
    assert.strictEqual((await browser.session())?.user?.["name"], "Ann")
    assert.deepStrictEqual(told.errors, [])
  })
})
