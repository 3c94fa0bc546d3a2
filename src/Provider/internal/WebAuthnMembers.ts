/**
 * Reads the members of WebAuthn providers, those of Auth.js and our own presets alike.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InvalidConfiguration, MissingWebAuthnAutocomplete } from "../../Errors.ts"
import { loadPackage } from "../../internal/LoadPackage.ts"
import { withoutPrototype } from "../../internal/OwnProperty.ts"
import { unseen } from "../../internal/RedactedView.ts"
import { fieldsOf } from "./CredentialForm.ts"
import { nameProvider, type Definition } from "./Definition.ts"
import type { Members } from "../../internal/Merge.ts"
import { functionOf, maybe } from "./MemberSchemas.ts"
import type { WebAuthnProvider } from "./Provider.ts"

/** Default time for a ceremony, in milliseconds. */
const fiveMinutes = 300_000

/** Ed25519, ECDSA with P-256 and RSA with SHA-256, by their COSE numbers (IANA COSE Algorithms). */
const usualAlgorithms: ReadonlyArray<number> = [-8, -7, -257]

/** What {@link usualAlgorithms} are, and the larger curves and hashes of the same kinds. */
const knownAlgorithms: ReadonlySet<number> = new Set([-8, -7, -35, -36, -257, -258, -259])

const texts = Schema.Union([Schema.String, Schema.Array(Schema.String)])
const verification = Schema.Literals(["required", "preferred", "discouraged"])
const timeout = Schema.Number.check(Schema.isFinite(), Schema.isGreaterThan(0))
const extensions = Schema.Record(Schema.String, Schema.Unknown)

const WebAuthnMembers = Schema.Struct({
  relayingParty: maybe(Schema.Struct({ id: maybe(texts), name: maybe(texts), origin: maybe(texts) })),
  enableConditionalUI: maybe(Schema.Boolean),
  usernameFirst: maybe(Schema.Boolean),
  formFields: maybe(Schema.Record(Schema.String, Schema.Unknown)),
  authenticationOptions: maybe(
    Schema.Struct({ timeout: maybe(timeout), userVerification: maybe(verification), extensions: maybe(extensions) })
  ),
  registrationOptions: maybe(
    Schema.Struct({
      timeout: maybe(timeout),
      attestationType: maybe(Schema.Literals(["none", "indirect", "direct", "enterprise"])),
      authenticatorSelection: maybe(
        Schema.Struct({
          authenticatorAttachment: maybe(Schema.Literals(["platform", "cross-platform"])),
          residentKey: maybe(verification),
          requireResidentKey: maybe(Schema.Boolean),
          userVerification: maybe(verification)
        })
      ),
      preferredAuthenticatorType: maybe(Schema.Literals(["securityKey", "localDevice", "remoteDevice"])),
      supportedAlgorithmIDs: maybe(Schema.NonEmptyArray(Schema.Int)),
      extensions: maybe(extensions)
    })
  ),
  verifyAuthenticationOptions: maybe(
    Schema.Struct({ requireUserVerification: maybe(Schema.Boolean), expectedTopOrigin: maybe(texts) })
  ),
  verifyRegistrationOptions: maybe(Schema.Struct({ requireUserVerification: maybe(Schema.Boolean) })),
  getUserInfo: functionOf<NonNullable<WebAuthnProvider["getUserInfo"]>>(),
  getRelayingParty: functionOf<NonNullable<WebAuthnProvider["getRelayingParty"]>>(),
  simpleWebAuthn: Schema.optional(Schema.Unknown),
  simpleWebAuthnBrowserVersion: maybe(Schema.Unknown)
})
type Read = (typeof WebAuthnMembers)["Type"]

const decode = Schema.decodeUnknownResult(WebAuthnMembers)

const toList = (value: string | ReadonlyArray<string> | null | undefined): ReadonlyArray<string> =>
  value === undefined || value === null ? [] : typeof value === "string" ? [value] : value

/** Letters, digits and hyphens between dots, in lower case as in addresses (WebAuthn section 5.1.2, RFC 1123 section 2.1). */
const domain = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

/** May keys belong to this domain? @category guards @since 0.1.0 */
export const isRelyingPartyId = (id: string): boolean => id.length <= 253 && domain.test(id)

/**
 * Is this where a ceremony can take place: the origin of a web page, or an Android application?
 *
 * @category guards
 * @since 0.1.0
 */
export const isOrigin = (origin: string): boolean =>
  /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(origin) ||
  (/^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin)

/** Which of the relying party's members cannot be. */
const relyingPartyProblem = (read: Read): string | undefined => {
  const { id, origin } = read.relayingParty ?? {}
  if (!toList(id).every(isRelyingPartyId)) return "relayingParty.id must be a domain, such as example.com"
  if (!toList(origin).every(isOrigin))
    return "relayingParty.origin must be an origin, such as https://example.com, without a path"
  return toList(read.verifyAuthenticationOptions?.expectedTopOrigin).every(isOrigin)
    ? undefined
    : "verifyAuthenticationOptions.expectedTopOrigin must be an origin, such as https://example.com"
}

const problemOf = (read: Read): string | undefined => {
  const { registrationOptions, simpleWebAuthnBrowserVersion: version } = read
  const hasVersion = version !== undefined && version !== null && version !== false
  if (hasVersion && !(typeof version === "string" && /^v\d+(?:\.\d+){0,2}$/.test(version)))
    return "simpleWebAuthnBrowserVersion must look like v9, v9.0 or v9.0.1, or be false"
  if (registrationOptions?.supportedAlgorithmIDs?.every((id) => knownAlgorithms.has(id)) === false)
    return `registrationOptions.supportedAlgorithmIDs may hold ${[...knownAlgorithms].join(", ")}`
  return relyingPartyProblem(read)
}

type Fields = WebAuthnProvider["fields"]

/** Is there an input in which the browser may offer keys (HTML section 4.10.18.7)? */
const offersKeys = (fields: Fields): boolean =>
  fields.some(({ attributes }) => String(attributes["autocomplete"] ?? "").includes("webauthn"))

const registrationOf = (read: Read, usernameFirst: boolean): WebAuthnProvider["registration"] => {
  const registration = read.registrationOptions ?? {}
  const selection = registration.authenticatorSelection ?? {}
  const requiresUser =
    read.verifyRegistrationOptions?.requireUserVerification ?? selection.userVerification !== "discouraged"
  const attestation = registration.attestationType ?? "none"
  return {
    timeout: registration.timeout ?? fiveMinutes,
    userVerification: selection.userVerification ?? (requiresUser ? "required" : "preferred"),
    requireUserVerification: requiresUser || selection.userVerification === "required",
    extensions: registration.extensions ?? undefined,
    // The options do not list the keys of an address: one that the browser cannot find by itself would never sign in.
    residentKey:
      selection.residentKey ?? (selection.requireResidentKey === true || !usernameFirst ? "required" : "preferred"),
    authenticatorAttachment: selection.authenticatorAttachment ?? undefined,
    preferredAuthenticatorType: registration.preferredAuthenticatorType ?? undefined,
    attestation: attestation === "indirect" ? "direct" : attestation,
    algorithms: registration.supportedAlgorithmIDs ?? usualAlgorithms
  }
}

const authenticationOf = (read: Read): WebAuthnProvider["authentication"] => {
  const given = read.authenticationOptions ?? {}
  const required = read.verifyAuthenticationOptions?.requireUserVerification ?? given.userVerification !== "discouraged"
  return {
    timeout: given.timeout ?? fiveMinutes,
    userVerification: given.userVerification ?? (required ? "required" : "preferred"),
    requireUserVerification: required || given.userVerification === "required",
    extensions: given.extensions ?? undefined
  }
}

const isLoader = (value: unknown): value is WebAuthnProvider["simpleWebAuthn"] => typeof value === "function"

const loadByName = () =>
  Promise.all([loadPackage("@simplewebauthn/server"), loadPackage("@simplewebauthn/server/helpers")])

/** Reads a WebAuthn provider. @internal */
export const webAuthnProvider = (
  definition: Definition,
  members: Members
): Result.Result<WebAuthnProvider, InvalidConfiguration | MissingWebAuthnAutocomplete> =>
  Result.gen(function* () {
    const { id, name, position, style } = definition
    const subject = nameProvider(position, id)
    const invalid = (what: string) =>
      new InvalidConfiguration({ provider: id, field: `providers.${id}`, detail: `${subject}: ${what}` })
    const read = yield* Result.mapError(
      Result.map(decode(withoutPrototype(members)), (read) => withoutPrototype(read)),
      (error) => invalid(error.message.replaceAll(/\s+/g, " "))
    )
    const problem = problemOf(read)
    if (problem !== undefined) return yield* Result.fail(invalid(problem))
    const fields = fieldsOf(read.formFields)
    const enableConditionalUI = read.enableConditionalUI === true
    if (enableConditionalUI && !offersKeys(fields)) {
      return yield* Result.fail(
        new MissingWebAuthnAutocomplete({
          provider: id,
          field: `providers.${id}`,
          detail: `${subject}: conditional UI needs a form field with autocomplete "username webauthn"`
        })
      )
    }
    const usernameFirst = read.usernameFirst === true
    return {
      _tag: "WebAuthn",
      type: "webauthn",
      id,
      name,
      style,
      relyingParty: {
        id: toList(read.relayingParty?.id)[0],
        name: toList(read.relayingParty?.name)[0],
        origins: toList(read.relayingParty?.origin),
        topOrigins: toList(read.verifyAuthenticationOptions?.expectedTopOrigin)
      },
      enableConditionalUI,
      usernameFirst,
      fields,
      authentication: authenticationOf(read),
      registration: registrationOf(read, usernameFirst),
      getUserInfo: read.getUserInfo ?? undefined,
      getRelayingParty: read.getRelayingParty ?? undefined,
      simpleWebAuthn: isLoader(read.simpleWebAuthn) ? read.simpleWebAuthn : loadByName,
      source: unseen(members)
    }
  })

/** What is wrong with a WebAuthn provider. @internal */
export const webAuthnProblems = (
  definition: Definition,
  members: Members
): ReadonlyArray<InvalidConfiguration | MissingWebAuthnAutocomplete> =>
  Result.match(webAuthnProvider(definition, members), {
    onFailure: (failure) => [failure],
    onSuccess: () => []
  })

/** Does the application name the domain that keys belong to, and the origins where they are used? @internal */
export const namesRelyingParty = ({ options, preset }: Definition): boolean =>
  ["id", "origin"].every((name) =>
    [options, preset].some(({ relayingParty: party }) => {
      const value: unknown = typeof party === "object" && party !== null ? Reflect.get(party, name) : undefined
      return typeof value === "string" || (Array.isArray(value) && value.length > 0)
    })
  )

/** Does this provider offer keys in the fields of the page? One of a configuration may. @internal */
export const hasConditionalUi = (definition: Definition): boolean =>
  definition.type === "webauthn" &&
  (definition.options["enableConditionalUI"] ?? definition.preset["enableConditionalUI"]) === true
