/**
 * Plays one fault: an application with the hostile provider and an honest second one, a browser that signs in at the first,
 * and everything that must be true afterwards whatever the fault was.
 */
import { inspect } from "node:util"
import { assert } from "vitest"
import { startAppServer } from "../AppServer.ts"
import type { Exchange } from "../CookieJarClient.ts"
import { CookieJarClient } from "../CookieJarClient.ts"
import type { ForgedIssuer, ForgingProvider } from "../ForgingProvider.ts"
import type { Config } from "../Implementation.ts"
import { sessionOf, startSignIn } from "../Journey.ts"
import type { Fault, Outcome } from "./Fault.ts"

/** Options of an OpenID Connect provider at a forged issuer. */
export const providerAt = (
  id: string,
  issuer: ForgedIssuer,
  more: Readonly<Record<string, unknown>> = {}
): Config["providers"][number] => ({
  id,
  name: id,
  type: "oidc",
  issuer: issuer.issuer,
  clientId: issuer.clientId,
  clientSecret: issuer.clientSecret,
  checks: ["pkce", "state", "nonce"],
  ...more
})

/** Cookies that outlive a sign-in attempt; everything else belongs to one attempt and must be gone after it. */
const lasting = /csrf-token$|callback-url$/

/** Plays the fault and checks how it ends. */
export const playFault = async (server: ForgingProvider, name: string, fault: Fault): Promise<void> => {
  const issuer = server.issuer(name)
  issuer.dials = fault.dials(issuer)
  const good = server.issuer(`${name}-good`)
  const app = await startAppServer()
  try {
    app.configure({ providers: [providerAt("forged", issuer, fault.provider?.(issuer)), providerAt("good", good)] })
    const client = new CookieJarClient()
    const end = await startSignIn(client, app, "forged")
    const ours = end.trail.filter((exchange) => exchange.url.origin === app.origin)

    for (const exchange of ours) assertHarmless(exchange, issuer)
    const session = await sessionOf(client, app)
    const refusedHere = session === null
    if (fault.outcome.end === "signed in")
      assert.isNotNull(session, `no session; ended at ${end.url.href}: ${inspect(app.errors.at(-1), { depth: 5 })}`)
    if (fault.outcome.end.startsWith("refused")) assert.isNull(session, "a session began")
    if (refusedHere) {
      assertRefusal(end, fault.outcome)
      const left = (await client.cookieNames(app.action("callback/forged"))).filter((cookie) => !lasting.test(cookie))
      if (fault.keepsAttempt) assert.isNotEmpty(left, "an attempt was given up for an answer that is not its own")
      else assert.deepEqual(left, [], "cookies of the attempt were left behind")
    } else {
      assert.isNull(end.url.searchParams.get("error"))
    }
    fault.check?.(issuer, session ?? undefined)
    assert.notInclude(inspect(app.errors, { depth: 8 }), issuer.clientSecret, "the log holds the client secret")

    await startSignIn(client, app, "good")
    assert.equal(
      (await sessionOf(client, app))?.user?.["name"],
      `Person of ${good.issuer}`,
      "the second provider does not work any more"
    )
  } finally {
    await app.close()
  }
}

/** No answer of the application blames its configuration, fails, or repeats what it was told. */
const assertHarmless = (exchange: Exchange, issuer: ForgedIssuer): void => {
  const where = `${exchange.method} ${exchange.url.pathname}`
  assert.isBelow(exchange.status, 500, where)
  assert.notInclude(exchange.headers.get("location") ?? "", "Configuration", where)
  const said = `${inspect([...exchange.headers])}\n${exchange.body}`
  assert.notInclude(said, issuer.clientSecret, where)
  assert.notInclude(said, "<script>alert(1)", where)
  if (exchange.url.pathname.includes("/callback/")) {
    const code = exchange.url.searchParams.get("code")
    if (code !== null && code.length > 8) assert.notInclude(said, code, `${where} repeats the code`)
  }
}

const assertRefusal = (end: Exchange, outcome: Outcome): void => {
  assert.equal(end.status, 200, end.body)
  assert.equal(end.url.pathname, "/auth/signin")
  const error = end.url.searchParams.get("error")
  const code = end.url.searchParams.get("code")
  const errors = {
    "refused at start": ["OAuthSignin"],
    "refused anywhere": ["OAuthSignin", "OAuthCallbackError"],
    "signed in": [],
    either: ["OAuthCallbackError"],
    refused: ["OAuthCallbackError"]
  }
  assert.include(errors[outcome.end], error, `code ${code}`)
  if (outcome.end !== "signed in") assert.include(outcome.codes, code)
}
