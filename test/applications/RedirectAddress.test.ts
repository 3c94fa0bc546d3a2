/** A redirect URI that the application names goes into the authorization request, and into the token request as it is. */
import { assert, it } from "vitest"
import { FakeProvider } from "../differential/FakeProvider.ts"
import { ours } from "../differential/Implementation.ts"
import { secret } from "../differential/Scenario.ts"

const site = "https://app.example"

/** Signs in as a browser does; `names` is what the configuration says of the authorization endpoint. */
const visit = async (names: (idp: FakeProvider) => unknown) => {
  const { Auth, customFetch, skipCSRFCheck } = await ours()
  const idp = new FakeProvider()
  const config = {
    basePath: "/auth",
    secret,
    trustHost: true,
    skipCSRFCheck,
    providers: [
      {
        id: "acme",
        name: "Acme",
        type: "oauth",
        clientId: "client-1",
        clientSecret: "client-secret-1",
        authorization: names(idp),
        token: `${idp.issuer}/token`,
        userinfo: `${idp.issuer}/userinfo`,
        [customFetch]: idp.fetch
      }
    ]
  }
  const answer = async (request: Request): Promise<Response> => {
    const response = await Auth(request, config)
    if (response instanceof Response) return response
    return assert.fail("no response")
  }
  const away = await answer(new Request(`${site}/auth/signin/acme`, { method: "POST" }))
  const location = away.headers.get("location") ?? ""
  const cookie = away.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ")
  const back = idp.authorize(location)
  const home = await answer(new Request(`${site}/auth/callback/acme${back.search}`, { headers: { cookie } }))
  return {
    asked: new URL(location).searchParams.getAll("redirect_uri"),
    repeated: idp.outbound.find(({ url }) => url.endsWith("/token"))?.form["redirect_uri"],
    isSignedIn: home.headers.getSetCookie().some((one) => one.startsWith("__Secure-authjs.session-token="))
  }
}

const named = `${site}/auth/callback/acme?from=desk`

it("a redirect URI among the parameters is asked for, and the token request repeats it", async () => {
  const seen = await visit((idp) => ({ url: `${idp.issuer}/authorize`, params: { redirect_uri: named } }))
  assert.deepStrictEqual(seen, { asked: [named], repeated: named, isSignedIn: true })
})

it("a redirect URI in the query of the endpoint is asked for, and the token request repeats it", async () => {
  const seen = await visit((idp) => `${idp.issuer}/authorize?redirect_uri=${encodeURIComponent(named)}`)
  assert.deepStrictEqual(seen, { asked: [named], repeated: named, isSignedIn: true })
})

for (const address of ["/auth/callback/acme", "", "app:back"]) {
  it(`what is no web address leaves the callback URL of the library: ${JSON.stringify(address)}`, async () => {
    const seen = await visit((idp) => ({ url: `${idp.issuer}/authorize`, params: { redirect_uri: address } }))
    const own = `${site}/auth/callback/acme`
    assert.deepStrictEqual(seen, { asked: [own], repeated: own, isSignedIn: true })
  })
}
