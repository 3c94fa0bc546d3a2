/**
 * A store whose failures hold everything that it was given, wherever an error can hold something, and which remembers what
 * that was.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { makeMemory } from "../../src/Adapter.ts"
import type { Options } from "../../src/config/Settings.ts"
import { AdapterError } from "../../src/Errors.ts"
import type { AdapterMethod, AdapterShape } from "../../src/storage/AdapterShape.ts"

/** How a call fails: an adapter of promises that rejects or throws, one of Effects that fails or dies. */
export type Way = "rejects" | "throws" | "fails" | "dies"

export interface TalkativeStore {
  readonly adapter: NonNullable<Options["adapter"]>
  /** The store behind it, which never fails. */
  readonly real: AdapterShape
  /** Methods that were called, in order. */
  readonly calls: Array<AdapterMethod>
  /** Members named like these that methods were given. */
  readonly given: Map<string, Set<string>>
  /** From now on every call of this method fails. */
  readonly breaks: (method: AdapterMethod, code?: string) => void
}

/** Members that are secrets, or say who somebody is. */
const noted: ReadonlySet<string> = new Set([
  "sessionToken",
  "token",
  "access_token",
  "refresh_token",
  "id_token",
  "email",
  "identifier",
  "name",
  "providerAccountId",
  "credentialID",
  "credentialPublicKey"
])

const textsOf = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsOf)
      : []

/** The error of a driver: PostgreSQL's members, a query with its parameters, a wrapper around all of it. */
const talkative = (method: string, args: ReadonlyArray<unknown>, code: string): Error => {
  const told = JSON.stringify(args)
  const values = textsOf(args).join(", ")
  const inner = Object.assign(new Error(`Failed query: insert into x values ($1)\nparams: ${values}`), {
    code,
    detail: `Key (email)=(${values}) already exists.`,
    where: told,
    parameters: args,
    query: `insert into x values (${values})`
  })
  const request = `postgres://owner:canary password 4711@db.example/x?${encodeURIComponent(values)}`
  return Object.assign(new Error(`${method}(${told}) at ${request}: ${values}`, { cause: inner }), {
    args,
    meta: { target: values },
    stack: `Error: ${told}\n    at ${values}\n    at run (file:///app/store.js:1:1)`
  })
}

const note = (given: TalkativeStore["given"], name: string, value: unknown): void => {
  if (typeof value !== "string" || value.length < 4) return
  const known = given.get(name) ?? new Set()
  given.set(name, known.add(value))
}

/** Arguments that are no rows, by the name that they have in rows. */
const named: Partial<Record<AdapterMethod, string>> = {
  getUserByEmail: "email",
  getSessionAndUser: "sessionToken",
  deleteSession: "sessionToken",
  getAuthenticator: "credentialID",
  updateAuthenticatorCounter: "credentialID",
  getAccount: "providerAccountId"
}

export const talkativeStore = (way: Way): TalkativeStore => {
  const real = makeMemory()
  const calls: Array<AdapterMethod> = []
  const given: TalkativeStore["given"] = new Map()
  const broken = new Map<AdapterMethod, string>()

  /** Notes what a call is given; the error when it fails. */
  const meet = (method: AdapterMethod, args: ReadonlyArray<unknown>): Error | undefined => {
    calls.push(method)
    const [first] = args
    note(given, named[method] ?? "", first)
    if (typeof first === "object" && first !== null && method !== "transaction") {
      for (const [name, value] of Object.entries(first)) if (noted.has(name)) note(given, name, value)
    }
    const code = broken.get(method)
    return code === undefined ? undefined : talkative(method, method === "transaction" ? [] : args, code)
  }

  const answer = (method: AdapterMethod, args: ReadonlyArray<unknown>) =>
    Reflect.apply(real[method], real, args) as Effect.Effect<unknown, AdapterError>

  const asPromises =
    (method: AdapterMethod) =>
    (...args: ReadonlyArray<unknown>) => {
      const error = meet(method, args)
      if (error !== undefined && way === "throws") throw error
      if (error !== undefined) return Promise.reject(error)
      return Effect.runPromise(
        Effect.map(answer(method, args), (found) => (Option.isOption(found) ? Option.getOrNull(found) : found))
      )
    }

  const asEffects =
    (method: AdapterMethod) =>
    (...args: ReadonlyArray<unknown>) =>
      Effect.suspend((): Effect.Effect<unknown, AdapterError> => {
        const error = meet(method, args)
        if (error === undefined) return answer(method, args)
        if (way === "dies") return Effect.die(error)
        const reason = Reflect.get(Object(error.cause), "code") === "23505" ? "unique" : "unavailable"
        return Effect.fail(new AdapterError({ method, reason, detail: error.message, cause: error }))
      })

  const inEffects = way === "fails" || way === "dies"
  const methods = [...real.methods].filter((method) => inEffects || method !== "transaction")
  const adapter = Object.fromEntries(
    methods.map((method) => [method, inEffects ? asEffects(method) : asPromises(method)])
  )
  return {
    // The type of an adapter cannot be told from a list of its methods.
    adapter: (inEffects ? { ...adapter, methods: real.methods } : adapter) as unknown as AdapterShape,
    real,
    calls,
    given,
    breaks: (method, code = "08006") => void broken.set(method, code)
  }
}

/** Everything of these names that a store was given. */
export const of = ({ given }: TalkativeStore, ...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.flatMap((name) => [...(given.get(name) ?? [])])
