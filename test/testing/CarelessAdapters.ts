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
import type { BrokenAdapter } from "./BrokenAdapters.ts"

/** What a store without types says is an id. */
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

export const carelessAdapters: ReadonlyArray<BrokenAdapter> = [
  {
    name: "answers the id that it was given instead of its own",
    breaks: "a created user is found by id and by address",
    fault: (store) => ({
      ...store,
      createUser: (user) =>
        Effect.map(store.createUser({ ...user, id: asUserId(`own-${user.id}`) }), (row) => ({ ...row, id: user.id }))
    })
  },
  {
    name: "fails for an address that nobody has",
    breaks: "unknown users are not found",
    fault: (store) => ({
      ...store,
      getUserByEmail: (email) =>
        Effect.flatMap(store.getUserByEmail(email), (user) =>
          Option.isSome(user) ? Effect.succeed(user) : missing("getUserByEmail")
        )
    })
  },
  {
    name: "answers the user of a taken address as the created one",
    breaks: "an address belongs to one user",
    fault: (store) => ({
      ...store,
      createUser: (user) =>
        instead(store.createUser(user), "unique", Effect.map(store.getUserByEmail(user.email ?? ""), Option.getOrThrow))
    })
  },
  {
    name: "never gives an old address free",
    breaks: "updateUser moves an address",
    fault: (store) => {
      const first = new Map<string, string>()
      return {
        ...store,
        createUser: (user) =>
          Effect.tap(store.createUser(user), (row) => Effect.sync(() => first.set(row.email, row.id))),
        getUserByEmail: (email) => {
          const id = first.get(email)
          return id === undefined ? store.getUserByEmail(email) : store.getUser(asUserId(id))
        }
      }
    }
  },
  {
    name: "creates a user who is to be changed",
    breaks: "updateUser fails for an unknown user",
    fault: (store) => ({
      ...store,
      updateUser: (change) =>
        instead(
          store.updateUser(change),
          "missing",
          store.createUser({ ...change, email: change.email ?? undefined, emailVerified: null })
        )
    })
  },
  {
    name: "fails to delete a user who is not there",
    breaks: "deleteUser of an unknown user changes nothing",
    fault: (store) => ({
      ...store,
      deleteUser: (id) =>
        Effect.flatMap(store.getUser(id), (user) =>
          Option.isSome(user) ? store.deleteUser(id) : missing("deleteUser")
        )
    })
  },
  {
    name: "looks accounts up by their id alone",
    breaks: "an account leads to its user",
    fault: (store) => ({
      ...store,
      getUserByAccount: (key) =>
        Effect.flatMap(store.getUserByAccount(key), (user) =>
          Option.isSome(user) ? Effect.succeed(user) : store.getUserByAccount({ ...key, provider: "laws" })
        )
    })
  },
  {
    name: "makes up a user for an account of an unknown user",
    breaks: "nothing leads to a user who is not there",
    fault: (store) => ({
      ...store,
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
  {
    name: "unlinks every account of the user",
    breaks: "unlinkAccount removes that account only",
    fault: (store) => ({
      ...store,
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
  {
    name: "lists one account",
    breaks: "listAccounts answers the accounts of the user",
    fault: (store) => ({
      ...store,
      listAccounts: (userId) => Effect.map(store.listAccounts(userId), (rows) => rows.slice(0, 1))
    })
  },
  {
    name: "finds sessions with the user who came last",
    breaks: "a session is found with its user",
    fault: (store) => {
      const user = remembering<AdapterUser>()
      return {
        ...store,
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
  {
    name: "finds sessions by the beginning of their token",
    breaks: "unknown sessions are not found",
    fault: (store) => {
      const session = remembering<AdapterSession>()
      return {
        ...store,
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
  {
    name: "writes a session over another with the same token",
    breaks: "a session token belongs to one session",
    fault: (store) => ({
      ...store,
      createSession: (session) =>
        Effect.andThen(store.deleteSession(session.sessionToken), store.createSession(session))
    })
  },
  {
    name: "makes up a user for a session of an unknown user",
    breaks: "a session of an unknown user is not found",
    fault: (store) => ({
      ...store,
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
  {
    name: "moves the end of a session only forwards",
    breaks: "updateSession moves the end of that session",
    fault: (store) => ({
      ...store,
      updateSession: (change) =>
        Effect.flatMap(store.getSessionAndUser(change.sessionToken), (found) =>
          Option.isSome(found) && found.value.session.expires > change.expires
            ? Effect.succeedSome(found.value.session)
            : store.updateSession(change)
        )
    })
  },
  {
    name: "lists sessions that have ended",
    breaks: "listSessions answers the sessions of the user",
    fault: (store) => {
      const rows: Array<AdapterSession> = []
      return {
        ...store,
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
    }
  },
  {
    name: "lists the sessions of everybody",
    breaks: "listSessions answers the sessions of the user",
    fault: (store) => {
      const users = new Set<UserId>()
      return {
        ...store,
        createSession: (session) => {
          users.add(session.userId)
          return store.createSession(session)
        },
        listSessions: () => Effect.map(Effect.forEach([...users], store.listSessions), (lists) => lists.flat())
      }
    }
  },
  {
    name: "lists the session that ends first before the others",
    breaks: "listSessions answers the sessions of the user",
    fault: (store) => ({
      ...store,
      listSessions: (userId) => Effect.map(store.listSessions(userId), (sessions) => sessions.toReversed())
    })
  },
  {
    name: "makes the id of a session of its token and its end",
    breaks: "the id of a session stays",
    fault: (store) => ({
      ...store,
      listSessions: (userId) =>
        Effect.map(store.listSessions(userId), (sessions) =>
          sessions.map(({ expires, id }) => ({ id: sessionIdOf(`${id} ${expires.getTime()}`), expires }))
        )
    })
  },
  {
    name: "takes the id of a session for its token",
    breaks: "the id of a session is no token",
    fault: (store) => {
      const tokens = new Map<string, string>()
      return {
        ...store,
        createSession: (session) => {
          tokens.set(sessionIdOf(session.sessionToken), session.sessionToken)
          return store.createSession(session)
        },
        getSessionAndUser: (token) => store.getSessionAndUser(tokens.get(token) ?? token)
      }
    }
  },
  {
    name: "looks sessions up by what is stored of their token",
    breaks: "the id of a session is no token",
    fault: (store) => {
      const tokens = new Map<string, string>()
      return {
        ...store,
        createSession: (session) => {
          tokens.set(`sha256:${sessionIdOf(session.sessionToken)}`, session.sessionToken)
          return store.createSession(session)
        },
        deleteSession: (token) => store.deleteSession(tokens.get(token) ?? token)
      }
    }
  },
  {
    name: "answers tokens as ids",
    breaks: "the id of a session is no token",
    fault: (store) => {
      const tokens = new Map<string, string>()
      return {
        ...store,
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
  {
    name: "says that every session has been ended",
    breaks: "endSession ends that session",
    fault: (store) => ({ ...store, endSession: (userId, id) => Effect.as(store.endSession(userId, id), true) })
  },
  {
    name: "ends every session with one",
    breaks: "endSession ends that session",
    fault: (store) => ({
      ...store,
      endSession: (userId, id) =>
        Effect.tap(store.endSession(userId, id), (ended) => (ended ? store.deleteSessions(userId) : Effect.void))
    })
  },
  {
    name: "ends a session for whoever has its id",
    breaks: "endSession ends nothing of others",
    fault: (store) => {
      const owners = new Map<string, string>()
      return {
        ...store,
        createSession: (session) => {
          owners.set(sessionIdOf(session.sessionToken), session.userId)
          return store.createSession(session)
        },
        endSession: (userId, id) => store.endSession(asUserId(owners.get(id) ?? userId), id)
      }
    }
  },
  {
    name: "looks whether a session is there, and then ends it",
    breaks: "one of many ends a session",
    fault: (store) => ({
      ...store,
      endSession: (userId, id) =>
        Effect.gen(function* () {
          const isThere = (yield* store.listSessions(userId)).some((session) => session.id === id)
          yield* Effect.yieldNow
          yield* store.endSession(userId, id)
          return isThere
        })
    })
  },
  {
    name: "does not remove a used verification token",
    breaks: "a verification token is used once",
    fault: (store) => ({
      ...store,
      useVerificationToken: (key) =>
        Effect.tap(store.useVerificationToken(key), (token) =>
          Option.isSome(token) ? store.createVerificationToken(token.value) : Effect.void
        )
    })
  },
  {
    name: "takes the end for a part of a key",
    breaks: "a key is used once",
    fault: (store) => ({
      ...store,
      useOnce: (key, expires) => store.useOnce(`${key} ${expires.toISOString()}`, expires)
    })
  },
  {
    name: "counts in thirty-one bits",
    breaks: "a credential is kept whole",
    fault: (store) => ({
      ...store,
      createAuthenticator: (row) => store.createAuthenticator({ ...row, counter: Math.trunc(row.counter) % 2 ** 31 })
    })
  },
  {
    name: "looks credentials up in any case",
    breaks: "ids of credentials are compared byte by byte",
    fault: (store) => {
      const ids = new Map<string, string>()
      return {
        ...store,
        createAuthenticator: (row) => {
          ids.set(row.credentialID.toLowerCase(), row.credentialID)
          return store.createAuthenticator(row)
        },
        getAuthenticator: (id) => store.getAuthenticator(ids.get(id.toLowerCase()) ?? id)
      }
    }
  },
  {
    name: "answers a registered credential as the created one",
    breaks: "a credential is registered once",
    fault: (store) => ({
      ...store,
      createAuthenticator: (row) => instead(store.createAuthenticator(row), "unique", Effect.succeed(row))
    })
  },
  {
    name: "writes what it looked up of a credential",
    breaks: "one of many registers a credential",
    fault: (store) => {
      const rows = new Map<string, AdapterAuthenticator>()
      return {
        ...store,
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
  {
    name: "counts up from the stored counter",
    breaks: "a counter is stored for its credential",
    fault: (store) => ({
      ...store,
      updateAuthenticatorCounter: (id) =>
        Effect.flatMap(store.getAuthenticator(id), (row) =>
          Option.isSome(row)
            ? store.updateAuthenticatorCounter(id, row.value.counter + 1)
            : missing("updateAuthenticatorCounter")
        )
    })
  },
  {
    name: "takes the same counter twice",
    breaks: "a counter only grows",
    fault: (store) => ({
      ...store,
      updateAuthenticatorCounter: (id, counter) =>
        instead(
          store.updateAuthenticatorCounter(id, counter),
          "stale",
          Effect.map(store.getAuthenticator(id), Option.getOrThrow)
        )
    })
  },
  {
    name: "keeps the credentials of a deleted user",
    breaks: "credentials go with their user",
    fault: (store) => {
      const rows = new Map<string, AdapterAuthenticator>()
      return {
        ...store,
        createAuthenticator: (row) =>
          Effect.tap(store.createAuthenticator(row), () => Effect.sync(() => rows.set(row.credentialID, row))),
        getAuthenticator: (id) => Effect.sync(() => Option.fromUndefinedOr(rows.get(id)))
      }
    }
  },
  {
    name: "keeps the key of an account that is unlinked",
    breaks: "a key leaves together with its account",
    fault: (store) => ({
      ...store,
      unlinkAccount: (account) =>
        Effect.gen(function* () {
          const key = yield* store.getAuthenticator(account.providerAccountId)
          yield* store.unlinkAccount(account)
          if (Option.isSome(key)) yield* Effect.ignore(store.createAuthenticator(key.value))
        })
    })
  },
  {
    name: "brings a deleted user back with a sign-in",
    breaks: "a deleted user stays deleted under sign-ins",
    fault: (store) => ({
      ...store,
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
  {
    name: "takes back a transaction that succeeds",
    breaks: "a transaction that succeeds counts",
    fault: (store) => ({
      ...store,
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
  {
    name: "takes nothing back when the program dies",
    breaks: "a transaction that dies leaves nothing",
    fault: (store) => ({
      ...store,
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
  {
    name: "keeps an inner transaction when the outer one fails",
    breaks: "a transaction within one that fails leaves nothing",
    fault: (store) => {
      const at: { readonly after: Array<Effect.Effect<unknown, AdapterError>>; depth: number } = { after: [], depth: 0 }
      const replayed: AdapterShape["createUser"] = (user) => {
        if (at.depth > 1) at.after.push(store.createUser(user))
        return store.createUser(user)
      }
      return {
        ...store,
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
  {
    name: "has one journal for all transactions",
    breaks: "transactions at once do not mix",
    fault: (store) => {
      const created: Array<UserId> = []
      const open: { count: number } = { count: 0 }
      return {
        ...store,
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
]
