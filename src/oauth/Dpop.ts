/**
 * Tokens that are bound to a key (DPoP, RFC 9449): `oauth4webapi` writes the proofs, with the key pair of the provider's option.
 *
 * An endpoint may ask for a nonce in the proof. The request is made again then, once: the error says that the first one had no
 * effect, and an endpoint that asks for a nonce each time is not followed.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { DPoPHandle } from "oauth4webapi"
import type { TokenSet } from "../Models.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { invalidResponse, type OAuthFault, providerError } from "./Fault.ts"
import { call, type Library } from "./Library.ts"
import { type Incoming, readJson } from "./Transport.ts"

/** The option of `oauth4webapi` that adds a proof made at `now`, in seconds since 1970; none for a provider without key pair. */
export const proofOption = (
  protocol: Library,
  { dpop }: RedirectProvider,
  now: number,
  nonce?: string
): { readonly DPoP?: DPoPHandle } =>
  dpop === undefined
    ? {}
    : {
        DPoP: protocol.DPoP({}, dpop, {
          [protocol.modifyAssertion]: (_header, payload) => {
            Object.assign(payload, { iat: now }, nonce === undefined ? undefined : { nonce })
          }
        })
      }

/** RFC 9449 section 8.1. */
const nonceSyntax = /^[\x21\x23-\x5b\x5d-\x7e]{1,1024}$/

/** The nonce that an answer asks for: an authorization server in its body, a resource in its challenge (sections 8 and 9). */
const nonceOf = (what: string, incoming: Incoming): Effect.Effect<string | undefined> => {
  const { headers, status } = incoming
  const nonce = headers.get("dpop-nonce") ?? ""
  if ((status !== 400 && status !== 401) || !nonceSyntax.test(nonce)) return Effect.undefined
  if (/\buse_dpop_nonce\b/.test(headers.get("www-authenticate") ?? "")) return Effect.succeed(nonce)
  return readJson(what, incoming).pipe(
    Effect.map(({ error }) => (error === "use_dpop_nonce" ? nonce : undefined)),
    Effect.orElseSucceed(() => undefined)
  )
}

/** Sends a request, and once more where its endpoint asks for a nonce. */
export const sendWithNonce = Effect.fnUntraced(function* (
  what: string,
  { dpop }: RedirectProvider,
  send: (nonce?: string) => Effect.Effect<Incoming, OAuthFault>
) {
  const incoming = yield* send()
  const nonce = dpop === undefined ? undefined : yield* nonceOf(what, incoming)
  return nonce === undefined ? incoming : yield* send(nonce)
})

/** Is the access token bound to the key, as the option asks (section 5)? */
export const checkBound = ({ dpop }: RedirectProvider, { token_type }: TokenSet): Effect.Effect<void, OAuthFault> =>
  dpop === undefined || token_type === "dpop"
    ? Effect.void
    : Effect.fail(invalidResponse("the access token is not bound to the key of dpop"))

/** The address of an authorization request with the thumbprint of the key, to which the provider binds the code (section 10). */
export const bindCode = (provider: RedirectProvider, address: string): Effect.Effect<string, OAuthFault> =>
  provider.dpop === undefined
    ? Effect.succeed(address)
    : Effect.map(
        call(
          (library) => proofOption(library, provider, 0).DPoP?.calculateThumbprint(),
          () => providerError("the key pair of dpop cannot be used")
        ),
        (thumbprint) => {
          const url = new URL(address)
          url.searchParams.set("dpop_jkt", thumbprint ?? "")
          return url.href
        }
      )
