/**
 * Salesforce: people of every organisation sign in on one page, and an ID token may name the organisation as its issuer.
 */
import { assert, describe, it } from "@effect/vitest"
import {
  against,
  answer,
  flow,
  issuing,
  json,
  metadata,
  oidc,
  otherRsa,
  refusal,
  rsa,
  scripted,
  signIn
} from "./ScriptedProvider.ts"

const page = "https://login.salesforce.com"
const organisation = "https://example.my.salesforce.com"
const sub = `${page}/id/00Dxx0000001gERIAY/005xx000001SwiUAAS`

const at = (issuer: string) => ({
  ...metadata,
  issuer,
  authorization_endpoint: `${issuer}/services/oauth2/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/keys`
})

/** The keys of the page sign nothing here: only those at `/id/keys` are good. */
const saying = (claims: Record<string, unknown>, issuer = page, keys = rsa.jwk) =>
  scripted({
    "/.well-known/openid-configuration": () => json(at(issuer)),
    "/keys": () => json({ keys: [otherRsa.jwk] }),
    "/id/keys": () => json({ keys: [keys] }),
    ...issuing({ iss: organisation, sub, ...claims })
  })

const salesforce = (issuer = page) => oidc({ issuer, conform: "salesforce" })
const given = (issuer = page) => answer(undefined, { ...flow, issuer })

describe("Organisations", () => {
  it.gen("issue ID tokens with keys of their own, where people of every one sign in", function* () {
    for (const iss of [
      organisation,
      "https://example-dev-ed.my.salesforce.com",
      "https://example-dev-ed.develop.my.salesforce.com",
      "https://example--test.sandbox.my.salesforce.com"
    ]) {
      const idp = saying({ iss })
      const { user } = yield* against(idp, signIn(salesforce(), given()))
      assert.strictEqual(user.id, sub)
      assert.deepStrictEqual(
        idp.sent.filter(({ path }) => path.endsWith("/keys")).map(({ url }) => url),
        [`${iss}/id/keys`]
      )
    }
    const test = "https://test.salesforce.com"
    const sandbox = `${test}/id/00Dxx0000001gERIAY/005xx000001SwiUAAS`
    const idp = saying({ iss: "https://example--test.sandbox.my.salesforce.com", sub: sandbox }, test)
    assert.strictEqual((yield* against(idp, signIn(salesforce(test), given(test)))).user.id, sandbox)
  })

  it.gen("P041 are Salesforce's own addresses, and nothing that looks like one", function* () {
    for (const iss of [
      "https://evil.example",
      "https://example.my.salesforce.com.evil.example",
      "https://evil.example/example.my.salesforce.com",
      "https://evil.example#.my.salesforce.com",
      "https://evil.example\\.my.salesforce.com",
      "https://user@example.my.salesforce.com",
      "https://example.my.salesforce.com:8443",
      "https://example.my.salesforce.com/",
      "https://example.my.salesforce.com\n",
      "https://a.b.c.my.salesforce.com",
      "https://.my.salesforce.com",
      "https://examplemy.salesforce.com",
      "https://EXAMPLE.my.salesforce.com",
      "http://example.my.salesforce.com",
      "https://test.salesforce.com",
      ["https://example.my.salesforce.com"]
    ]) {
      const idp = saying({ iss })
      const refused = yield* against(idp, refusal(salesforce(), given()))
      assert.strictEqual(refused.code, "invalid_token", String(iss))
      assert.strictEqual(idp.count("/id/keys"), 0, String(iss))
    }
  })

  it.gen("P041 speak for identities of the page alone, with keys that are theirs", function* () {
    for (const claims of [{ sub: "person-1" }, { sub: "https://test.salesforce.com/id/00D/005" }, { sub: undefined }]) {
      const refused = yield* against(saying(claims), refusal(salesforce(), given()))
      assert.strictEqual(refused.code, "invalid_token")
    }
    const forged = yield* against(saying({}, page, otherRsa.jwk), refusal(salesforce(), given()))
    assert.strictEqual(forged.code, "invalid_token")
  })

  it.gen("P041 are not known to other providers, nor where one organisation is configured", function* () {
    const plain = yield* against(saying({}), refusal(oidc({ issuer: page }), given()))
    assert.strictEqual(plain.code, "invalid_token")
    const elsewhere = "https://idp.example"
    const other = yield* against(
      saying({ sub: `${elsewhere}/id/00D/005` }, elsewhere),
      refusal(salesforce(elsewhere), given(elsewhere))
    )
    assert.strictEqual(other.code, "invalid_token")
    const own = "https://own.my.salesforce.com"
    const another = yield* against(saying({ sub: `${own}/id/00D/005` }, own), refusal(salesforce(own), given(own)))
    assert.strictEqual(another.code, "invalid_token")
  })
})
