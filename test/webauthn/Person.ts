/**
 * A person with a browser and keys in software, at a site whose store is in memory.
 */
import * as Effect from "effect/Effect"
import type { Options } from "../../src/config/Settings.ts"
import type { AuthError } from "../../src/Errors.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import type { WebAuthnUserConfig } from "../../src/Provider/internal/ProviderOptions.ts"
import type * as Services from "../../src/composition/Services.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { make as makeMemory } from "../../src/storage/MemoryAdapter.ts"
import { at, type Browser, browser, config, type Seen } from "../Browser.ts"
import { password, site } from "../Visitor.ts"
import {
  type Algorithm,
  create,
  type CreationOptions,
  type Credential,
  get,
  type Lies,
  type RequestOptions
} from "./SoftwareAuthenticator.ts"

export const sessionCookie = "__Host-authjs.session-token"
export const challengeCookie = "__Secure-authjs.challenge"

/** A site with passkeys, and its store. */
export const passkeys = (
  more: Partial<Options> = {},
  provider: WebAuthnUserConfig = {},
  store: AdapterShape = makeMemory()
) => {
  const options = config({
    providers: [Passkey(provider), password()],
    experimental: { enableWebAuthn: true },
    adapter: store,
    ...more
  })
  return { options, store, at: at(options) }
}

type Asked<A> = Effect.Effect<A, AuthError, Services.Services>

export interface Person {
  readonly browser: Browser
  readonly ask: (query?: string) => Asked<Seen>
  readonly creation: (query?: string) => Asked<CreationOptions>
  readonly request: (query?: string) => Asked<RequestOptions>
  readonly post: (action: string, data: unknown, more?: Readonly<Record<string, string>>) => Asked<Seen>
  /** Makes a key for an address; the answer and the key. */
  readonly register: (
    email: string,
    lies?: Lies,
    algorithm?: Algorithm
  ) => Asked<{ readonly seen: Seen; readonly credential: Credential }>
  /** Makes another key in one's own session. */
  readonly add: (lies?: Lies) => Asked<{ readonly seen: Seen; readonly credential: Credential }>
  readonly signIn: (credential: Credential, lies?: Lies, query?: string) => Asked<Seen>
  readonly leave: Effect.Effect<void>
}

export const optionsOf = <A>(seen: Seen): A => (JSON.parse(seen.body) as { options: A }).options

export const person = (origin = site, id = "passkey"): Person => {
  const own = browser(origin)
  const ask: Person["ask"] = (query = "") => own.get(`/auth/webauthn-options/${id}${query}`)
  const post: Person["post"] = (action, data, more = {}) =>
    own.send("POST", `/auth/callback/${id}`, {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        action,
        data: typeof data === "string" ? data : JSON.stringify(data),
        ...more
      }).toString()
    })
  const creation: Person["creation"] = (query = "?action=register") =>
    Effect.map(ask(query), (seen) => optionsOf<CreationOptions>(seen))
  const request: Person["request"] = (query = "?action=authenticate") =>
    Effect.map(ask(query), (seen) => optionsOf<RequestOptions>(seen))
  const makeKey = Effect.fnUntraced(function* (query: string, lies?: Lies, algorithm?: Algorithm) {
    const { credential, data } = create(yield* creation(query), origin, lies, algorithm)
    return { seen: yield* post("register", data), credential }
  })
  return {
    browser: own,
    ask,
    creation,
    request,
    post,
    register: (email, lies, algorithm) =>
      makeKey(`?action=register&email=${encodeURIComponent(email)}`, lies, algorithm),
    add: (lies) => makeKey("?action=register", lies),
    signIn: Effect.fnUntraced(function* (credential: Credential, lies: Lies = {}, query = "?action=authenticate") {
      credential.counter++
      return yield* post("authenticate", get(credential, yield* request(query), origin, lies))
    }),
    leave: Effect.sync(() => own.cookies.clear())
  }
}
