/**
 * The credential that a browser sends at the end of a ceremony, as JSON (WebAuthn section 5.1, `RegistrationResponseJSON` and
 * `AuthenticationResponseJSON`), the client data inside it, and the spellings of a credential's id: base64url towards the
 * browser (section 5.1.8), standard base64 in the store.
 *
 * Only the form is checked here. What the members must say is checked by `WebAuthn.ts`.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Base64Url from "../crypto/Base64Url.ts"
import { decodeBody } from "../http/Body.ts"
import { withoutPrototype } from "../internal/OwnProperty.ts"

/** Bytes of the longest id (WebAuthn section 4, "Credential ID"). */
const longestId = 1023

/** Base64url as standard base64 (RFC 4648 section 4), with padding. @internal */
export const toBase64 = (base64Url: string): string => {
  const plain = base64Url.replaceAll("-", "+").replaceAll("_", "/")
  return plain + "=".repeat((4 - (plain.length % 4)) % 4)
}

/** The bytes of either spelling, with or without padding. @internal */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  Base64Url.decode(
    text
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace(/={1,2}$/, "")
  )

/** Either spelling as base64url. @internal */
export const toBase64Url = (text: string): string | undefined => {
  const bytes = bytesOf(text)
  return bytes === undefined ? undefined : Base64Url.encode(bytes)
}

/** Is this the one spelling of an id that browsers send? @internal */
const isCredentialId = (text: string): boolean => {
  const bytes = Base64Url.decode(text)
  return bytes !== undefined && bytes.length > 0 && bytes.length <= longestId
}

/** How a store may have spelled an id: as Auth.js and this library do, then as the browser does. @internal */
export const spellings = (base64Url: string): ReadonlyArray<string> => [...new Set([toBase64(base64Url), base64Url])]

/** Base64url without padding, in its one spelling. */
const Bytes = Schema.String.check(
  Schema.makeFilter((text: string) => text !== "" && Base64Url.decode(text) !== undefined)
)
const Id = Schema.String.check(Schema.makeFilter(isCredentialId))

const head = { id: Id, rawId: Id, type: Schema.Literal("public-key") }

const Registration = Schema.Struct({
  ...head,
  response: Schema.Struct({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: Schema.optional(Schema.NullOr(Schema.Array(Schema.String)))
  })
})

const Authentication = Schema.Struct({
  ...head,
  response: Schema.Struct({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Schema.optional(Schema.NullOr(Schema.Union([Bytes, Schema.Literal("")])))
  })
})

/**
 * The answer to a request for a new key.
 *
 * @category models
 * @since 0.1.0
 */
export type RegistrationData = typeof Registration.Type

/**
 * The answer to a request for the proof of a key.
 *
 * @category models
 * @since 0.1.0
 */
export type AuthenticationData = typeof Authentication.Type

const ClientData = Schema.Struct({
  type: Schema.String,
  challenge: Schema.String,
  origin: Schema.String,
  crossOrigin: Schema.optional(Schema.NullOr(Schema.Boolean)),
  topOrigin: Schema.optional(Schema.NullOr(Schema.String))
})

/**
 * The client data of the ceremony (WebAuthn section 5.8.1).
 *
 * @category models
 * @since 0.1.0
 */
export type ClientData = typeof ClientData.Type

const decodeRegistration = Schema.decodeUnknownOption(Registration)
const decodeAuthentication = Schema.decodeUnknownOption(Authentication)
const decodeClientData = Schema.decodeUnknownOption(ClientData)

/** The decoded value, with the sent members alone. */
const read = <A>(decoded: Option.Option<A>): A | undefined => withoutPrototype(Option.getOrUndefined(decoded))

const utf8 = new TextEncoder()

/** An object of at most 64 kB and 32 levels, without members that mean something to every object. */
const objectOf = (text: string): unknown => {
  if (text.length > longest) return undefined
  const body = decodeBody(utf8.encode(text), "application/json")
  return typeof body === "string" ? undefined : withoutPrototype(body.body)
}

/** Characters of the longest answer that is read. */
const longest = 65_536

/** The answer to a request for a new key, if it has the form of one. @internal */
export const registrationData = (text: string): RegistrationData | undefined => read(decodeRegistration(objectOf(text)))

/** The answer to a request for the proof of a key, if it has the form of one. @internal */
export const authenticationData = (text: string): AuthenticationData | undefined =>
  read(decodeAuthentication(objectOf(text)))

/** The client data of an answer; `undefined` when they are not JSON of that form. @internal */
export const clientDataOf = (clientDataJson: string): ClientData | undefined => {
  const bytes = Base64Url.decode(clientDataJson)
  if (bytes === undefined) return undefined
  const body = decodeBody(bytes, "application/json")
  return typeof body === "string" ? undefined : read(decodeClientData(withoutPrototype(body.body)))
}
