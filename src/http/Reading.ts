/**
 * A session that was found, read by the schemas of the application.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SessionMismatch } from "../AccessProblem.ts"
import type { ActiveSession } from "../CurrentSession.ts"
import { sessionIdOf } from "../ServerSession.ts"
import type { Found } from "./Lookup.ts"

/** Reads what a request's session is; a session of another shape is a defect. */
export type Reading<User, Members> = (found: Found) => Effect.Effect<ActiveSession<User, Members>>

const members = Schema.Record(Schema.String, Schema.Unknown)
const Whole = Schema.fromJsonString(
  Schema.StructWithRest(Schema.Struct({ user: Schema.optional(members), expires: Schema.String }), [members])
)
const decodeWhole = Schema.decodeUnknownEffect(Whole)

/** Makes the reading of two schemas; a session is read once, however many ask. */
export const reading = <User, Members>(
  userSchema: Schema.ConstraintDecoder<User, never>,
  membersSchema: Schema.ConstraintDecoder<Members, never>
): Reading<User, Members> => {
  const decodeUser = Schema.decodeUnknownEffect(userSchema)
  const decodeMembers = Schema.decodeUnknownEffect(membersSchema)
  const done = new WeakMap<Found, ActiveSession<User, Members>>()
  const read = Effect.fnUntraced(function* (
    found: Found
  ): Effect.fn.Return<ActiveSession<User, Members>, Schema.SchemaError | SessionMismatch> {
    const whole = yield* decodeWhole(found.text)
    const expires = DateTime.make(whole.expires)
    if (Option.isNone(expires)) return yield* new SessionMismatch({ detail: "expires is no time" })
    const { userId } = found
    return {
      user: yield* decodeUser(userId === undefined ? whole.user : { id: userId, ...whole.user }),
      userId,
      id: found.sessionToken === undefined ? undefined : sessionIdOf(found.sessionToken),
      expires: DateTime.toUtc(expires.value),
      via: found.via,
      members: yield* decodeMembers(whole)
    }
  })
  return (found) => {
    const known = done.get(found)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.tap(
      // What the schema says of a value holds no value; the log may have it, the answer does not.
      Effect.catch(read(found), (failure) =>
        Effect.andThen(Effect.logError(failure), Effect.die(new SessionMismatch({})))
      ),
      (session) => Effect.sync(() => void done.set(found, session))
    )
  }
}
