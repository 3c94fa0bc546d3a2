import { assert, describe, it } from "@effect/vitest"
import { setEnvDefaults } from "../../src/config/Environment.ts"
import { GitHub } from "../../src/Provider/GitHub.ts"
import { GitLab } from "../../src/Provider/GitLab.ts"
import { Mastodon } from "../../src/Provider/Mastodon.ts"
import { Video } from "../../src/Provider/Video.ts"
import { clientId, clientSecret } from "../oauth/ScriptedProvider.ts"
import { redirectOf } from "./Read.ts"

const options = { clientId, clientSecret }
const addresses = { authUrl: "https://www.video.example", apiUrl: "https://open.video.example" }
const issuer = "https://social.example"

describe("what an application writes over a preset", () => {
  for (const [name, preset] of [
    ["GitHub", () => GitHub(options)],
    ["GitLab", () => GitLab(options)],
    ["Mastodon", () => Mastodon({ ...options, issuer })],
    ["Video", () => Video({ ...options, ...addresses })]
  ] as const) {
    it(`stays, also where the options compute another (${name})`, () => {
      const profile = () => ({ id: "1" })
      const own = { profile, token: "https://own.example/token", authorization: "https://own.example/authorize" }
      const plain = redirectOf(preset())
      const written = redirectOf({ ...preset(), ...own })
      assert.strictEqual(written.profile, profile)
      assert.strictEqual(written.token.url, own.token)
      assert.strictEqual(new URL(written.authorization.url ?? "").origin, "https://own.example")
      assert.strictEqual(written.userinfo.url, plain.userinfo.url)
      assert.notStrictEqual(plain.token.url, own.token)
    })
  }

  it("stays when the environment fills the rest", () => {
    const config = { providers: [{ ...Mastodon(), token: "https://own.example/token" }] }
    const env = { AUTH_MASTODON_ID: clientId, AUTH_MASTODON_SECRET: clientSecret, AUTH_MASTODON_ISSUER: issuer }
    setEnvDefaults(env, config)
    const written = redirectOf(config.providers[0])
    assert.strictEqual(written.token.url, "https://own.example/token")
    assert.strictEqual(written.userinfo.url, `${issuer}/api/v1/accounts/verify_credentials`)
  })
})
