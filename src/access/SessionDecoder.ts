/**
 * Decodes a session by the schemas of an access.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { Access, ActiveSession, Decoder } from "../Access.ts"
import { SessionMismatch } from "./AccessProblem.ts"
import { isJsonObject, type JsonForm, type JsonObject } from "../internal/JsonText.ts"
import type { SessionId, UserId } from "../models/Id.ts"
import type { Authentication } from "../session/Authentication.ts"
import type { SessionEnd } from "../session/SessionStore.ts"
import { sessionIdOf } from "../storage/Details.ts"

/** The session of a request, before a schema reads it. */
export interface Found {
  /** The answer of `callbacks.session`, in JSON. */
  readonly json: JsonForm
  /** When the session ends, as it was given to `callbacks.session`. */
  readonly end?: SessionEnd | undefined
  readonly userId: UserId
  readonly sessionToken: string | undefined
  /** The source of the session id's digest: the token of a row, or the id that a token names. */
  readonly name: string
  /** The generation of the user's sessions when a session began that is a token. */
  readonly generation?: number | undefined
  readonly via: "cookie" | "bearer"
  readonly authentication: Authentication
  /** The results of each access's Schemas: one request decodes its session once. */
  readonly decoded: Array<Decoded<unknown, unknown>>
}

/** A session as the schemas of one access read it. */
interface Decoded<User, Claims> {
  readonly access: object
  readonly exit: Exit.Exit<ActiveSession<User, Claims>>
}

const isOf =
  <Self, User extends Decoder, Claims extends Decoder>(access: Access<Self, User, Claims>) =>
  (entry: Decoded<unknown, unknown>): entry is Decoded<User["Type"], Claims["Type"]> =>
    entry.access === access

const decodeWithEnd = Schema.decodeUnknownEffect(Schema.Struct({ expires: Schema.DateTimeUtcFromString }))

/** The end of a session. A schema says what is wrong where it is not as the library makes it. */
const endOf = (session: JsonObject, known: SessionEnd | undefined): Effect.Effect<DateTime.Utc, Schema.SchemaError> => {
  const { expires: text } = session
  if (known !== undefined && known.text === text) return Effect.succeed(DateTime.makeUnsafe(known.at))
  const end = typeof text === "string" ? DateTime.make(text) : Option.none()
  return Option.isSome(end)
    ? Effect.succeed(DateTime.toUtc(end.value))
    : Effect.map(decodeWithEnd(session), ({ expires }) => expires)
}

/** The authentication as handlers see it. */
export const authenticationOf = ({ authentication: { acr, amr, at } }: Pick<Found, "authentication">) => ({
  authenticatedAt: at === undefined ? undefined : DateTime.makeUnsafe(at),
  amr,
  acr
})

const decode = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  found: Found
): Effect.Effect<ActiveSession<User["Type"], Claims["Type"]>, Schema.SchemaError> => {
  const { end, generation, json, userId, via } = found
  const value = json.value()
  const whole = isJsonObject(value) ? value : {}
  return Effect.flatMapEager(endOf(whole, end), (expires) =>
    Effect.flatMapEager(access["~decodeUser"](withId(whole["user"], userId)), (user) =>
      Effect.mapEager(access["~decodeClaims"](whole), (claims) => ({
        user,
        userId,
        id: idOf(found),
        generation,
        expires,
        via,
        ...authenticationOf(found),
        claims
      }))
    )
  )
}

/** The id by which a session is listed, followed and ended. */
export const idOf = ({ name }: Pick<Found, "name">): SessionId => sessionIdOf(name)

/**
 * Decodes the session of a request by the schemas of an access, once. A session of another shape is a defect, which is logged
 * with `services`.
 */
export const decodeSession = <Self, User extends Decoder, Claims extends Decoder>(
  access: Access<Self, User, Claims>,
  found: Found,
  services: Context.Context<never> = Context.empty()
): Effect.Effect<ActiveSession<User["Type"], Claims["Type"]>> => {
  const known = found.decoded.find(isOf(access))
  if (known !== undefined) return known.exit
  const remember = (exit: Exit.Exit<ActiveSession<User["Type"], Claims["Type"]>>): void => {
    if (Exit.isSuccess(exit) || !Cause.hasInterrupts(exit.cause)) found.decoded.push({ access, exit })
  }
  return Effect.catchEager(
    Effect.mapEager(decode(access, found), (session) => {
      remember(Exit.succeed(session))
      return session
    }),
    (failure) => {
      const logged = Effect.provideContext(Effect.logError(explained(failure)), services)
      return Effect.onExit(Effect.andThen(logged, Effect.die(new SessionMismatch({}))), (exit) =>
        Effect.sync(() => remember(exit))
      )
    }
  )
}

/** The user that `callbacks.session` answered, with the id where it has none of its own. */
const withId = (user: unknown, id: string): unknown =>
  user === undefined || (typeof user === "object" && user !== null && !Array.isArray(user)) ? { id, ...user } : user

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** A Schema's message repeats the value, and a session is private: the log has the paths alone. */
const explained = (failure: Schema.SchemaError): SessionMismatch => {
  const places = issuesOf(failure.issue).issues.map(({ path = [] }) => path.map(String).join(".") || "the whole")
  return new SessionMismatch({ detail: `The session does not fit the schema at: ${[...new Set(places)].join(", ")}` })
}
