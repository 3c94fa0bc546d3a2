/**
 * A site and a provider in memory that end sessions together: OpenID Connect with an `end_session_endpoint`, and logout tokens
 * of the provider's key.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Options } from "../../src/config/Settings.ts"
import * as MemoryAdapter from "../../src/storage/MemoryAdapter.ts"
import { at, type Browser, browser, config, type Log, signInAt } from "../Browser.ts"
import { idp, idpOrigin, type MemoryProvider, memoryProvider } from "../MemoryProvider.ts"
import { json, rsa, sign } from "../oauth/ScriptedProvider.ts"
import { password } from "../Visitor.ts"

export const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

export const endSessionEndpoint = `${idpOrigin}/logout`

/** A provider whose metadata has more members. Each has a name of its own, because metadata is cached by issuer. */
export const providerWith = (more: object = { end_session_endpoint: endSessionEndpoint }): MemoryProvider => {
  const provider = memoryProvider()
  provider.claims["sid"] = "provider-session-1"
  provider.script["/.well-known/openid-configuration"] = () =>
    json({
      issuer: idpOrigin,
      authorization_endpoint: `${idpOrigin}/authorize`,
      token_endpoint: `${idpOrigin}/token`,
      userinfo_endpoint: `${idpOrigin}/userinfo`,
      jwks_uri: `${idpOrigin}/keys`,
      id_token_signing_alg_values_supported: ["RS256"],
      ...more
    })
  return provider
}

/** How sessions are kept. */
export const strategies = {
  "token sessions": (): Partial<Options> => ({ session: { strategy: "jwt", revocation: true } }),
  "token sessions beside a store": (): Partial<Options> => ({
    adapter: MemoryAdapter.make(),
    session: { strategy: "jwt", revocation: true }
  }),
  "sessions in a database": (): Partial<Options> => ({ adapter: MemoryAdapter.make() })
} as const

export const siteWith = (options: object, more: Partial<Options> = {}): Options =>
  config({ providers: [idp(options), password()], ...more })

/** Runs a program at such a site. */
export const atSite = (options: object, more: Partial<Options>, provider: MemoryProvider, log?: Log) =>
  at(siteWith(options, more), provider, log)

/** Such a site with its provider and its log. */
export const logoutSite = (options: object, more: Partial<Options>, endpoints?: object) => {
  const provider = providerWith(endpoints)
  const log: Log = { entries: [] }
  return { provider, log, at: atSite(options, more, provider, log) }
}

/** A browser that signed in at the provider, whose session there has this id. */
export const signedIn = (provider: MemoryProvider, sid = "provider-session-1", sub = "person-1") => {
  const person = browser()
  return Effect.suspend(() => {
    provider.claims["sid"] = sid
    provider.claims["sub"] = sub
    provider.claims["email"] = `${sub}@example.com`
    return Effect.as(signInAt(person, provider), person)
  })
}

/** The claims of a good logout token. */
export const goodClaims = Effect.map(Clock.currentTimeMillis, (milliseconds) => {
  const now = Math.floor(milliseconds / 1000)
  return {
    iss: idpOrigin,
    aud: "client-1",
    iat: now,
    exp: now + 120,
    jti: "logout-1",
    sub: "person-1",
    sid: "provider-session-1",
    events: { [logoutEvent]: {} }
  }
})

export const goodHeader = { alg: "RS256", kid: "rsa-1", typ: "logout+jwt" }

/** A logout token with other claims and another header; `undefined` leaves a claim out. */
export const logoutToken = (claims: object = {}, header: object = {}) =>
  Effect.flatMap(goodClaims, (good) =>
    Effect.promise(() => sign({ ...good, ...claims }, { ...goodHeader, ...header }, rsa.privateKey))
  )

/** Posts a logout token, from a server without cookies. */
export const post = (token: string, from: Browser = browser(), headers: Readonly<Record<string, string>> = {}) =>
  from.send("POST", "/auth/backchannel-logout/idp", {
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams({ logout_token: token }).toString()
  })
