/**
 * Logouts with the real `oidc-provider`, in both directions: from the application to the provider (RP-Initiated Logout 1.0),
 * and from the provider to the application (Back-Channel Logout 1.0).
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as MemoryAdapter from "../../src/storage/MemoryAdapter.ts"
import { type AppServer, startAppServer } from "./AppServer.ts"
import { CookieJarClient, type Visit } from "./CookieJarClient.ts"
import { isPeer } from "./Implementation.ts"
import { sessionOf, signOut, startSignIn } from "./Journey.ts"
import { forFunctions } from "../ForFunctions.ts"
import { type OpenIdProvider, startOpenIdProvider } from "./OpenIdProvider.ts"

const id = "idp"
const secret = "a client secret of more than 32 bytes, for tests"

const kinds = {
  "token sessions": { session: { strategy: "jwt", revocation: true } },
  "sessions in a database": { adapter: MemoryAdapter.make() }
} as const

/** Presses the button of the provider's own page, which asks whether the person wants to sign out there. */
const agree = async (client: CookieJarClient, page: Visit): Promise<Visit> => {
  const [form] = page.forms
  if (form === undefined) throw new Error(`No form on ${page.url.href} (${page.status}): ${page.body.slice(0, 300)}`)
  return client.submit(page, form, { logout: "yes" })
}

for (const [kind, settings] of Object.entries(kinds)) {
  describe.skipIf(isPeer)(`logouts with oidc-provider, ${kind}`, () => {
    let app: AppServer
    let provider: OpenIdProvider

    beforeAll(async () => {
      app = await startAppServer()
      provider = await startOpenIdProvider({
        clients: [
          {
            client_id: "client",
            client_secret: secret,
            redirect_uris: [app.callback(id)],
            post_logout_redirect_uris: [app.action(`signout/${id}`)],
            backchannel_logout_uri: app.action(`backchannel-logout/${id}`),
            backchannel_logout_session_required: true
          }
        ]
      })
      app.configure(
        forFunctions({
          ...settings,
          providers: [
            {
              id,
              name: "Provider",
              type: "oidc",
              issuer: provider.issuer,
              clientId: "client",
              clientSecret: secret,
              logout: "provider",
              backchannelLogout: "strict",
              client: { backchannel_logout_session_required: true }
            }
          ]
        })
      )
    })

    afterAll(async () => {
      await provider.close()
      await app.close()
    })

    const signedIn = async (): Promise<CookieJarClient> => {
      const client = new CookieJarClient()
      const visit = await startSignIn(client, app, id)
      assert.strictEqual(visit.status, 200, visit.body)
      assert.isNotNull(await sessionOf(client, app))
      return client
    }

    /** Did the provider ask who is there? */
    const wasAsked = ({ trail }: Visit): boolean => trail.some(({ url }) => url.pathname.startsWith("/interaction/"))

    it("P122 a sign-out here ends the session there, and the browser comes back to where it wanted", async () => {
      const client = await signedIn()
      assert.isFalse(wasAsked(await startSignIn(client, app, id)))
      const asked = await signOut(client, app)
      assert.strictEqual(asked.url.origin, provider.issuer)
      assert.isNull(await sessionOf(client, app))
      const back = await agree(client, asked)
      assert.strictEqual(back.body, "start page")
      assert.strictEqual(back.url.href, `${app.origin}/`)
      assert.isTrue(wasAsked(await startSignIn(client, app, id)))
    })

    it("P112 a sign-out there ends the session here, of this browser and of no other", async () => {
      const [client, other] = [await signedIn(), await signedIn()]
      await agree(client, await client.visit(`${provider.issuer}/session/end`))
      assert.isNull(await sessionOf(client, app))
      assert.isNotNull(await sessionOf(other, app))
      assert.deepStrictEqual(app.errors, [])
    })
  })
}
