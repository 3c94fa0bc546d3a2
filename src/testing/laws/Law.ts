/**
 * What a law of storage is, and the words in which laws are written.
 *
 * A law is a program against a store. It makes what it needs under names of its own, so that it can be repeated on a store
 * that holds other things, and it says in one sentence what it demands.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { Adapter } from "../../Adapter.ts"
import type { AdapterError, AdapterFault } from "../../Errors.ts"
import {
  type AdapterAccount,
  type AdapterAuthenticator,
  type AdapterSession,
  type AdapterUser,
  UserId
} from "../../Models.ts"
import type { AdapterMethod, AdapterShape, NewUser } from "../../storage/AdapterShape.ts"
import type { KeyDetails, SessionDetails } from "../../storage/Details.ts"

/**
 * A store does not keep a law.
 *
 * @category errors
 * @since 0.1.0
 */
export class LawBroken extends Data.TaggedError("LawBroken")<{
  /** Name of the law. */
  readonly law: string
  /** What the store did instead. */
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return `${this.law}: ${this.reason}`
  }
}

/**
 * A law that every store keeps which has the methods.
 *
 * @category models
 * @since 0.1.0
 */
export interface Law {
  readonly name: string
  /** What it demands, in one sentence. */
  readonly demands: string
  /** Methods without which it says nothing. */
  readonly needs: ReadonlyArray<AdapterMethod>
  /** Fails when the store does not keep it. */
  readonly check: Effect.Effect<void, LawBroken, Adapter>
}

/** What a store did that it must not do. */
export class Objection extends Data.TaggedError("Objection")<{ readonly reason: string }> {}

/** A program that watches a store. */
export type Watch<A = void> = Effect.Effect<A, Objection | AdapterError>

/** Longest time that one law may take. */
const deadline = "60 seconds"

/** Values that no other caller uses. */
export interface Draw {
  readonly store: AdapterShape
  /** Text of letters and digits. */
  readonly text: () => string
  /** A date in whole seconds, an hour from now. */
  readonly soon: Date
  readonly user: (more?: Partial<NewUser>) => NewUser
  readonly unknownId: () => UserId
  /** A user who is in the store. */
  readonly stored: (more?: Partial<NewUser>) => Effect.Effect<AdapterUser, AdapterError>
  /** Two users who are in the store. */
  readonly pair: Effect.Effect<readonly [AdapterUser, AdapterUser], AdapterError>
  readonly account: (userId: UserId, more?: Partial<AdapterAccount>) => AdapterAccount
  /** An account that is linked. */
  readonly link: (userId: UserId, more?: Partial<AdapterAccount>) => Effect.Effect<AdapterAccount, AdapterError>
  readonly authenticator: (userId: UserId, more?: Partial<AdapterAuthenticator>) => AdapterAuthenticator
  /** A credential that is registered. */
  readonly register: (
    userId: UserId,
    more?: Partial<AdapterAuthenticator & KeyDetails>
  ) => Effect.Effect<AdapterAuthenticator, AdapterError>
  /** The token of a new session. */
  readonly signIn: (
    userId: UserId,
    more?: Partial<AdapterSession & SessionDetails>
  ) => Effect.Effect<string, AdapterError>
}

/** A moment, from ISO 8601 or from milliseconds since 1970. */
export const at = (moment: string | number): Date => new Date(moment)

const makeDraw = (store: AdapterShape): Effect.Effect<Draw, never, SecureRandom.SecureRandom> =>
  Effect.gen(function* () {
    const { uuidV4 } = yield* SecureRandom.SecureRandom
    const seed = yield* uuidV4()
    const now = yield* Clock.currentTimeMillis
    let count = 0
    const text = () => `${seed.replaceAll("-", "").slice(0, 20)}x${count++}`
    const unknownId = () => UserId.make(`${seed.slice(0, 24)}${(count++).toString(16).padStart(12, "0")}`)
    const user = (more?: Partial<NewUser>): NewUser => ({
      id: unknownId(),
      email: `${text()}@laws.example`,
      emailVerified: null,
      name: "Law Abiding",
      image: "https://laws.example/face.png",
      ...more
    })
    const stored: Draw["stored"] = (more) => store.createUser(user(more))
    const soon = at(Math.trunc(now / 1000) * 1000 + 3_600_000)
    const account: Draw["account"] = (userId, more) => ({
      userId,
      type: "oidc",
      provider: "laws",
      providerAccountId: text(),
      access_token: text(),
      ...more
    })
    const authenticator: Draw["authenticator"] = (userId, more) => {
      const credentialID = more?.credentialID ?? text()
      return {
        userId,
        credentialID,
        providerAccountId: credentialID,
        credentialPublicKey: text(),
        counter: 0,
        credentialDeviceType: "singleDevice",
        credentialBackedUp: false,
        transports: "internal,hybrid",
        ...more
      }
    }
    return {
      store,
      text,
      unknownId,
      soon,
      user,
      stored,
      pair: Effect.suspend(() => Effect.all([stored(), stored()])),
      account,
      link: (userId, more) => {
        const row = account(userId, more)
        return Effect.as(store.linkAccount(row), row)
      },
      authenticator,
      register: (userId, more) => {
        const row = authenticator(userId, more)
        return Effect.as(store.createAuthenticator(row), row)
      },
      signIn: (userId, more) =>
        Effect.map(
          store.createSession({ sessionToken: text(), userId, expires: soon, ...more }),
          ({ sessionToken }) => sessionToken
        )
    }
  })

const reasonOf = (cause: Cause.Cause<Objection | AdapterError>): string => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (failure === undefined) return "a call died"
  return failure._tag === "Objection" ? failure.reason : `${failure.method} failed: ${failure.reason}`
}

/** The steps of a law. */
type Scene = Generator<Watch<unknown>, void, never>

/** Writes a law. */
export const law = (
  name: string,
  demands: string,
  needs: ReadonlyArray<AdapterMethod>,
  scene: (draw: Draw) => Scene
): Law => {
  const broken = (reason: string, cause?: unknown) =>
    Effect.fail(new LawBroken({ law: name, reason, ...(cause === undefined ? {} : { cause }) }))
  return {
    name,
    demands,
    needs,
    check: Effect.gen(function* () {
      const draw = yield* Effect.provide(makeDraw(yield* Adapter), SecureRandom.layerWebCrypto)
      const scenes = Effect.catchCause(
        Effect.gen(() => scene(draw)),
        (cause) =>
          Cause.hasInterruptsOnly(cause) ? broken("it was interrupted") : broken(reasonOf(cause), Cause.squash(cause))
      )
      yield* Effect.timeoutOrElse(scenes, {
        duration: deadline,
        orElse: () => broken(`it did not come to an end within ${deadline}`)
      })
    })
  }
}

/** Objects unless it is so. */
export const claim = (holds: boolean, reason: string): Effect.Effect<void, Objection> =>
  holds ? Effect.void : Effect.fail(new Objection({ reason }))

/** Objects unless the values are the same. The values are made by the law, so they may be shown. */
export const same = (found: unknown, expected: unknown, what: string): Effect.Effect<void, Objection> =>
  claim(found === expected, `${what} is ${toText(found)} instead of ${toText(expected)}`)

const toText = (value: unknown): string => {
  const text = typeof value === "string" ? JSON.stringify(value) : String(value)
  return text.length > 80 ? `${text.slice(0, 80)}… (${text.length} characters)` : text
}

/** Objects unless the dates are in the same second. */
export const sameSecond = (found: unknown, expected: Date, what: string): Effect.Effect<void, Objection> =>
  claim(
    found instanceof Date && Math.abs(found.getTime() - expected.getTime()) < 1000,
    `${what} is ${found instanceof Date ? Option.getOrElse(isoOf(found), () => "no date") : String(found)} instead of ${expected.toISOString()}`
  )

const isoOf = (date: Date): Option.Option<string> =>
  Number.isNaN(date.getTime()) ? Option.none() : Option.some(date.toISOString())

/** What a call finds, which must be there. */
export const present = <A>(call: Effect.Effect<Option.Option<A>, AdapterError>, what: string): Watch<A> =>
  Effect.flatMap(call, (option) =>
    Option.isSome(option)
      ? Effect.succeed(option.value)
      : Effect.fail(new Objection({ reason: `${what} is not found` }))
  )

/** Objects when a call finds something. */
export const absent = <A>(call: Effect.Effect<Option.Option<A>, AdapterError>, what: string): Watch =>
  Effect.flatMap(call, (option) => claim(Option.isNone(option), `${what} is found`))

/** Objects unless a call finds the row of this id. */
export const finds = (
  call: Effect.Effect<Option.Option<{ readonly id: string }>, AdapterError>,
  id: string,
  what: string
): Watch => Effect.flatMap(present(call, what), (row) => same(row.id, id, what))

/** Objects unless these members of a row are those that are expected, dates to the second. */
export const sameMembers = <Name extends string>(
  row: { readonly [Member in Name]?: unknown },
  expected: { readonly [Member in Name]?: unknown },
  names: ReadonlyArray<Name>
): Watch =>
  Effect.forEach(
    names,
    (name) => {
      const value = expected[name]
      return value instanceof Date ? sameSecond(row[name], value, name) : same(row[name], value, name)
    },
    { discard: true }
  )

/** Objects unless two lists hold the same strings, in any order. */
export const sameSet = (found: ReadonlyArray<string>, expected: ReadonlyArray<string>, what: string): Watch =>
  same(found.toSorted().join(" "), expected.toSorted().join(" "), what)

/** Objects when a call succeeds, or fails for another reason. */
export const rejects = <A>(call: Effect.Effect<A, AdapterError>, what: string, reason?: AdapterFault): Watch =>
  Effect.flatMap(Effect.result(call), (result) =>
    result._tag === "Success"
      ? Effect.fail(new Objection({ reason: `${what} is accepted` }))
      : claim(
          reason === undefined || result.failure.reason === reason,
          `${what} fails as ${result.failure.reason} instead of ${reason ?? ""}`
        )
  )

/** How many callers there are in a race. */
export const crowd = 64

/** Lets so many callers go at once and tells what became of each. */
export const race = <A, E>(
  run: (index: number) => Effect.Effect<A, E>
): Effect.Effect<ReadonlyArray<Exit.Exit<A, E>>> =>
  Effect.forEach(
    Array.from({ length: crowd }, (_, index) => index),
    (index) => Effect.exit(run(index)),
    { concurrency: "unbounded" }
  )

/** Objects unless every caller succeeds, and one of them with an answer like this. */
export const oneAmong = <A>(
  exits: ReadonlyArray<Exit.Exit<A, unknown>>,
  isWinner: (answer: A) => boolean,
  what: string
): Effect.Effect<void, Objection> => {
  const failures = exits.filter(Exit.isFailure).length
  const winners = exits.filter((exit) => Exit.isSuccess(exit) && isWinner(exit.value)).length
  return claim(
    failures === 0 && winners === 1,
    `of ${crowd} callers who ${what}, ${failures} fail, and ${winners} are the first`
  )
}

/** Fails unless one caller won and all others got a unique violation. */
export const oneWinner = (exits: ReadonlyArray<Exit.Exit<unknown, AdapterError>>, what: string): Watch<number> =>
  Effect.gen(function* () {
    const winners = exits.flatMap((exit, index) => (Exit.isSuccess(exit) ? [index] : []))
    yield* claim(winners.length === 1, `${winners.length} of ${crowd} callers ${what}`)
    for (const exit of exits) {
      if (Exit.isSuccess(exit)) continue
      const failure = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
      yield* claim(failure?.reason === "unique", `a loser fails as ${failure?.reason ?? "a defect"} instead of unique`)
    }
    return winners[0] ?? -1
  })
