/**
 * Functions that decode the parts of a session. Those of the library's own schemas are plain: an interpreter of schemas at each request
 * costs more than what it finds there.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { isUserId } from "../models/Id.ts"
import { SessionUser } from "./CurrentSession.ts"

/** The members beside the user that `callbacks.session` returns, without a Schema of the application. */
export const noClaims = Schema.Struct({})

type Decode<A> = (value: unknown) => Effect.Effect<A, Schema.SchemaError>

/** The function that decodes as a schema does. */
export function decoderOf<S extends Schema.ConstraintDecoder<unknown>>(schema: S): Decode<S["Type"]>
export function decoderOf(schema: Schema.ConstraintDecoder<unknown>): Decode<unknown> {
  const decode = Schema.decodeUnknownEffect(schema)
  const decodePlain = schema === SessionUser ? decodeUser : schema === noClaims ? decodeNoClaims : undefined
  return decodePlain === undefined ? decode : (value) => decodePlain(value) ?? decode(value)
}

/** The values that {@link SessionUser} decodes. The Schema decodes all others, and names the mismatch. */
const decodeUser = (value: unknown): Effect.Effect<SessionUser> | undefined => {
  if (!Predicate.isReadonlyObject(value)) return undefined
  const id = value["id"]
  const name = textOf(value, "name")
  const email = textOf(value, "email")
  const image = textOf(value, "image")
  return isUserId(id) && name !== undefined && email !== undefined && image !== undefined
    ? Effect.succeed({ id, name, email, image })
    : undefined
}

/** The text of a member, which may be left out; `undefined` for what is no text. */
const textOf = (user: { readonly [x: PropertyKey]: unknown }, name: string): string | null | undefined => {
  if (!(name in user)) return null
  const value = user[name]
  return value === null || typeof value === "string" ? value : undefined
}

const decodeNoClaims = (value: unknown): Effect.Effect<unknown> | undefined =>
  Predicate.isReadonlyObject(value) ? Effect.succeed(value) : undefined
