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
import type { TokenSet } from "../Models.ts"
import { within } from "../internal/Timeout.ts"
import { refusalOf } from "../Provider/internal/ClientKey.ts"
import { withPresetTools } from "../Provider/internal/ProfileRequest.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
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

const fault = libraryFault(what, "", (reason) => invalidResponse(`the userinfo response ${reason}`))

/** The fault behind another status than 200, with the platform's own error as its cause where the body holds one. */
const refused = Effect.fnUntraced(function* ({ profile }: RedirectProvider, response: Response) {
  const { code, detail, fix, retryable } = statusFault(what, response.status)
  const read = refusalOf(profile)
  const body = read === undefined ? undefined : yield* Effect.orElseSucceed(readJson(what, response), () => undefined)
  const cause = body === undefined ? undefined : read?.(body)
  return yield* new OAuthFault({ code, detail, fix, retryable, ...(cause === undefined ? {} : { cause }) })
})

/** The credentials of the request: the access token and, with OpenID Connect, the claims of the ID token. */
export interface Question {
  readonly tokens: TokenSet & { readonly access_token: string }
  readonly claims: { readonly sub: string; readonly iss: string } | undefined
}

const byApplication = Effect.fnUntraced(function* (
  { provider, transport }: Sending,
  perform: NonNullable<RedirectProvider["userinfo"]["request"]>,
  { claims, tokens }: Question
) {
  const attempt = { tokens, fetch: fetchOver(transport, what, yield* Effect.context()) }
  const given = withPresetTools(provider.id, attempt, { ...attempt, provider: provider.source })
  const profile: unknown = yield* Effect.mapError(
    fromAnswer("userinfo.request", () => perform(given), [tokens, provider.source]),
    applicationFault("userinfo.request of the provider")
  )
  if (!isJsonObject(profile))
    return yield* profileInvalid(`userinfo.request of the provider gave no profile${kinds("an object", profile)}`, {
      fix: "Return the profile of the person from userinfo.request."
    })
  const { sub = claims?.sub }: { readonly sub?: unknown } = profile
  return claims === undefined || sub === claims.sub
    ? { ...profile, ...(sub === undefined ? {} : { sub }) }
    : yield* otherPerson()
})

/** Reads an answer of status 200: the profile, and what `oauth4webapi` processes of it. */
const readProfile = Effect.fnUntraced(function* (
  sending: Sending,
  response: Response
): Effect.fn.Return<{ readonly profile: SignedClaims; readonly processed: Response }, OAuthFault> {
  const { provider, server } = sending
  const { userinfo_signed_response_alg: registered } = provider.clientMetadata
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
    // The subject is the one member of a profile that the protocol knows.
    return { profile, processed: answerOf({ body: { sub: profile["sub"] }, status: 200 }) }
  }
  const text = ((yield* textOf(response)) ?? "").trim()
  const expected = { what: "userinfo response", registered, announced: undefined, jwksUri: server.jwks_uri }
  const { claims } = yield* verifyJwt(sending, expected, text)
  return { profile: claims, processed: new Response(text, { headers: { "content-type": "application/jwt" } }) }
})

const byEndpoint = (sending: Sending, { claims, tokens }: Question): Effect.Effect<SignedClaims, OAuthFault> => {
  const { client, protocol, provider, server } = sending
  const { userinfo_signed_response_alg: registered } = provider.clientMetadata
  const agreed =
    registered === undefined
      ? {}
      : { userinfo_signed_response_alg: typeof registered === "string" ? registered : "none" }
  return request(sending, what, {
    make: (options) => protocol.userInfoRequest(server, { ...client, ...agreed }, tokens.access_token, options),
    read: Effect.fnUntraced(function* (response) {
      const issuing = { ...server, issuer: claims?.iss ?? server.issuer }
      const { sub = protocol.skipSubjectCheck } = claims ?? {}
      const process = (answer: Response) =>
        call(() => protocol.processUserInfoResponse(issuing, { ...client, ...agreed }, sub, answer))
      if (response.status !== 200) {
        const error = yield* Effect.flip(process(response.clone()))
        return yield* protocol.isDPoPNonceError(error) ? Effect.fail(error) : refused(provider, response)
      }
      const { processed, profile } = yield* readProfile(sending, response)
      // Plain OAuth knows no subject.
      if (claims !== undefined || registered !== undefined) yield* process(processed)
      return profile
    }),
    fault
  })
}

/** Fetches the profile of the person. */
export const fetchProfile = (sending: Sending, question: Question): Effect.Effect<SignedClaims, OAuthFault> => {
  const { request: perform } = sending.provider.userinfo
  return perform === undefined ? byEndpoint(sending, question) : byApplication(sending, perform, question)
}

/** The claims that each scope asks for (OpenID Connect Core section 5.4). */
const claimsOfScope = {
  profile: [
    "name",
    "family_name",
    "given_name",
    "middle_name",
    "nickname",
    "preferred_username",
    "profile",
    "picture",
    "website",
    "gender",
    "birthdate",
    "zoneinfo",
    "locale",
    "updated_at"
  ],
  email: ["email", "email_verified"]
} as const

/** The requested scopes of which the ID token has no claim. */
const lackingScopes = (
  { authorizationParameters }: RedirectProvider,
  { requested: { scope = new Map(authorizationParameters).get("scope") ?? "" } = {} }: Flow,
  claims: SignedClaims
): ReadonlyArray<string> => {
  const requested = scope.split(" ")
  return (["profile", "email"] as const).filter(
    (scope) =>
      requested.includes(scope) && claimsOfScope[scope].every((name) => (claims[name] ?? undefined) === undefined)
  )
}

/** Milliseconds that a sign-in waits for claims that it can do without. */
const patience = 3000

const completionDeadline = {
  milliseconds: patience,
  failed: (cause: unknown): OAuthFault =>
    OAuthFault.is(cause) ? cause : unavailable(`the ${what} could not be reached`, { cause }),
  late: () => unavailable(`the ${what} did not answer within three seconds`)
}

/** A profile, and the document that names the email address of it. */
export interface CompleteProfile {
  readonly claims: SignedClaims
  readonly addressFrom: SignedClaims
}

/** Claims with a value: `null` says no more than a claim that is not there. */
const withValues = (claims: SignedClaims): SignedClaims => ({
  ...Object.fromEntries(Object.entries(claims).filter(([, value]) => (value ?? undefined) !== undefined)),
  sub: claims.sub
})

/**
 * The claims of the ID token, with those of userinfo where it has none of a scope. Claims of the ID token win. An email address and
 * whether it is verified come from one document.
 */
const merge = (idToken: SignedClaims, userinfo: SignedClaims): CompleteProfile => {
  const isInToken = (idToken["email"] ?? undefined) !== undefined
  const fromToken = withValues(idToken)
  const { email: _, email_verified: __, ...others } = isInToken ? userinfo : fromToken
  return isInToken
    ? { claims: { ...others, ...fromToken }, addressFrom: idToken }
    : { claims: { ...userinfo, ...others }, addressFrom: userinfo }
}

/** Completes the claims of an ID token. An answer about another person ends the sign-in; an endpoint that fails does not. */
export const completeClaims = (
  sending: Sending,
  flow: Flow,
  claims: Question["claims"] & SignedClaims,
  tokens: Question["tokens"]
): Effect.Effect<CompleteProfile, OAuthFault> => {
  const { provider, server, transport } = sending
  const lacking = lackingScopes(provider, flow, claims)
  const complete = { claims, addressFrom: claims }
  if (provider.type !== "oidc" || provider.idToken === true) return Effect.succeed(complete)
  if (server.userinfo_endpoint === undefined || lacking.length === 0) return Effect.succeed(complete)
  const asking = Effect.andThen(
    connect(transport, provider, ["userinfo_endpoint"]),
    byEndpoint(sending, { claims, tokens })
  )
  return within(asking, completionDeadline).pipe(
    Effect.map((userinfo) => merge(claims, userinfo)),
    Effect.catch((fault) =>
      fault.isOtherPerson === true
        ? Effect.fail(fault)
        : Effect.as(
            Effect.logWarning(
              `The ID token of ${provider.id} has no claim of the scope ${lacking.join(" and ")}, and the userinfo endpoint gave ` +
                `none: ${fault.detail}. The sign-in goes on without them. Set idToken: true on the provider to ask the ID token ` +
                "alone, or let the provider write these claims into it."
            ),
            complete
          )
    )
  )
}
