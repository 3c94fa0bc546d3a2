/**
 * The ways by which a user can sign in: listing them, naming passkeys, and removing one.
 *
 * For pages of the application. A user is never left without a way: the last one is not taken away. Whether the person who
 * asks is the user, and has shown that lately, is for the application to know.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as IssuedSession from "./access/IssuedSession.ts"
import { idOf } from "./access/SessionDecoder.ts"
import * as UserAccounts from "./actions/UserAccounts.ts"
import * as UserDataPrograms from "./actions/UserData.ts"
import type { Platform, Services } from "./composition/Services.ts"
import { Doorman } from "./Doorman.ts"
import {
  type AdapterError,
  type LinkError,
  MissingAdapter,
  type MissingAdapterMethods,
  type SharedStateError
} from "./Errors.ts"
import { Jwt } from "./Jwt.ts"
import type { UserId } from "./Models.ts"
import type { UserData } from "./models/UserData.ts"
import type { RetainedSession } from "./session/TokenRevocation.ts"
import type { AccountKey, AdapterShape } from "./storage/AdapterShape.ts"
import { Adapter, storageOf } from "./storage/Storage.ts"

export { layer as layerLinkingPolicy, LinkingPolicy } from "./signin/LinkingRules.ts"
export type { Ways } from "./actions/UserAccounts.ts"
export type { UnlinkOptions } from "./actions/UserAccounts.ts"
export type { UserDataError } from "./actions/UserData.ts"
export type { Decision, Situation } from "./signin/LinkingRules.ts"
export type { AccountKey } from "./storage/AdapterShape.ts"
export type { AdapterAccount, AdapterAuthenticator } from "./models/Shape.ts"
export type { KeyDetails } from "./storage/Details.ts"

/** Runs with the store of the `Doorman`. */
const withStore = <A, E>(
  program: (adapter: AdapterShape, services: Context.Context<Services | Platform>) => Effect.Effect<A, E, Doorman>
): Effect.Effect<A, E | MissingAdapter, Doorman> =>
  Effect.flatMap(Doorman, ({ servicesHere }) =>
    Effect.flatMap(servicesHere, (services): Effect.Effect<A, E | MissingAdapter, Doorman> => {
      const adapter = storageOf(Context.get(services, Adapter))
      return adapter === undefined
        ? Effect.fail(
            new MissingAdapter({ field: "adapter", detail: "Accounts need an adapter, and the configuration has none" })
          )
        : Effect.provideContext(program(adapter, services), services)
    })
  )

/**
 * The ways by which a user can sign in. Needs `listAccounts` of the adapter.
 *
 * @category combinators
 * @since 0.1.0
 */
export const list = (userId: UserId): Effect.Effect<UserAccounts.Ways, AdapterError | MissingAdapter, Doorman> =>
  withStore((adapter) => UserAccounts.waysOf(adapter, userId))

/**
 * Names a passkey of a user, as they see it in a list: one line of at most 100 characters. `false` when the user has no such passkey.
 * Needs `describeAuthenticator` of the adapter.
 *
 * @category combinators
 * @since 0.1.0
 */
export const renamePasskey = (
  userId: UserId,
  credentialID: string,
  label: string
): Effect.Effect<boolean, AdapterError | MissingAdapter | MissingAdapterMethods, Doorman> =>
  withStore((adapter) => UserAccounts.renamePasskey(adapter, userId, credentialID, label))

/**
 * Takes an account away from its user and ends all other sessions of theirs, in one unit of work; those that are tokens with
 * `session.revocation`. Fails when the account is not linked to this user, or when nothing would be left to sign in by. A passkey is
 * an account: the credential goes with it.
 *
 * Of two concurrent calls that remove the last two sign-in methods, at most one succeeds. A store with transactions refuses the
 * other one. On a store without, a call that finds no method left restores what it removed; both calls may do so.
 *
 * @category combinators
 * @since 0.1.0
 */
export const unlink = (
  userId: UserId,
  account: AccountKey,
  options: UserAccounts.UnlinkOptions = {}
): Effect.Effect<void, LinkError | MissingAdapter | SharedStateError, Doorman> =>
  withStore((adapter, services) => {
    const { revocation } = Context.get(services, Jwt)
    return revocation === undefined
      ? UserAccounts.unlink(adapter, userId, account, options)
      : Effect.flatMap(tokenSessionOf(options.keep), (keep) =>
          UserAccounts.unlink(adapter, userId, account, options, { revocation, keep })
        )
  })

/** The session of a token, if the token proves one. A session that cannot be read now is not kept. */
const tokenSessionOf = (token: string | undefined): Effect.Effect<RetainedSession | undefined, never, Doorman> =>
  token === undefined
    ? Effect.undefined
    : Effect.match(IssuedSession.resolve(Redacted.make(token)), {
        onFailure: () => undefined,
        onSuccess: (session) => session && { id: idOf(session), generation: session.generation }
      })

/**
 * Everything that the store holds of a user, without secrets: the user, accounts, sessions and passkeys. None for a user whom it does
 * not know. Needs `listAccounts` of the adapter.
 *
 * @category combinators
 * @since 0.1.0
 */
const exportUser = (userId: UserId): Effect.Effect<Option.Option<UserData>, UserDataPrograms.UserDataError, Doorman> =>
  withServices(UserDataPrograms.exportUser(userId))

export {
  /**
   * Exports the data of a user.
   *
   * @category combinators
   * @since 0.1.0
   */
  exportUser as export
}

/**
 * Removes a user with their accounts, sessions and passkeys, in one unit of work where the store has one. Sessions that are tokens
 * end with `session.revocation`, and tokens of providers are revoked where the provider can. `false` for a user whom the store
 * does not know. Links that were sent before to an address that they proved are refused,
 * and the shared state holds no id of theirs afterwards.
 *
 * @category combinators
 * @since 0.1.0
 */
export const remove = (userId: UserId): Effect.Effect<boolean, UserDataPrograms.UserDataError, Doorman> =>
  withServices(UserDataPrograms.removeUser(userId))

const withServices = <A, E>(program: Effect.Effect<A, E, UserDataPrograms.Services>): Effect.Effect<A, E, Doorman> =>
  Effect.flatMap(Doorman, ({ servicesHere }) =>
    Effect.flatMap(servicesHere, (services) => Effect.provideContext(program, services))
  )
