/** Every request to a provider has a span, which names the endpoint. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import { OAuthClient } from "../../src/oauth/OAuthClient.ts"
import {
  against,
  answer,
  issuer,
  json,
  metadata,
  oauth,
  oauthFlow,
  oidc,
  scripted,
  signIn,
  start
} from "./ScriptedProvider.ts"

const par = {
  "/.well-known/openid-configuration": () =>
    json({ ...metadata, pushed_authorization_request_endpoint: `${issuer}/par` }),
  "/par": () => json({ request_uri: "urn:example:1", expires_in: 60 }, { status: 201 })
}

/** A function of the application in the place of an endpoint. */
const asking = async (fetch: typeof globalThis.fetch, path: string): Promise<unknown> =>
  (await fetch(`${issuer}${path}`)).json()

const byFunctions = oauth({
  token: {
    url: undefined,
    conform: undefined,
    request: async ({ fetch }) => {
      await asking(fetch, "/own")
      return { tokens: { access_token: "access-1" } }
    }
  },
  userinfo: { url: undefined, request: ({ fetch }) => asking(fetch, "/userinfo") }
})

const complete = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  Effect.orDie(Effect.asVoid(program))

const rows = [
  {
    title: "OpenID Connect with userinfo",
    program: complete(signIn(oidc({ idToken: false }))),
    idp: scripted(),
    endpoints: {
      "/.well-known/openid-configuration": "discovery",
      "/token": "token",
      "/keys": "keys",
      "/userinfo": "userinfo"
    }
  },
  {
    title: "a pushed authorization request",
    program: complete(start(oidc({ pushedAuthorizationRequests: true }))),
    idp: scripted(par),
    endpoints: { "/.well-known/openid-configuration": "discovery", "/par": "par" }
  },
  {
    title: "a revocation",
    program: complete(OAuthClient.use((client) => client.revoke(oidc(), "refresh_token", Redacted.make("refresh-1")))),
    idp: scripted({
      "/.well-known/openid-configuration": () => json({ ...metadata, revocation_endpoint: `${issuer}/revoke` }),
      "/revoke": () => new Response(null)
    }),
    endpoints: { "/.well-known/openid-configuration": "discovery", "/revoke": "revocation" }
  },
  {
    title: "functions of the application",
    program: complete(signIn(byFunctions, answer(undefined, oauthFlow))),
    idp: scripted({ "/own": () => json({}) }),
    endpoints: { "/own": "token", "/userinfo": "userinfo" }
  }
]

const collecting = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (given) => {
      const span = new Tracer.NativeSpan(given)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer: Effect.provideService(Tracer.Tracer, tracer) }
}

describe("the span of a request", () => {
  for (const { endpoints, idp, program, title } of rows) {
    it.gen(`names the endpoint: ${title}`, function* () {
      const { spans, tracer } = collecting()
      yield* against(idp, tracer(program))
      assert.deepStrictEqual(
        idp.sent.map(({ path }) => path),
        Object.keys(endpoints)
      )
      assert.deepStrictEqual(
        spans.map(({ attributes, name }) => [name, attributes.get("effect-doorman.endpoint")]),
        Object.values(endpoints).map((endpoint) => ["effect-doorman.provider", endpoint])
      )
    })
  }
})
