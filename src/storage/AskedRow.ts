/**
 * Checks the rows that a store answers: a row that was not asked for, or that contradicts another one, does not count, and the log says
 * so.
 *
 * A store may answer such a row because it compares inexactly (a collation that ignores case, a cut key, a cache under a wrong name). The
 * row of another user must not sign a user in. What differs is logged by the names of members, never by values.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AdapterError } from "../Errors.ts"
import type { AdapterMethod, AdapterShape } from "./AdapterShape.ts"
import { only } from "./MakeAdapter.ts"

const contradiction = (method: AdapterMethod, answer: string): AdapterError =>
  new AdapterError({ method, reason: "invalid", detail: `${method} answered ${answer}` })

/** Logs that a store answered another row than was asked for. The library ignores that row. */
export const logOtherRow = (method: AdapterMethod, answer: string): Effect.Effect<void> =>
  Effect.logError(contradiction(method, answer))

/** A row that may be absent: another row than was asked for counts as absent. */
const askedFor = <A>(
  method: AdapterMethod,
  found: Effect.Effect<Option.Option<A>, AdapterError>,
  isAsked: (row: A) => boolean,
  other: string
): Effect.Effect<Option.Option<A>, AdapterError> =>
  Effect.flatMap(found, (row) =>
    Option.isNone(row) || isAsked(row.value)
      ? Effect.succeed(row)
      : Effect.as(logOtherRow(method, other), Option.none())
  )

/** A row that a write answers. What was written is not known when it is another one. */
const writtenFor = <A>(
  method: AdapterMethod,
  written: Effect.Effect<A, AdapterError>,
  isAsked: (row: A) => boolean,
  other: string
): Effect.Effect<A, AdapterError> =>
  Effect.flatMap(written, (row) => (isAsked(row) ? Effect.succeed(row) : Effect.fail(contradiction(method, other))))

/** Rows of one user. */
const ownedBy = <A extends { readonly userId: string }>(
  method: AdapterMethod,
  listed: Effect.Effect<ReadonlyArray<A>, AdapterError>,
  userId: string
): Effect.Effect<ReadonlyArray<A>, AdapterError> =>
  Effect.flatMap(listed, (rows) => {
    const ownRows = rows.filter((row) => row.userId === userId)
    return ownRows.length === rows.length
      ? Effect.succeed(rows)
      : Effect.as(logOtherRow(method, "rows of another user"), ownRows)
  })

/**
 * A session under another token than the one that was asked for is that of another person where the store finds it by that
 * token too. Where it does not, the store keeps tokens in a form of its own, such as a digest.
 */
const sessionOf =
  (store: AdapterShape): AdapterShape["getSessionAndUser"] =>
  (sessionToken) =>
    Effect.flatMap(store.getSessionAndUser(sessionToken), (found) => {
      if (Option.isNone(found)) return Effect.succeed(found)
      const { session, user } = found.value
      const method = "getSessionAndUser"
      if (session.userId !== user.id) return Effect.fail(contradiction(method, "a session of another user"))
      if (session.sessionToken === sessionToken) return Effect.succeed(found)
      return Effect.flatMap(store.getSessionAndUser(session.sessionToken), (other) =>
        Option.exists(other, (one) => one.session.sessionToken === session.sessionToken)
          ? Effect.as(logOtherRow(method, "a session with another sessionToken"), Option.none())
          : Effect.succeed(Option.some({ session: { ...session, sessionToken }, user }))
      )
    })

/**
 * The same store, with every returned row checked against the query.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withCheckedRows = (store: AdapterShape): AdapterShape => only(checkRows(store), store.methods)

const checkRows = (store: AdapterShape): AdapterShape => ({
  ...store,
  getUser: (id) => askedFor("getUser", store.getUser(id), (user) => user.id === id, "a user with another id"),
  updateUser: (change) =>
    writtenFor("updateUser", store.updateUser(change), (user) => user.id === change.id, "a user with another id"),
  createSession: (session) =>
    writtenFor(
      "createSession",
      store.createSession(session),
      (written) => written.userId === session.userId,
      "a session of another user"
    ),
  getSessionAndUser: sessionOf(store),
  useVerificationToken: (key) =>
    askedFor(
      "useVerificationToken",
      store.useVerificationToken(key),
      (used) => used.identifier === key.identifier && used.token === key.token,
      "a row with another identifier or token"
    ),
  getAccount: (providerAccountId, provider) =>
    askedFor(
      "getAccount",
      store.getAccount(providerAccountId, provider),
      (account) => account.providerAccountId === providerAccountId && account.provider === provider,
      "an account with another provider or providerAccountId"
    ),
  getAuthenticator: (credentialID) =>
    askedFor(
      "getAuthenticator",
      store.getAuthenticator(credentialID),
      (authenticator) => authenticator.credentialID === credentialID,
      "an authenticator with another credentialID"
    ),
  updateAuthenticatorCounter: (credentialID, counter) =>
    writtenFor(
      "updateAuthenticatorCounter",
      store.updateAuthenticatorCounter(credentialID, counter),
      (authenticator) => authenticator.credentialID === credentialID,
      "an authenticator with another credentialID"
    ),
  listAuthenticatorsByUserId: (userId) =>
    ownedBy("listAuthenticatorsByUserId", store.listAuthenticatorsByUserId(userId), userId),
  listAccounts: (userId) => ownedBy("listAccounts", store.listAccounts(userId), userId)
})
