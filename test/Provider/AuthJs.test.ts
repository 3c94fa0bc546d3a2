/**
 * Every OAuth and OpenID factory that Auth.js ships is read without a fault and without leaving something undefined.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { failureOf, redirectOf } from "./Read.ts"

const folder = dirname(createRequire(import.meta.url).resolve("@auth/core/providers/github"))
// Not providers of this kind, or in need of packages that are not here.
const others =
  /^(?:credentials|email|forwardemail|index|loops|mailgun|nodemailer|oauth|passkey|postmark|provider-types|resend|sendgrid|webauthn)$/
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".js"))
  .map((file) => file.slice(0, -3))
  .filter((name) => !others.test(name))

/** The union of the factories' requirements. */
const options = {
  clientId: "client",
  clientSecret: "secret",
  issuer: "https://issuer.example/",
  baseUrl: "https://base.example",
  accountID: "account",
  prompt: 1,
  scope: "scope",
  redirectUri: "https://app.example/callback",
  tenantId: "tenant"
}

const factoryOf = async (name: string): Promise<(given: typeof options) => unknown> => {
  const module = (await import(`@auth/core/providers/${name}`)) as {
    readonly default: (given: typeof options) => unknown
  }
  return module.default
}

describe("the providers of Auth.js", () => {
  it("are all here", () => assert.isAtLeast(names.length, 90))
  for (const name of names) {
    it(`${name} is read`, async () => {
      const factory = await factoryOf(name)
      const input = factory({ ...options })
      assert.isUndefined(failureOf(input))
      const provider = redirectOf(input)
      assert.strictEqual(provider.clientId, "client")
      for (const url of [provider.authorization.url, provider.token.url, provider.userinfo.url]) {
        if (url === undefined) assert.isString(provider.issuer)
        else assert.notInclude(url, "undefined")
      }
      for (const [, value] of provider.authorizationParameters) assert.notInclude(value, "undefined")
    })
  }
})
