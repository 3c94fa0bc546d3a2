/**
 * The events that the application receives after the fact, as a service: for audit logs, never for decisions.
 *
 * Handlers may answer with a value, a Promise or an Effect and are waited for. A handler that fails is logged as
 * `EventError` and changes no answer.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { VisibleSession } from "./config/SessionParams.ts"
import { EventError } from "./Errors.ts"
import { type Done, fromAnswer } from "./internal/Answer.ts"
import { memberOf } from "./internal/OwnProperty.ts"
import type { Account, AccountId, AdapterSession, JWT, Profile, User, UserId } from "./Models.ts"
import { logDebug } from "./telemetry/Signals.ts"
import { report } from "./telemetry/Report.ts"

export type { VisibleSession } from "./config/SessionParams.ts"

/**
 * The message of each event, by the name of the event.
 *
 * @category models
 * @since 0.1.0
 */
export interface EventMessages {
  /** A user signed in; the response sets the session cookie. */
  readonly signIn: {
    readonly user: User
    readonly account?: Account | null
    readonly profile?: Profile
    readonly isNewUser?: boolean | undefined
  }
  /** A user signed out. `token` is null when it cannot be read any more, `session` when the store did not return it. */
  readonly signOut:
    | { readonly token: JWT | null; readonly session?: undefined }
    | { readonly session: AdapterSession | null; readonly token?: undefined }
  readonly createUser: { readonly user: User }
  readonly updateUser: { readonly user: User }
  /** A user was removed by `Accounts.remove`. */
  readonly deleteUser: { readonly user: User }
  readonly linkAccount: { readonly user: User; readonly account: Account; readonly profile: User }
  /**
   * A person proved an address and began a new account (`userId`). The user who held the address without proof
   * (`previousUserId`) keeps everything but the address.
   */
  readonly addressReleased: { readonly email: string; readonly userId: UserId; readonly previousUserId: UserId }
  /** The provider accepts the tokens of an account no more: the user has to sign in there again. */
  readonly reauthenticationRequired: {
    readonly userId: UserId
    readonly account: AccountId
  }
  /** A session was read; `token` is there where sessions are tokens. */
  readonly session: { readonly session: VisibleSession; readonly token?: JWT }
}

/**
 * The result of a handler: an Effect that requires `R`, or anything else. A Promise is waited for.
 *
 * @category models
 * @since 0.1.0
 */
type EventAnswer<R = never> = Done<R>

/**
 * The application's handlers. `R` is what the Effects among their answers require.
 *
 * @category models
 * @since 0.1.0
 */
export type EventsOptions<R = never> = {
  readonly [Name in keyof EventMessages]?: ((message: EventMessages[Name]) => EventAnswer<R>) | undefined
}

/**
 * Emits events to the application's handlers.
 *
 * @category services
 * @since 0.1.0
 */
export class Events extends Context.Service<
  Events,
  {
    readonly emit: <Name extends keyof EventMessages>(name: Name, message: EventMessages[Name]) => Effect.Effect<void>
  }
>()("effect-doorman/Events") {}

/**
 * Makes the service from the application's handlers.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (options: EventsOptions): Events["Service"] =>
  Events.of({
    emit: (name, message) => {
      const handler = memberOf(options, name)
      if (handler === undefined) return Effect.void
      const handlerCall = logDebug(`event_${name}`, () => ({}))(
        fromAnswer(`events.${name}`, () => handler(message), message)
      )
      return Effect.catch(Effect.asVoid(handlerCall), (cause) =>
        report(new EventError({ detail: `events.${name} failed`, cause }))
      )
    }
  })
