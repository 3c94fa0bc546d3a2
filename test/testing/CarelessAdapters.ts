/**
 * More stores with one fault each, so that every law has one that it finds.
 */
import * as Brand from "effect/Brand"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { asUserId, type UserId } from "../../src/models/Id.ts"
import { type AdapterShape, sessionIdOf } from "../../src/Adapter.ts"
import { AdapterError } from "../../src/Errors.ts"
import type { AdapterAuthenticator, AdapterSession, AdapterUser, SessionId } from "../../src/Models.ts"
import type { BrokenAdapters } from "./BrokenAdapters.ts"

/** An id of a store without types. */
const claimed = Brand.nominal<SessionId>()

const missing = (method: string) => Effect.fail(new AdapterError({ method, reason: "missing" }))
const hasReason = (reason: string) => (error: AdapterError) => error.reason === reason

/** Instead of the failure for that reason, another answer. */
const instead = <A>(
  call: Effect.Effect<A, AdapterError>,
  reason: string,
  other: Effect.Effect<A, AdapterError>
): Effect.Effect<A, AdapterError> =>
  Effect.catch(call, (error) => (hasReason(reason)(error) ? other : Effect.fail(error)))

/** A store that remembers the last row that one of its methods answered. */
const remembering = <A>(): { last: A | undefined } => ({ last: undefined })

export const carelessAdapters: BrokenAdapters = {
  "a created user is found by id and by address": {
    "answers the id that it was given instead of its own": (store) => ({
      createUser: (user) =>
        Effect.map(store.createUser({ ...user, id: asUserId(`own-${user.id}`) }), (row) => ({ ...row, id: user.id }))
    })
  },
  "unknown users are not found": {
    "fails for an address that nobody has": (store) => ({
      getUserByEmail: (email) =>
        Effect.flatMap(store.getUserByEmail(email), (user) =>
          Option.isSome(user) ? Effect.succeed(user) : missing("getUserByEmail")
        )
    })
  },
  "an address belongs to one user": {
    "answers the user of a taken address as the created one": (store) => ({
      createUser: (user) =>
        instead(store.createUser(user), "unique", Effect.map(store.getUserByEmail(user.email ?? ""), Option.getOrThrow))
    })
  },
  "updateUser moves an address": {
    "never gives an old address free": (store) => {
      const first = new Map<string, string>()
      return {
        createUser: (user) =>
          Effect.tap(store.createUser(user), (row) => Effect.sync(() => first.set(row.email, row.id))),
        getUserByEmail: (email) => {
          const id = first.get(email)
          return id === undefined ? store.getUserByEmail(email) : store.getUser(asUserId(id))
        }
      }
    }
  },
  "updateUser fails for an unknown user": {
    "creates a user who is to be changed": (store) => ({
      updateUser: (change) =>
        instead(
          store.updateUser(change),
          "missing",
          store.createUser({ ...change, email: change.email ?? undefined, emailVerified: null })
        )
    })
  },
  "deleteUser of an unknown user changes nothing": {
    "fails to delete a user who is not there": (store) => ({
      deleteUser: (id) =>
        Effect.flatMap(store.getUser(id), (user) =>
          Option.isSome(user) ? store.deleteUser(id) : missing("deleteUser")
        )
    })
  },
  "an account leads to its user": {
    "looks accounts up by their id alone": (store) => ({
      getUserByAccount: (key) =>
        Effect.flatMap(store.getUserByAccount(key), (user) =>
          Option.isSome(user) ? Effect.succeed(user) : store.getUserByAccount({ ...key, provider: "laws" })
        )
    })
  },
  "nothing leads to a user who is not there": {
    "makes up a user for an account of an unknown user": (store) => ({
      linkAccount: (account) =>
        instead(
          store.linkAccount(account),
          "missing",
          Effect.andThen(
            store.createUser({ id: account.userId, email: undefined, emailVerified: null }),
            store.linkAccount(account)
          )
        )
    })
  },
  "unlinkAccount removes that account only": {
    "unlinks every account of the user": (store) => ({
      unlinkAccount: (key) =>
        Effect.flatMap(store.getUserByAccount(key), (user) =>
          Option.isNone(user)
            ? Effect.void
            : Effect.flatMap(store.listAccounts(user.value.id), (rows) =>
                Effect.forEach(rows, store.unlinkAccount, { discard: true })
              )
        )
    })
  },
  "listAccounts answers the accounts of the user": {
    "lists one account": (store) => ({
      listAccounts: (userId) => Effect.map(store.listAccounts(userId), (rows) => rows.slice(0, 1))
    })
  },
  "a session is found with its user": {
    "finds sessions with the user who came last": (store) => {
      const user = remembering<AdapterUser>()
      return {
        createUser: (given) =>
          Effect.tap(store.createUser(given), (row) =>
            Effect.sync(() => {
              user.last = row
            })
          ),
        getSessionAndUser: (token) =>
          Effect.map(
            store.getSessionAndUser(token),
            Option.map((found) => ({ ...found, user: user.last ?? found.user }))
          )
      }
    }
  },
  "unknown sessions are not found": {
    "finds sessions by the beginning of their token": (store) => {
      const session = remembering<AdapterSession>()
      return {
        createSession: (given) => {
          session.last = given
          return store.createSession(given)
        },
        getSessionAndUser: (token) =>
          store.getSessionAndUser(
            session.last !== undefined && session.last.sessionToken.startsWith(token)
              ? session.last.sessionToken
              : token
          )
      }
    }
  },
  "a session token belongs to one session": {
    "writes a session over another with the same token": (store) => ({
      createSession: (session) =>
        Effect.andThen(store.deleteSession(session.sessionToken), store.createSession(session))
    })
  },
  "a session of an unknown user is not found": {
    "makes up a user for a session of an unknown user": (store) => ({
      createSession: (session) =>
        instead(
          store.createSession(session),
          "missing",
          Effect.andThen(
            store.createUser({ id: session.userId, email: undefined, emailVerified: null }),
            store.createSession(session)
          )
        )
    })
  },
  "updateSession moves the end of that session": {
    "moves the end of a session only forwards": (store) => ({
      updateSession: (change) =>
        Effect.flatMap(store.getSessionAndUser(change.sessionToken), (found) =>
          Option.isSome(found) && found.value.session.expires > change.expires
            ? Effect.succeedSome(found.value.session)
            : store.updateSession(change)
        )
    })
  },
  "listSessions answers the sessions of the user": {
    "lists sessions that have ended": (store) => {
      const rows: Array<AdapterSession> = []
      return {
        createSession: (session) => {
          rows.push(session)
          return store.createSession(session)
        },
        listSessions: (userId) =>
          Effect.sync(() =>
            rows
              .filter((row) => row.userId === userId)
              .sort((one, other) => other.expires.getTime() - one.expires.getTime())
              .map(({ expires, sessionToken }) => ({ id: sessionIdOf(sessionToken), expires }))
          )
      }
    },
    "lists the sessions of everybody": (store) => {
      const users = new Set<UserId>()
      return {
        createSession: (session) => {
          users.add(session.userId)
          return store.createSession(session)
        },
        listSessions: () => Effect.map(Effect.forEach([...users], store.listSessions), (lists) => lists.flat())
      }
    },
    "lists the session that ends first before the others": (store) => ({
      listSessions: (userId) => Effect.map(store.listSessions(userId), (sessions) => sessions.toReversed())
    })
  },
  "the id of a session stays": {
    "makes the id of a session of its token and its end": (store) => ({
      listSessions: (userId) =>
        Effect.map(store.listSessions(userId), (sessions) =>
          sessions.map(({ expires, id }) => ({ id: sessionIdOf(`${id} ${expires.getTime()}`), expires }))
        )
    })
  },
  "the id of a session is no token": {
    "takes the id of a session for its token": (store) => {
      const tokens = new Map<string, string>()
      return {
        createSession: (session) => {
          tokens.set(sessionIdOf(session.sessionToken), session.sessionToken)
          return store.createSession(session)
        },
        getSessionAndUser: (token) => store.getSessionAndUser(tokens.get(token) ?? token)
      }
    },
    "looks sessions up by what is stored of their token": (store) => {
      const tokens = new Map<string, string>()
      return {
        createSession: (session) => {
          tokens.set(`sha256:${sessionIdOf(session.sessionToken)}`, session.sessionToken)
          return store.createSession(session)
        },
        deleteSession: (token) => store.deleteSession(tokens.get(token) ?? token)
      }
    },
    "answers tokens as ids": (store) => {
      const tokens = new Map<string, string>()
      return {
        createSession: (session) => {
          tokens.set(sessionIdOf(session.sessionToken), session.sessionToken)
          return store.createSession(session)
        },
        listSessions: (userId) =>
          Effect.map(store.listSessions(userId), (sessions) =>
            sessions.map(({ expires, id }) => ({ id: claimed(tokens.get(id) ?? id), expires }))
          )
      }
    }
  },
  "endSession ends that session": {
    "says that every session has been ended": (store) => ({
      endSession: (userId, id) => Effect.as(store.endSession(userId, id), true)
    }),
    "ends every session with one": (store) => ({
      endSession: (userId, id) =>
        Effect.tap(store.endSession(userId, id), (ended) => (ended ? store.deleteSessions(userId) : Effect.void))
    })
  },
  "endSession ends nothing of others": {
    "ends a session for whoever has its id": (store) => {
      const owners = new Map<string, string>()
      return {
        createSession: (session) => {
          owners.set(sessionIdOf(session.sessionToken), session.userId)
          return store.createSession(session)
        },
        endSession: (userId, id) => store.endSession(asUserId(owners.get(id) ?? userId), id)
      }
    }
  },
  "one of many ends a session": {
    "looks whether a session is there, and then ends it": (store) => ({
      endSession: (userId, id) =>
        Effect.gen(function* () {
          const isThere = (yield* store.listSessions(userId)).some((session) => session.id === id)
          yield* Effect.yieldNow
          yield* store.endSession(userId, id)
          return isThere
        })
    })
  },
  "a verification token is used once": {
    "does not remove a used verification token": (store) => ({
      useVerificationToken: (key) =>
        Effect.tap(store.useVerificationToken(key), (token) =>
          Option.isSome(token) ? store.createVerificationToken(token.value) : Effect.void
        )
    })
  },
  "a key is used once": {
    "takes the end for a part of a key": (store) => ({
      useOnce: (key, expires) => store.useOnce(`${key} ${expires.toISOString()}`, expires)
    })
  },
  "a credential is kept whole": {
    "counts in thirty-one bits": (store) => ({
      createAuthenticator: (row) => store.createAuthenticator({ ...row, counter: Math.trunc(row.counter) % 2 ** 31 })
    })
  },
  "ids of credentials are compared byte by byte": {
    "looks credentials up in any case": (store) => {
      const ids = new Map<string, string>()
      return {
        createAuthenticator: (row) => {
          ids.set(row.credentialID.toLowerCase(), row.credentialID)
          return store.createAuthenticator(row)
        },
        getAuthenticator: (id) => store.getAuthenticator(ids.get(id.toLowerCase()) ?? id)
      }
    }
  },
  "a credential is registered once": {
    "answers a registered credential as the created one": (store) => ({
      createAuthenticator: (row) => instead(store.createAuthenticator(row), "unique", Effect.succeed(row))
    })
  },
  "one of many registers a credential": {
    "writes what it looked up of a credential": () => {
      const rows = new Map<string, AdapterAuthenticator>()
      return {
        createAuthenticator: (row) =>
          Effect.gen(function* () {
            if (rows.has(row.credentialID))
              return yield* Effect.fail(new AdapterError({ method: "createAuthenticator", reason: "unique" }))
            yield* Effect.yieldNow
            rows.set(row.credentialID, row)
            return row
          }),
        listAuthenticatorsByUserId: (userId) =>
          Effect.sync(() => [...rows.values()].filter((row) => row.userId === userId))
      }
    }
  },
  "a counter is stored for its credential": {
    "counts up from the stored counter": (store) => ({
      updateAuthenticatorCounter: (id) =>
        Effect.flatMap(store.getAuthenticator(id), (row) =>
          Option.isSome(row)
            ? store.updateAuthenticatorCounter(id, row.value.counter + 1)
            : missing("updateAuthenticatorCounter")
        )
    })
  },
  "a counter only grows": {
    "takes the same counter twice": (store) => ({
      updateAuthenticatorCounter: (id, counter) =>
        instead(
          store.updateAuthenticatorCounter(id, counter),
          "stale",
          Effect.map(store.getAuthenticator(id), Option.getOrThrow)
        )
    })
  },
  "credentials go with their user": {
    "keeps the credentials of a deleted user": (store) => {
      const rows = new Map<string, AdapterAuthenticator>()
      return {
        createAuthenticator: (row) =>
          Effect.tap(store.createAuthenticator(row), () => Effect.sync(() => rows.set(row.credentialID, row))),
        getAuthenticator: (id) => Effect.sync(() => Option.fromUndefinedOr(rows.get(id)))
      }
    }
  },
  "a key leaves together with its account": {
    "keeps the key of an account that is unlinked": (store) => ({
      unlinkAccount: (account) =>
        Effect.gen(function* () {
          const key = yield* store.getAuthenticator(account.providerAccountId)
          yield* store.unlinkAccount(account)
          if (Option.isSome(key)) yield* Effect.ignore(store.createAuthenticator(key.value))
        })
    })
  },
  "a deleted user stays deleted under sign-ins": {
    "brings a deleted user back with a sign-in": (store) => ({
      createSession: (session) =>
        instead(
          store.createSession(session),
          "missing",
          Effect.andThen(
            store.createUser({ id: session.userId, email: undefined, emailVerified: null }),
            store.createSession(session)
          )
        )
    })
  },
  "a transaction that succeeds counts": {
    "takes back a transaction that succeeds": (store) => ({
      transaction: <A, E, R>(program: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          const answer: { value: Option.Option<A> } = { value: Option.none() }
          const undone = Effect.flatMap(program, (value) => {
            answer.value = Option.some(value)
            return Effect.die("it is over")
          })
          return Effect.catchCause(store.transaction(undone), (cause) =>
            Option.isSome(answer.value) ? Effect.succeed(answer.value.value) : Effect.failCause(cause)
          )
        })
    })
  },
  "a transaction that dies leaves nothing": {
    "takes nothing back when the program dies": (store) => ({
      transaction: (program) =>
        Effect.flatten(
          store.transaction(
            Effect.flatMap(Effect.exit(program), (exit) =>
              Exit.isFailure(exit) && !Cause.hasDies(exit.cause) ? Effect.failCause(exit.cause) : Effect.succeed(exit)
            )
          )
        )
    })
  },
  "a transaction within one that fails leaves nothing": {
    "keeps an inner transaction when the outer one fails": (store) => {
      const at: { readonly after: Array<Effect.Effect<unknown, AdapterError>>; depth: number } = { after: [], depth: 0 }
      const replayed: AdapterShape["createUser"] = (user) => {
        if (at.depth > 1) at.after.push(store.createUser(user))
        return store.createUser(user)
      }
      return {
        createUser: replayed,
        transaction: (program) =>
          Effect.suspend(() => {
            at.depth++
            return Effect.onExit(store.transaction(program), (exit) =>
              Effect.suspend(() => {
                at.depth--
                if (at.depth > 0) return Effect.void
                const after = at.after.splice(0)
                return Exit.isFailure(exit) ? Effect.ignore(Effect.all(after)) : Effect.void
              })
            )
          })
      }
    }
  },
  "transactions at once do not mix": {
    "has one journal for all transactions": (store) => {
      const created: Array<UserId> = []
      const open: { count: number } = { count: 0 }
      return {
        createUser: (user) =>
          Effect.tap(store.createUser(user), (row) =>
            Effect.andThen(
              Effect.sync(() => open.count > 0 && created.push(row.id)),
              Effect.yieldNow
            )
          ),
        transaction: (program) =>
          Effect.suspend(() => {
            open.count++
            return Effect.onExit(program, (exit) =>
              Effect.suspend(() => {
                open.count--
                const ids = created.splice(0)
                return Exit.isFailure(exit)
                  ? Effect.orDie(Effect.forEach(ids, store.deleteUser, { discard: true }))
                  : Effect.void
              })
            )
          })
      }
    }
  }
}
