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

/** By the law that finds it and by what the adapter does wrong: the methods that it has instead of a right one. */
export type BrokenAdapters = Readonly<
  Record<string, Readonly<Record<string, (store: AdapterShape) => Partial<AdapterShape>>>>
>

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

export const brokenAdapters: BrokenAdapters = {
  "a session keeps its details": {
    "drops the details of a session": (store) => ({
      createSession: ({ expires, sessionToken, userId }) => store.createSession({ expires, sessionToken, userId })
    }),
    "has a column of 256 characters for the methods of a sign-in": (store) => ({
      createSession: ({ amr, ...session }) => store.createSession({ ...session, amr: amr?.slice(0, 256) })
    }),
    "gives a session without details the time of its row": (store) => ({
      createSession: (session) => store.createSession({ authenticatedAt: new Date(0), ...session })
    })
  },
  "touchSession changes when that session was last seen": {
    "never writes when a session was seen": () => ({ touchSession: () => Effect.void }),
    "prolongs a session that it touches": (store) => ({
      touchSession: (sessionToken, lastSeenAt) =>
        Effect.andThen(
          store.touchSession(sessionToken, lastSeenAt),
          Effect.asVoid(store.updateSession({ sessionToken, expires: new Date(4e12) }))
        )
    }),
    "touches all sessions of a user": (store) => {
      const tokens: Array<string> = []
      return {
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
  "a credential keeps its details": {
    "drops the details of a credential": (store) => ({
      createAuthenticator: (key) => store.createAuthenticator(only(key, authenticatorMembers))
    })
  },
  "describeAuthenticator changes that credential": {
    "answers true for a credential that is not there": (store) => ({
      describeAuthenticator: (id, details) => Effect.as(store.describeAuthenticator(id, details), true)
    }),
    "empties the details that are not given": (store) => ({
      describeAuthenticator: (id, details) =>
        store.describeAuthenticator(id, { label: "", lastUsedAt: new Date(0), ...details })
    })
  },
  "addresses are compared byte by byte": {
    "looks addresses up in lower case": (store) => ({
      getUserByEmail: (email) => store.getUserByEmail(email.toLowerCase())
    }),
    "brings addresses into one Unicode form": (store) => ({
      createUser: (user) => store.createUser({ ...user, email: user.email?.normalize("NFC") }),
      getUserByEmail: (email) => store.getUserByEmail(email.normalize("NFC"))
    })
  },
  "numbers of accounts are compared as text": {
    "reads ids of accounts as numbers": (store) => {
      const asNumber = <A extends { readonly providerAccountId: string }>(key: A): A => {
        const number = Number(key.providerAccountId)
        return { ...key, providerAccountId: Number.isNaN(number) ? key.providerAccountId : String(number) }
      }
      return {
        linkAccount: (account) => store.linkAccount(asNumber(account)),
        getUserByAccount: (key) => store.getUserByAccount(asNumber(key))
      }
    }
  },
  "ids of accounts are compared byte by byte": {
    "trims ids of accounts": (store) => ({
      getUserByAccount: (key) => store.getUserByAccount({ ...key, providerAccountId: key.providerAccountId.trim() })
    })
  },
  "provider and id of an account do not run together": {
    "joins provider and id with a colon": (store) => {
      const joined = <A extends { readonly provider: string; readonly providerAccountId: string }>(key: A): A => ({
        ...key,
        provider: "",
        providerAccountId: `${key.provider}:${key.providerAccountId}`
      })
      return {
        linkAccount: (account) => store.linkAccount(joined(account)),
        getUserByAccount: (key) => store.getUserByAccount(joined(key))
      }
    }
  },
  "one of many uses a verification token": {
    "looks whether a verification token is there, and then removes it": () => {
      const tokens = new Map<string, Date>()
      const keyOf = (key: { readonly identifier: string; readonly token: string }) => `${key.identifier}\n${key.token}`
      return {
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
  "a verification token is for its address only": {
    "uses verification tokens of any address": (store) => ({
      createVerificationToken: (token) => store.createVerificationToken({ ...token, identifier: "" }),
      useVerificationToken: (key) =>
        Effect.map(
          store.useVerificationToken({ ...key, identifier: "" }),
          Option.map((token) => ({ ...token, identifier: key.identifier }))
        )
    })
  },
  "the newest verification token of an address can be used": {
    "keeps the first verification token of an address and forgets newer ones": (store) => {
      const known = new Set<string>()
      return {
        createVerificationToken: (token) =>
          Effect.suspend(() => {
            if (known.has(token.identifier)) return Effect.void
            known.add(token.identifier)
            return store.createVerificationToken(token)
          })
      }
    }
  },
  "one of many creates the user of an address": {
    "looks whether an address is taken, and then creates the user": (store) => {
      const owners = new Map<string, string>()
      return {
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
  "an account is linked once": {
    "links an account over another link": (store) => ({
      linkAccount: (account) => Effect.andThen(store.unlinkAccount(account), store.linkAccount(account))
    })
  },
  "one of many links an account": {
    "looks whether an account is linked, and then links it": (store) => ({
      linkAccount: (account) =>
        Effect.gen(function* () {
          if (Option.isSome(yield* store.getUserByAccount(account))) return yield* failure("linkAccount", "unique")
          yield* Effect.yieldNow
          yield* store.unlinkAccount(account)
          yield* store.linkAccount(account)
        })
    })
  },
  "updateSession never brings a session back": {
    "creates a session that it is asked to change": (store) => {
      const owners = new Map<string, string>()
      return {
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
  "a deleted session stays deleted under changes": {
    "reads a session, and then writes all of it": (store) => ({
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
  "deleteSession removes that session": {
    "fails to delete a session that is not there": (store) => ({
      deleteSession: (token) =>
        Effect.flatMap(store.deleteSession(token), (row) =>
          Option.isSome(row) ? Effect.succeed(row) : failure("deleteSession", "missing")
        )
    })
  },
  "an ended session is answered with its end": {
    "hides ended sessions": (store) => ({
      getSessionAndUser: (token) =>
        Effect.map(
          store.getSessionAndUser(token),
          Option.filter(({ session }) => session.expires.getTime() > Date.parse("2010-01-01T00:00:00Z"))
        )
    })
  },
  "updateAccount changes the given tokens": {
    "forgets what is left out of a change of tokens": (store) => ({
      updateAccount: (change, before) => store.updateAccount({ refresh_token: null, ...change }, before)
    })
  },
  "updateAccount compares the refresh token": {
    "changes tokens whatever the refresh token is": (store) => ({
      updateAccount: (change) => store.updateAccount(change)
    })
  },
  "deleteSessions ends the sessions of the user": {
    "ends the session that is to stay": (store) => ({ deleteSessions: (userId) => store.deleteSessions(userId) })
  },
  "deleteUser removes what is theirs and nothing else": {
    "leaves the accounts of a deleted user": (store) => {
      const links = new Set<string>()
      return {
        linkAccount: (account) => {
          const key = `${account.provider}\n${account.providerAccountId}`
          if (links.has(key)) return failure("linkAccount", "unique")
          links.add(key)
          return store.linkAccount(account)
        }
      }
    },
    "ends everybody's sessions with one user": (store) => {
      const tokens = new Set<string>()
      return {
        createSession: (session) => {
          tokens.add(session.sessionToken)
          return store.createSession(session)
        },
        deleteUser: (id) =>
          Effect.andThen(store.deleteUser(id), Effect.forEach(tokens, store.deleteSession, { discard: true }))
      }
    }
  },
  "dates of users keep their second": {
    "keeps days instead of moments": (store) => ({
      createUser: (user) =>
        store.createUser({ ...user, emailVerified: user.emailVerified === null ? null : truncated(user.emailVerified) })
    }),
    "reads dates in another time zone": (store) => ({
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
  "an account keeps its tokens": {
    "cuts tokens after four kilobytes": (store) => ({
      linkAccount: (account) =>
        store.linkAccount(
          account.id_token === undefined ? account : { ...account, id_token: account.id_token.slice(0, 4096) }
        )
    })
  },
  "long and unusual texts of users are kept": {
    "loses characters beyond the first plane": (store) => ({
      createUser: (user) => store.createUser({ ...user, name: user.name?.replaceAll(/\p{Emoji_Presentation}/gu, "?") })
    })
  },
  "users without an address are kept apart": {
    "has room for one user without an address": (store) => {
      const seen: { one: boolean } = { one: false }
      return {
        createUser: (user) => {
          if (user.email !== undefined) return store.createUser(user)
          if (seen.one) return failure("createUser", "unique")
          seen.one = true
          return store.createUser(user)
        }
      }
    }
  },
  "updateUser changes what is given and nothing else": {
    "forgets members that are not given in a change": (store) => ({
      updateUser: (change) => store.updateUser({ name: null, image: null, emailVerified: null, ...change })
    })
  },
  "changes of different members are all kept": {
    "reads a user, and then writes all of them": (store) => ({
      updateUser: (change) =>
        Effect.gen(function* () {
          const before = yield* store.getUser(change.id)
          yield* Effect.yieldNow
          return yield* store.updateUser({ ...Option.getOrElse(before, () => ({})), ...change })
        })
    })
  },
  "answers are copies": {
    "answers its own rows": (store) => {
      const rows = new Map<string, Effect.Success<ReturnType<AdapterShape["createUser"]>>>()
      return {
        createUser: (user) => Effect.tap(store.createUser(user), (row) => Effect.sync(() => rows.set(row.id, row))),
        getUser: (id) => Effect.sync(() => Option.fromUndefinedOr(rows.get(id)))
      }
    }
  },
  "listAuthenticatorsByUserId answers the credentials of the user": {
    "lists everybody's credentials": (store) => {
      const all = new Set<UserId>()
      return {
        createAuthenticator: (row) => {
          all.add(row.userId)
          return store.createAuthenticator(row)
        },
        listAuthenticatorsByUserId: () =>
          Effect.map(Effect.forEach(all, store.listAuthenticatorsByUserId), (lists) => lists.flat())
      }
    }
  },
  "one of many raises a counter": {
    "stores any counter": (store) => ({
      updateAuthenticatorCounter: (credentialID, counter) =>
        Effect.catch(store.updateAuthenticatorCounter(credentialID, counter), (error) =>
          error.reason === "stale"
            ? Effect.map(store.getAuthenticator(credentialID), (row) => ({ ...Option.getOrThrow(row), counter }))
            : Effect.fail(error)
        )
    })
  },
  "one of many uses a key": {
    "looks whether a key was used, and then notes it": () => {
      const used = new Set<string>()
      return {
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
  "sweep removes what has ended, in bounded steps": {
    "sweeps everything at once": (store) => ({ sweep: (before) => store.sweep(before, Number.MAX_SAFE_INTEGER) }),
    "sweeps what has not ended": (store) => ({
      sweep: (_, limit) => store.sweep(new Date("2999-01-01T00:00:00Z"), limit)
    })
  },
  "a transaction that fails leaves nothing": { "takes nothing back": () => ({ transaction: (program) => program }) },
  "a transaction that is interrupted leaves nothing": {
    "takes nothing back when it is interrupted": (store) => ({
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
  "a transaction within another can fail alone": {
    "knows no transaction within another": (store) => {
      const depth: { now: number } = { now: 0 }
      return {
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
  "a transaction does not undo what others do meanwhile": {
    "goes back to a picture of everything": () => snapshotting()
  }
}

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
