/**
 * Stores with one fault each, of the kind that is easily made; each is found by the law that is named.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { asUserId, type UserId } from "../../src/models/Id.ts"
import { AdapterError } from "../../src/Errors.ts"
import { makeMemory, type AdapterShape } from "../../src/Adapter.ts"

export interface BrokenAdapter {
  /** What the adapter does wrong. */
  readonly name: string
  /** The law that finds it. */
  readonly breaks: string
  readonly fault: (store: AdapterShape) => AdapterShape
}

const failure = (method: string, reason: "unique" | "missing") => Effect.fail(new AdapterError({ method, reason }))

const truncated = (date: Date): Date => new Date(Math.trunc(date.getTime() / 86_400_000) * 86_400_000)

const authenticatorMembers = [
  "credentialID",
  "userId",
  "providerAccountId",
  "credentialPublicKey",
  "counter",
  "credentialDeviceType",
  "credentialBackedUp",
  "transports"
] as const

const only = <A extends object, Name extends keyof A>(row: A, names: ReadonlyArray<Name>): Pick<A, Name> =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<A, Name>

/** Another token of the user of a session, where it has one. */
const siblings = (store: AdapterShape, tokens: ReadonlyArray<string>, sessionToken: string) =>
  Effect.map(store.getSessionAndUser(sessionToken), (row) => (Option.isSome(row) ? tokens : []))

export const brokenAdapters: ReadonlyArray<BrokenAdapter> = [
  {
    name: "drops the details of a session",
    breaks: "a session keeps its details",
    fault: (store) => ({
      ...store,
      createSession: ({ expires, sessionToken, userId }) => store.createSession({ expires, sessionToken, userId })
    })
  },
  {
    name: "has a column of 256 characters for the methods of a sign-in",
    breaks: "a session keeps its details",
    fault: (store) => ({
      ...store,
      createSession: ({ amr, ...session }) => store.createSession({ ...session, amr: amr?.slice(0, 256) })
    })
  },
  {
    name: "gives a session without details the time of its row",
    breaks: "a session keeps its details",
    fault: (store) => ({
      ...store,
      createSession: (session) => store.createSession({ authenticatedAt: new Date(0), ...session })
    })
  },
  {
    name: "never writes when a session was seen",
    breaks: "touchSession changes when that session was last seen",
    fault: (store) => ({ ...store, touchSession: () => Effect.void })
  },
  {
    name: "prolongs a session that it touches",
    breaks: "touchSession changes when that session was last seen",
    fault: (store) => ({
      ...store,
      touchSession: (sessionToken, lastSeenAt) =>
        Effect.andThen(
          store.touchSession(sessionToken, lastSeenAt),
          Effect.asVoid(store.updateSession({ sessionToken, expires: new Date(4e12) }))
        )
    })
  },
  {
    name: "touches all sessions of a user",
    breaks: "touchSession changes when that session was last seen",
    fault: (store) => {
      const tokens: Array<string> = []
      return {
        ...store,
        createSession: (session) => {
          tokens.push(session.sessionToken)
          return store.createSession(session)
        },
        touchSession: (sessionToken, lastSeenAt) =>
          Effect.flatMap(siblings(store, tokens, sessionToken), (all) =>
            Effect.forEach(all, (one) => store.touchSession(one, lastSeenAt), { discard: true })
          )
      }
    }
  },
  {
    name: "drops the details of a credential",
    breaks: "a credential keeps its details",
    fault: (store) => ({
      ...store,
      createAuthenticator: (key) => store.createAuthenticator(only(key, authenticatorMembers))
    })
  },
  {
    name: "answers true for a credential that is not there",
    breaks: "describeAuthenticator changes that credential",
    fault: (store) => ({
      ...store,
      describeAuthenticator: (id, details) => Effect.as(store.describeAuthenticator(id, details), true)
    })
  },
  {
    name: "empties the details that are not given",
    breaks: "describeAuthenticator changes that credential",
    fault: (store) => ({
      ...store,
      describeAuthenticator: (id, details) =>
        store.describeAuthenticator(id, { label: "", lastUsedAt: new Date(0), ...details })
    })
  },
  {
    name: "looks addresses up in lower case",
    breaks: "addresses are compared byte by byte",
    fault: (store) => ({ ...store, getUserByEmail: (email) => store.getUserByEmail(email.toLowerCase()) })
  },
  {
    name: "brings addresses into one Unicode form",
    breaks: "addresses are compared byte by byte",
    fault: (store) => ({
      ...store,
      createUser: (user) => store.createUser({ ...user, email: user.email?.normalize("NFC") }),
      getUserByEmail: (email) => store.getUserByEmail(email.normalize("NFC"))
    })
  },
  {
    name: "reads ids of accounts as numbers",
    breaks: "numbers of accounts are compared as text",
    fault: (store) => {
      const asNumber = <A extends { readonly providerAccountId: string }>(key: A): A => {
        const number = Number(key.providerAccountId)
        return { ...key, providerAccountId: Number.isNaN(number) ? key.providerAccountId : String(number) }
      }
      return {
        ...store,
        linkAccount: (account) => store.linkAccount(asNumber(account)),
        getUserByAccount: (key) => store.getUserByAccount(asNumber(key))
      }
    }
  },
  {
    name: "trims ids of accounts",
    breaks: "ids of accounts are compared byte by byte",
    fault: (store) => ({
      ...store,
      getUserByAccount: (key) => store.getUserByAccount({ ...key, providerAccountId: key.providerAccountId.trim() })
    })
  },
  {
    name: "joins provider and id with a colon",
    breaks: "provider and id of an account do not run together",
    fault: (store) => {
      const joined = <A extends { readonly provider: string; readonly providerAccountId: string }>(key: A): A => ({
        ...key,
        provider: "",
        providerAccountId: `${key.provider}:${key.providerAccountId}`
      })
      return {
        ...store,
        linkAccount: (account) => store.linkAccount(joined(account)),
        getUserByAccount: (key) => store.getUserByAccount(joined(key))
      }
    }
  },
  {
    name: "looks whether a verification token is there, and then removes it",
    breaks: "one of many uses a verification token",
    fault: (store) => {
      const tokens = new Map<string, Date>()
      const keyOf = (key: { readonly identifier: string; readonly token: string }) => `${key.identifier}\n${key.token}`
      return {
        ...store,
        createVerificationToken: (token) => Effect.sync(() => void tokens.set(keyOf(token), token.expires)),
        useVerificationToken: ({ identifier, token }) =>
          Effect.gen(function* () {
            const expires = tokens.get(keyOf({ identifier, token }))
            yield* Effect.yieldNow
            tokens.delete(keyOf({ identifier, token }))
            return expires === undefined ? Option.none() : Option.some({ identifier, token, expires })
          })
      }
    }
  },
  {
    name: "uses verification tokens of any address",
    breaks: "a verification token is for its address only",
    fault: (store) => ({
      ...store,
      createVerificationToken: (token) => store.createVerificationToken({ ...token, identifier: "" }),
      useVerificationToken: (key) =>
        Effect.map(
          store.useVerificationToken({ ...key, identifier: "" }),
          Option.map((token) => ({ ...token, identifier: key.identifier }))
        )
    })
  },
  {
    name: "keeps the first verification token of an address and forgets newer ones",
    breaks: "the newest verification token of an address can be used",
    fault: (store) => {
      const known = new Set<string>()
      return {
        ...store,
        createVerificationToken: (token) =>
          Effect.suspend(() => {
            if (known.has(token.identifier)) return Effect.void
            known.add(token.identifier)
            return store.createVerificationToken(token)
          })
      }
    }
  },
  {
    name: "looks whether an address is taken, and then creates the user",
    breaks: "one of many creates the user of an address",
    fault: (store) => {
      const owners = new Map<string, string>()
      return {
        ...store,
        createUser: (user) =>
          Effect.gen(function* () {
            if (user.email !== undefined && owners.has(user.email)) return yield* failure("createUser", "unique")
            yield* Effect.yieldNow
            const created = yield* store.createUser({ ...user, email: undefined })
            if (user.email !== undefined) owners.set(user.email, created.id)
            return { ...created, email: user.email ?? "" }
          }),
        getUserByEmail: (email) =>
          Effect.map(
            store.getUser(asUserId(owners.get(email) ?? "")),
            Option.map((user) => ({ ...user, email }))
          )
      }
    }
  },
  {
    name: "links an account over another link",
    breaks: "an account is linked once",
    fault: (store) => ({
      ...store,
      linkAccount: (account) => Effect.andThen(store.unlinkAccount(account), store.linkAccount(account))
    })
  },
  {
    name: "looks whether an account is linked, and then links it",
    breaks: "one of many links an account",
    fault: (store) => ({
      ...store,
      linkAccount: (account) =>
        Effect.gen(function* () {
          if (Option.isSome(yield* store.getUserByAccount(account))) return yield* failure("linkAccount", "unique")
          yield* Effect.yieldNow
          yield* store.unlinkAccount(account)
          yield* store.linkAccount(account)
        })
    })
  },
  {
    name: "creates a session that it is asked to change",
    breaks: "updateSession never brings a session back",
    fault: (store) => {
      const owners = new Map<string, string>()
      return {
        ...store,
        createSession: (session) => {
          owners.set(session.sessionToken, session.userId)
          return store.createSession(session)
        },
        updateSession: (change) =>
          Effect.gen(function* () {
            const changed = yield* store.updateSession(change)
            const userId = owners.get(change.sessionToken)
            if (Option.isSome(changed) || userId === undefined) return changed
            return Option.some(yield* store.createSession({ ...change, userId: asUserId(userId) }))
          })
      }
    }
  },
  {
    name: "reads a session, and then writes all of it",
    breaks: "a deleted session stays deleted under changes",
    fault: (store) => ({
      ...store,
      updateSession: (change) =>
        Effect.gen(function* () {
          const before = yield* store.getSessionAndUser(change.sessionToken)
          if (Option.isNone(before)) return Option.none()
          yield* Effect.yieldNow
          const after = { ...before.value.session, ...change }
          yield* store.deleteSession(change.sessionToken)
          return yield* Effect.asSome(store.createSession(after))
        })
    })
  },
  {
    name: "fails to delete a session that is not there",
    breaks: "deleteSession removes that session",
    fault: (store) => ({
      ...store,
      deleteSession: (token) =>
        Effect.flatMap(store.deleteSession(token), (row) =>
          Option.isSome(row) ? Effect.succeed(row) : failure("deleteSession", "missing")
        )
    })
  },
  {
    name: "hides ended sessions",
    breaks: "an ended session is answered with its end",
    fault: (store) => ({
      ...store,
      getSessionAndUser: (token) =>
        Effect.map(
          store.getSessionAndUser(token),
          Option.filter(({ session }) => session.expires.getTime() > Date.parse("2010-01-01T00:00:00Z"))
        )
    })
  },
  {
    name: "forgets what is left out of a change of tokens",
    breaks: "updateAccount changes the given tokens",
    fault: (store) => ({
      ...store,
      updateAccount: (change, before) => store.updateAccount({ refresh_token: null, ...change }, before)
    })
  },
  {
    name: "changes tokens whatever the refresh token is",
    breaks: "updateAccount compares the refresh token",
    fault: (store) => ({ ...store, updateAccount: (change) => store.updateAccount(change) })
  },
  {
    name: "ends the session that is to stay",
    breaks: "deleteSessions ends the sessions of the user",
    fault: (store) => ({ ...store, deleteSessions: (userId) => store.deleteSessions(userId) })
  },
  {
    name: "leaves the accounts of a deleted user",
    breaks: "deleteUser removes what is theirs and nothing else",
    fault: (store) => {
      const links = new Set<string>()
      return {
        ...store,
        linkAccount: (account) => {
          const key = `${account.provider}\n${account.providerAccountId}`
          if (links.has(key)) return failure("linkAccount", "unique")
          links.add(key)
          return store.linkAccount(account)
        }
      }
    }
  },
  {
    name: "ends everybody's sessions with one user",
    breaks: "deleteUser removes what is theirs and nothing else",
    fault: (store) => {
      const tokens = new Set<string>()
      return {
        ...store,
        createSession: (session) => {
          tokens.add(session.sessionToken)
          return store.createSession(session)
        },
        deleteUser: (id) =>
          Effect.andThen(store.deleteUser(id), Effect.forEach(tokens, store.deleteSession, { discard: true }))
      }
    }
  },
  {
    name: "keeps days instead of moments",
    breaks: "dates of users keep their second",
    fault: (store) => ({
      ...store,
      createUser: (user) =>
        store.createUser({
          ...user,
          emailVerified: user.emailVerified === null ? null : truncated(user.emailVerified)
        })
    })
  },
  {
    name: "reads dates in another time zone",
    breaks: "dates of users keep their second",
    fault: (store) => ({
      ...store,
      getUser: (id) =>
        Effect.map(
          store.getUser(id),
          Option.map((user) => ({
            ...user,
            emailVerified: user.emailVerified === null ? null : new Date(user.emailVerified.getTime() + 7_200_000)
          }))
        )
    })
  },
  {
    name: "cuts tokens after four kilobytes",
    breaks: "an account keeps its tokens",
    fault: (store) => ({
      ...store,
      linkAccount: (account) =>
        store.linkAccount(
          account.id_token === undefined ? account : { ...account, id_token: account.id_token.slice(0, 4096) }
        )
    })
  },
  {
    name: "loses characters beyond the first plane",
    breaks: "long and unusual texts of users are kept",
    fault: (store) => ({
      ...store,
      createUser: (user) => store.createUser({ ...user, name: user.name?.replaceAll(/\p{Emoji_Presentation}/gu, "?") })
    })
  },
  {
    name: "has room for one user without an address",
    breaks: "users without an address are kept apart",
    fault: (store) => {
      const seen: { one: boolean } = { one: false }
      return {
        ...store,
        createUser: (user) => {
          if (user.email !== undefined) return store.createUser(user)
          if (seen.one) return failure("createUser", "unique")
          seen.one = true
          return store.createUser(user)
        }
      }
    }
  },
  {
    name: "forgets members that are not given in a change",
    breaks: "updateUser changes what is given and nothing else",
    fault: (store) => ({
      ...store,
      updateUser: (change) => store.updateUser({ name: null, image: null, emailVerified: null, ...change })
    })
  },
  {
    name: "reads a user, and then writes all of them",
    breaks: "changes of different members are all kept",
    fault: (store) => ({
      ...store,
      updateUser: (change) =>
        Effect.gen(function* () {
          const before = yield* store.getUser(change.id)
          yield* Effect.yieldNow
          return yield* store.updateUser({ ...Option.getOrElse(before, () => ({})), ...change })
        })
    })
  },
  {
    name: "answers its own rows",
    breaks: "answers are copies",
    fault: (store) => {
      const rows = new Map<string, Effect.Success<ReturnType<AdapterShape["createUser"]>>>()
      return {
        ...store,
        createUser: (user) => Effect.tap(store.createUser(user), (row) => Effect.sync(() => rows.set(row.id, row))),
        getUser: (id) => Effect.sync(() => Option.fromUndefinedOr(rows.get(id)))
      }
    }
  },
  {
    name: "lists everybody's credentials",
    breaks: "listAuthenticatorsByUserId answers the credentials of the user",
    fault: (store) => {
      const all = new Set<UserId>()
      return {
        ...store,
        createAuthenticator: (row) => {
          all.add(row.userId)
          return store.createAuthenticator(row)
        },
        listAuthenticatorsByUserId: () =>
          Effect.map(Effect.forEach(all, store.listAuthenticatorsByUserId), (lists) => lists.flat())
      }
    }
  },
  {
    name: "stores any counter",
    breaks: "one of many raises a counter",
    fault: (store) => ({
      ...store,
      updateAuthenticatorCounter: (credentialID, counter) =>
        Effect.catch(store.updateAuthenticatorCounter(credentialID, counter), (error) =>
          error.reason === "stale"
            ? Effect.map(store.getAuthenticator(credentialID), (row) => ({ ...Option.getOrThrow(row), counter }))
            : Effect.fail(error)
        )
    })
  },
  {
    name: "looks whether a key was used, and then notes it",
    breaks: "one of many uses a key",
    fault: (store) => {
      const used = new Set<string>()
      return {
        ...store,
        useOnce: (key) =>
          Effect.gen(function* () {
            const first = !used.has(key)
            yield* Effect.yieldNow
            used.add(key)
            return first
          })
      }
    }
  },
  {
    name: "sweeps everything at once",
    breaks: "sweep removes what has ended, in bounded steps",
    fault: (store) => ({ ...store, sweep: (before) => store.sweep(before, Number.MAX_SAFE_INTEGER) })
  },
  {
    name: "sweeps what has not ended",
    breaks: "sweep removes what has ended, in bounded steps",
    fault: (store) => ({ ...store, sweep: (_, limit) => store.sweep(new Date("2999-01-01T00:00:00Z"), limit) })
  },
  {
    name: "takes nothing back",
    breaks: "a transaction that fails leaves nothing",
    fault: (store) => ({ ...store, transaction: (program) => program })
  },
  {
    name: "takes nothing back when it is interrupted",
    breaks: "a transaction that is interrupted leaves nothing",
    fault: (store) => ({
      ...store,
      transaction: (program) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatten(
            store.transaction(
              Effect.flatMap(Effect.exit(restore(program)), (exit) =>
                Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)
                  ? Effect.failCause(exit.cause)
                  : Effect.succeed(exit)
              )
            )
          )
        )
    })
  },
  {
    name: "knows no transaction within another",
    breaks: "a transaction within another can fail alone",
    fault: (store) => {
      const depth: { now: number } = { now: 0 }
      return {
        ...store,
        transaction: (program) =>
          Effect.suspend(() => {
            if (depth.now > 0) return program
            return store.transaction(
              Effect.ensuring(
                Effect.suspend(() => {
                  depth.now++
                  return program
                }),
                Effect.sync(() => depth.now--)
              )
            )
          })
      }
    }
  },
  {
    name: "goes back to a picture of everything",
    breaks: "a transaction does not undo what others do meanwhile",
    fault: () => snapshotting()
  }
]

/** A store whose transactions put all users back that there were before. */
const snapshotting = (): AdapterShape => {
  const store = makeMemory()
  const changed = new Map<string, Parameters<AdapterShape["updateUser"]>[0]>()
  const created = new Set<string>()
  const note = (row: { readonly id: string }) => Effect.sync(() => created.add(row.id))
  return {
    ...store,
    createUser: (user) => Effect.tap(store.createUser(user), note),
    updateUser: (change) =>
      Effect.gen(function* () {
        const before = yield* store.getUser(change.id)
        if (Option.isSome(before)) changed.set(change.id, { ...before.value })
        return yield* store.updateUser(change)
      }),
    transaction: (program) =>
      Effect.suspend(() => {
        changed.clear()
        created.clear()
        return Effect.onError(program, () =>
          Effect.orDie(
            Effect.gen(function* () {
              for (const before of changed.values()) yield* store.updateUser(before)
              for (const id of created) yield* store.deleteUser(asUserId(id))
            })
          )
        )
      })
  }
}
