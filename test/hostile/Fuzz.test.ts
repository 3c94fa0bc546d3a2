import { assert, describe, it } from "@effect/vitest"
import { customFetch } from "../../src/internal/Markers.ts"
import { acme, lacksProvider, listener, network, options, password, secret, site, visitor } from "../Visitor.ts"
import { Auth, encode } from "../../src/index.ts"
import { generator, nearlyRight, request } from "./Requests.ts"

describe("whatever a client sends", () => {
  it("H298, H038 five thousand requests: none rejects, none is the server's fault", async () => {
    const { logger, told } = listener()
    const { asked, fetch } = network()
    const config = options({
      providers: [
        password(),
        acme({ [customFetch]: fetch }),
        acme({
          id: "oidc",
          type: "oidc",
          issuer: "https://idp.example",
          authorization: undefined,
          token: undefined,
          userinfo: undefined,
          [customFetch]: fetch
        })
      ],
      logger
    })
    const browser = visitor((one) => Auth(one, config))
    const spare = [await browser.csrfToken(), "ann", "pw", "/dash", site]
    const anonymous = [...browser.cookies].map((pair) => pair.join("=")).join("; ")
    const token = spare[0] ?? ""
    await browser.signIn()
    spare.push(await browser.csrfToken())
    const salt = "__Secure-authjs.session-token"
    const expired = await encode({ token: { sub: "1" }, secret, salt, maxAge: -1000 })
    const cookies = [
      ...[...browser.cookies].map((pair) => pair.join("=")),
      `${salt}=${expired}`,
      `${salt}=${"x".repeat(5000)}`
    ]

    const statuses = new Map<number, number>()
    for (let seed = 1; seed <= 5000; seed++) {
      const random = generator(seed * 2_654_435_761)
      const one = seed % 3 === 0 ? nearlyRight(random, spare, anonymous, token) : request(random, spare, cookies)
      const name = `seed ${seed}: ${one.method} ${one.url}`
      const response = await Auth(one, config)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      assert.isBelow(response.status, 500, name)
      const location = response.headers.get("location")
      if (!lacksProvider(one.url, one.url.includes("/webauthn-options") ? [] : ["credentials", "acme", "oidc"]))
        assert.notInclude(location ?? "", "error=Configuration", name)
      const body = await response.text()
      assert.isAtMost(body.length, 40_000, name)
      assert.notInclude(body, "<script>", name)
      if (location !== null) assert.include([site, "https://acme.example"], new URL(location).origin, name)
      for (const line of response.headers.getSetCookie()) assert.isAtMost(line.length, 4096, name)
    }
    // The grammar reached all kinds of answers.
    for (const status of [200, 302, 400, 405, 415]) {
      assert.isAbove(statuses.get(status) ?? 0, 50, `status ${status}: ${JSON.stringify([...statuses])}`)
    }
    assert.deepStrictEqual(
      told.errors
        .filter((error) => Reflect.get(error, "blame") === "operator")
        .map((error) => [error.message, String(error.cause)]),
      []
    )
    assert.isBelow(asked.length, 50)
  }, 60_000)
})
