/**
 * Asks a provider who the person is: the UserInfo endpoint (OpenID Connect Core section 5.3) and its OAuth relatives.
 *
 * `jose` verifies a signed answer and, with OpenID Connect, `oauth4webapi` processes what is in it. Status 200 and JSON are
 * required; a signed answer is accepted only from providers that are configured for it, and then nothing else. With OpenID
 * Connect the subject must be the one of the ID token. Of any other answer the status counts, and the error object of platforms
 * that have one is its cause.
 *
 * A provider may leave the claims of the scopes `profile` and `email` to this endpoint (section 5.4). It is asked for them where the
 * ID token has none of them; the sign-in does not depend on the answer.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { fromAnswer } from "../internal/Answer.ts"
import { isJsonObject } from "../internal/JsonText.ts"
import { kinds, names } from "../internal/Mismatch.ts"
import { within } from "../internal/Timeout.ts"
import type { TokenSet } from "../Models.ts"
import { refusalOf } from "../Provider/internal/ClientKey.ts"
import { withPresetTools } from "../Provider/internal/ProfileRequest.ts"
import { connect } from "./Connection.ts"
import {
  applicationFault,
  invalidResponse,
  libraryFault,
  OAuthFault,
  otherPerson,
  profileInvalid,
  statusFault,
  unavailable
} from "./Fault.ts"
import type { Flow } from "./Flow.ts"
import { answerOf, call, request, type Sending } from "./Request.ts"
import { type SignedClaims, verifyJwt } from "./SignedToken.ts"
import { fetchOver, mediaType, readJson, textOf } from "./Transport.ts"

const what = "userinfo endpoint"

/** The credentials of the request: the access token and, with OpenID Connect, the claims of the ID token. */
export interface Question {
  readonly tokens: TokenSet & { readonly access_token: string }
  readonly claims: { readonly sub: string; readonly iss: string } | undefined
}

const byApplication = Effect.fnUntraced(function* (
  { provider: { id, source, userinfo }, transport }: Sending,
  { claims, tokens }: Question
) {
  const attempt = { tokens, fetch: fetchOver(transport, what, yield* Effect.context()) }
  const given = withPresetTools(id, attempt, { ...attempt, provider: source })
  const profile: unknown = yield* Effect.mapError(
    fromAnswer("userinfo.request", () => userinfo.request?.(given), [tokens, source]),
    applicationFault("userinfo.request of the provider")
  )
  if (!isJsonObject(profile))
    return yield* profileInvalid(`userinfo.request of the provider gave no profile${kinds("an object", profile)}`, {
      fix: "Return the profile of the person from userinfo.request."
    })
  const { sub = claims?.sub }: { readonly sub?: unknown } = profile
  if (claims !== undefined && sub !== claims.sub) return yield* otherPerson()
  return sub === undefined ? profile : { ...profile, sub }
})

const byEndpoint = (sending: Sending, { claims, tokens }: Question): Effect.Effect<SignedClaims, OAuthFault> => {
  const { protocol, provider, server } = sending
  const { userinfo_signed_response_alg: registered } = provider.clientMetadata
  const agreed = typeof registered === "string" ? registered : "none"
  const client = {
    ...sending.client,
    ...(registered === undefined ? {} : { userinfo_signed_response_alg: agreed })
  }
  const issuing = { ...server, issuer: claims?.iss ?? server.issuer }
  const { sub = protocol.skipSubjectCheck } = claims ?? {}
  const process = (answer: Response) => call(() => protocol.processUserInfoResponse(issuing, client, sub, answer))
  return request(sending, what, {
    make: (options) => protocol.userInfoRequest(server, client, tokens.access_token, options),
    read: Effect.fnUntraced(function* (response) {
      if (response.status !== 200) {
        const error = yield* Effect.flip(process(response.clone()))
        if (protocol.isDPoPNonceError(error)) return yield* Effect.fail(error)
        // The platform's own error is the cause, where the body holds one.
        const refusal = refusalOf(provider.profile)
        const body = refusal && (yield* Effect.option(readJson(what, response)))
        const cause = body?._tag === "Some" ? refusal?.(body.value) : undefined
        const { code, detail, fix, retryable } = statusFault(what, response.status)
        return yield* new OAuthFault({ code, detail, fix, retryable, ...(cause === undefined ? {} : { cause }) })
      }
      const isSigned = mediaType(response) === "application/jwt"
      if (isSigned !== (registered !== undefined)) {
        return yield* invalidResponse(
          `the answer of the ${what} is ${isSigned ? "signed, which was not agreed" : "not signed"}${names(isSigned ? "application/json" : "application/jwt", mediaType(response))}`,
          {
            fix: isSigned
              ? "Set client.userinfo_signed_response_alg to the algorithm that is registered at the provider."
              : "Register a signed userinfo answer at the provider, or leave client.userinfo_signed_response_alg out."
          }
        )
      }
      if (!isSigned) {
        const profile = yield* readJson(what, response)
        // Plain OAuth knows no subject, the one member of a profile that the protocol knows.
        if (claims !== undefined) yield* process(answerOf({ body: { sub: profile["sub"] }, status: 200 }))
        return profile
      }
      const text = ((yield* textOf(response)) ?? "").trim()
      const expected = { what: "userinfo response", registered, announced: undefined, jwksUri: server.jwks_uri }
      const token = yield* verifyJwt(sending, expected, text)
      yield* process(new Response(text, { headers: { "content-type": "application/jwt" } }))
      return token.claims
    }),
    fault: libraryFault(what, "", (reason) => invalidResponse(`the userinfo response ${reason}`))
  })
}

/** Fetches the profile of the person. */
export const fetchProfile = (sending: Sending, question: Question): Effect.Effect<SignedClaims, OAuthFault> =>
  sending.provider.userinfo.request === undefined ? byEndpoint(sending, question) : byApplication(sending, question)

/** The claims that each scope asks for (OpenID Connect Core section 5.4). */
const claimsOfScope = {
  profile: `name family_name given_name middle_name nickname preferred_username profile picture website gender birthdate
    zoneinfo locale updated_at`.split(/\s+/),
  email: ["email", "email_verified"]
} as const

/** Has the document a value for a claim? `null` says no more than a claim that is not there. */
const hasValue = (document: SignedClaims, name: string): boolean => (document[name] ?? undefined) !== undefined

const completionDeadline = {
  // A sign-in can do without these claims.
  milliseconds: 3000,
  failed: (cause: unknown): OAuthFault =>
    OAuthFault.is(cause) ? cause : unavailable(`the ${what} could not be reached`, { cause }),
  late: () => unavailable(`the ${what} did not answer within three seconds`)
}

/** A profile, and the document that names the email address of it. */
interface CompleteProfile {
  readonly claims: SignedClaims
  readonly addressFrom: SignedClaims
}

/**
 * The claims of the ID token, with those of userinfo where it has none of a scope. Claims of the ID token win. An email address and
 * whether it is verified come from one document.
 */
const merge = (idToken: SignedClaims, userinfo: SignedClaims): CompleteProfile => {
  const isInToken = hasValue(idToken, "email")
  const isOfAddress = (name: string) => name === "email" || name === "email_verified"
  const pick = (document: SignedClaims, keeps: (name: string) => boolean): SignedClaims =>
    Object.fromEntries(Object.entries(document).filter(([name]) => keeps(name)))
  return {
    claims: {
      ...pick(userinfo, (name) => !isInToken || !isOfAddress(name)),
      ...pick(idToken, (name) => hasValue(idToken, name) && (isInToken || !isOfAddress(name)))
    },
    addressFrom: isInToken ? idToken : userinfo
  }
}

/** Completes the claims of an ID token. An answer about another person ends the sign-in; an endpoint that fails does not. */
export const completeClaims = Effect.fnUntraced(function* (
  sending: Sending,
  { requested }: Flow,
  claims: Question["claims"] & SignedClaims,
  tokens: Question["tokens"]
): Effect.fn.Return<CompleteProfile, OAuthFault> {
  const { provider, server, transport } = sending
  const { scope = new Map(provider.authorizationParameters).get("scope") ?? "" } = requested ?? {}
  const lacking = (["profile", "email"] as const).filter(
    (name) => scope.split(" ").includes(name) && !claimsOfScope[name].some((claim) => hasValue(claims, claim))
  )
  const complete = { claims, addressFrom: claims }
  const isAsked = provider.type === "oidc" && provider.idToken !== true && server.userinfo_endpoint !== undefined
  if (!isAsked || lacking.length === 0) return complete
  const asking = Effect.andThen(
    connect(transport, provider, ["userinfo_endpoint"]),
    byEndpoint(sending, { claims, tokens })
  )
  return yield* within(asking, completionDeadline).pipe(
    Effect.map((userinfo) => merge(claims, userinfo)),
    Effect.catchIf(
      ({ isOtherPerson }) => isOtherPerson !== true,
      ({ detail }) =>
        Effect.as(
          Effect.logWarning(
            `The ID token of ${provider.id} has no claim of the scope ${lacking.join(" and ")}, and the userinfo endpoint gave ` +
              `none: ${detail}. The sign-in goes on without them. Set idToken: true on the provider to ask the ID token ` +
              "alone, or let the provider write these claims into it."
          ),
          complete
        )
    )
  )
})
