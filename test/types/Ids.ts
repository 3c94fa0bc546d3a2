/**
 * Ids are not interchangeable, held by the compiler: this file is compiled by `npm run typecheck` and never run.
 */
// Each rejected program has an expected error, which the compiler checks.
// @effect-diagnostics missingEffectContext:off missingEffectError:off
import type * as Effect from "effect/Effect"
import type { ListedSession } from "../../src/Adapter.ts"
import { sessionIdOf } from "../../src/Adapter.ts"
import { unlink, waysOf } from "../../src/actions/UserAccounts.ts"
import type { AdapterShape } from "../../src/Adapter.ts"
import type { EventMessages } from "../../src/Events.ts"
import * as Sessions from "../../src/Sessions.ts"
import type * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import * as ProviderTokens from "../../src/ProviderTokens.ts"
import { AccountId, type AdapterUser, SessionId, UserId } from "../../src/Models.ts"

declare const user: UserId
declare const session: SessionId
declare const account: AccountId
declare const active: Access.ActiveSession
declare const listed: ListedSession

// An id is a text, and a text is no id.
export const texts: ReadonlyArray<string> = [user, session, account.provider, account.providerAccountId]
// @ts-expect-error a text is not the id of a user
export const textAsUser: UserId = "7"
// @ts-expect-error a text is not the id of a session
export const textAsSession: SessionId = "7"
// @ts-expect-error any two texts are not the id of an account
export const textsAsAccount: AccountId = { provider: "github", providerAccountId: "7" }

// Constructors.
export const ids: readonly [UserId, SessionId, SessionId, AccountId] = [
  UserId.make("7"),
  SessionId.make("x".repeat(43)),
  sessionIdOf("token"),
  AccountId.make({ provider: "github", providerAccountId: "7" })
]

// @ts-expect-error the id of a session is not that of a user
export const sessionAsUser: UserId = session
// @ts-expect-error the id of a user is not that of a session
export const userAsSession: SessionId = user
// @ts-expect-error the id of a user at a provider is not that of a user
export const accountAsUser: UserId = account.providerAccountId

// Where they come from.
export const owner: UserId = active.userId
export const named: SessionId | undefined = active.id
export const ofUser: UserId = active.user.id
export const inList: SessionId = listed.id
// @ts-expect-error a session does not name its user by its own id
export const swapped: UserId | undefined = active.id
// @ts-expect-error a session of a list does not name its user by its own id
export const swappedInList: UserId = listed.id

// Where they go.
export const ended = Sessions.revoke(user, session)
// @ts-expect-error the session comes after its user
export const swappedArguments = Sessions.revoke(session, user)
// @ts-expect-error a session has no sessions
export const sessionsOfSession = Sessions.list(session)

declare const store: AdapterShape
export const ways = waysOf(store, user)
// @ts-expect-error a session has no accounts
export const waysOfSession = waysOf(store, session)
export const unlinked = unlink(store, user, account)
// @ts-expect-error accounts are unlinked from a user
export const unlinkedFromSession = unlink(store, session, account)

// Arguments of event handlers.
declare const released: EventMessages["addressReleased"]
export const holders: ReadonlyArray<UserId> = [released.userId, released.previousUserId]
declare const refused: EventMessages["reauthenticationRequired"]
export const reauthentication: readonly [UserId, AccountId] = [refused.userId, refused.account]

// @ts-expect-error an event does not name its user by an account
export const swappedInEvent: UserId = refused.account.providerAccountId

// Tokens of providers are asked for by user.
export const token = ProviderTokens.get({ userId: user, provider: "github" })
// @ts-expect-error a session has no tokens of providers
export const tokenOfSession = ProviderTokens.get({ userId: session, provider: "github" })
// @ts-expect-error a text is not the id of a user
export const tokenOfText = ProviderTokens.get({ userId: "7", provider: "github" })
// @ts-expect-error no such member of the request
export const misspelt = ProviderTokens.get({ userId: user, provider: "github", minimumValidty: "1 minute" })
// @ts-expect-error a token of a provider is no plain text
export const plainToken = (): Effect.Effect<{ readonly accessToken: string }, unknown, unknown> => token
// @ts-expect-error it needs a doorman
export const undeclared = (): Effect.Effect<unknown, unknown> => token

// Every other function that takes an id.
export const endedAll = Sessions.revokeAll(user)
// @ts-expect-error a session has no sessions
export const endedAllOfSession = Sessions.revokeAll(session)
// @ts-expect-error it needs a doorman
export const undeclaredSessions = (): Effect.Effect<unknown, unknown> => endedAll

// Arguments and results of storage.
declare const row: AdapterUser
export const ofRow: UserId = row.id
export const rowOfUser = store.getUser(user)
// @ts-expect-error a text is not the id of a user
export const rowOfText = store.getUser("7")
// @ts-expect-error a session is no user
export const rowOfSession = store.getUser(session)
export const endedRow = store.endSession(user, session)
// @ts-expect-error the session comes after its user
export const swappedEnd = store.endSession(session, user)
export const created = store.createSession({ sessionToken: "token", userId: user, expires: new Date(0) })
// @ts-expect-error a session does not belong to a session
export const sessionOfSession = store.createSession({ sessionToken: "token", userId: session, expires: new Date(0) })

// The user whom the application signs in.
export const signedIn = Http.signIn({ id: user, name: "Ada" })
// @ts-expect-error a session does not sign in
export const signedInSession = Http.signIn({ id: session, name: "Ada" })
