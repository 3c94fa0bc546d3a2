/**
 * A session that was found, read by the schemas of the application.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { SessionMismatch } from "../AccessProblem.ts"
import type { ActiveSession } from "../CurrentSession.ts"
import { sessionIdOf } from "../storage/ListedSession.ts"

/** A session that was found. */
export interface Found {
  /** What `callbacks.session` answered, as JSON text. */
  readonly text: string
  readonly userId: string
  readonly sessionToken: string | undefined
  readonly via: "cookie" | "bearer"
}

/** Reads what a request's session is; a session of another shape is a defect. What is logged is logged with `services`. */
export type Reading<User, Members> = (
  found: Found,
  services?: Context.Context<never>
) => Effect.Effect<ActiveSession<User, Members>>

/** What `callbacks.session` answered: the library made the text, what stands in it is the application's. */
const wholeOf = (text: string): { readonly [member: string]: unknown } | undefined => {
  const whole: unknown = Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))
  return typeof whole === "object" && whole !== null && !Array.isArray(whole) ? { ...whole } : undefined
}

/** A time as JSON has it, in milliseconds. */
const timeOf = (time: unknown): number => (typeof time === "string" ? Date.parse(time) : Number.NaN)

/** Makes the reading of two schemas; a session is read once, however many ask. */
export const reading = <User, Members>(
  userSchema: Schema.ConstraintDecoder<User, never>,
  membersSchema: Schema.ConstraintDecoder<Members, never>
): Reading<User, Members> => {
  const decodeUser = Schema.decodeUnknownEffect(userSchema)
  const decodeMembers = Schema.decodeUnknownEffect(membersSchema)
  const done = new WeakMap<Found, Exit.Exit<ActiveSession<User, Members>>>()
  const read = Effect.fnUntraced(function* (
    found: Found
  ): Effect.fn.Return<ActiveSession<User, Members>, Schema.SchemaError | SessionMismatch> {
    const whole = wholeOf(found.text)
    if (whole === undefined) return yield* new SessionMismatch({ detail: "callbacks.session answered no object" })
    const expires = timeOf(whole["expires"])
    if (Number.isNaN(expires)) return yield* new SessionMismatch({ detail: "expires is no time" })
    const { userId } = found
    return {
      user: yield* decodeUser(named(whole["user"], userId)),
      userId,
      id: found.sessionToken === undefined ? undefined : sessionIdOf(found.sessionToken),
      expires: DateTime.makeUnsafe(expires),
      via: found.via,
      members: yield* decodeMembers(whole)
    }
  })
  return (found, services = Context.empty()) =>
    Effect.suspend(
      () =>
        done.get(found) ??
        Effect.onExit(
          Effect.catch(read(found), (failure) =>
            Effect.andThen(
              Effect.provideContext(Effect.logError(explained(failure)), services),
              Effect.die(new SessionMismatch({}))
            )
          ),
          (exit) =>
            Effect.sync(() => {
              if (Exit.isSuccess(exit) || !Cause.hasInterrupts(exit.cause)) done.set(found, exit)
            })
        )
    )
}

/** The user that `callbacks.session` answered, with the id where it has none of its own. */
const named = (user: unknown, id: string): unknown =>
  user === undefined || (typeof user === "object" && user !== null && !Array.isArray(user)) ? { id, ...user } : user

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** What a schema says of a value repeats it, and a session holds what is nobody's business: the log has the places alone. */
const explained = (failure: Schema.SchemaError | SessionMismatch): SessionMismatch => {
  if (failure._tag === "SessionMismatch") return failure
  const places = issuesOf(failure.issue).issues.map(({ path = [] }) => path.map(String).join(".") || "the whole")
  return new SessionMismatch({ detail: `The session does not fit the schema at: ${[...new Set(places)].join(", ")}` })
}
