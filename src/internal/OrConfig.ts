/**
 * Options whose values may come from Effect's Config.
 *
 * A value, each member of an object and each element of a list is the value itself or a `Config` of it. `Config.Wrap` asks
 * for Configs of whole functions and lists in place of that.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { isList, isPlainObject, type Members } from "./Merge.ts"

/** Values that have no members to read from Config, functions among them. */
export type Whole =
  | bigint
  | boolean
  | Date
  | Duration.Duration
  | null
  | number
  | Redacted.Redacted<unknown>
  | string
  | symbol
  | undefined
  | URL
  | ((...args: never) => unknown)

/**
 * The same value, whose members may be Configs.
 *
 * @category models
 * @since 0.1.0
 */
export type Inside<A> = unknown extends A ? A : A extends Whole ? A : { readonly [Name in keyof A]: OrConfig<A[Name]> }

/**
 * A value, or a `Config` of it; for objects and lists also one whose members are either. Functions stay functions.
 *
 * @category models
 * @since 0.1.0
 */
export type OrConfig<A> = [A] extends [((...args: never) => unknown) | undefined] ? A : Config.Config<A> | Inside<A>

/** Options nest less deeply; a value that holds itself ends here too. */
const deepest = 8

/** What takes the place of a `Config` that fails; `path` leads to it. */
type Recover = (error: Config.ConfigError, path: ReadonlyArray<string>) => Effect.Effect<unknown, Config.ConfigError>

/**
 * Reads every `Config` inside a value. A value without one is answered as it is, the same instance. `recover` says what takes
 * the place of one that fails; by default the whole value fails.
 *
 * @category combinators
 * @since 0.1.0
 */
export const readConfig = <A>(
  given: OrConfig<A>,
  recover: Recover = Effect.fail
): Effect.Effect<A, Config.ConfigError> =>
  // Each Config is replaced by what it reads, which is what `OrConfig` says.
  readAt(given, [], recover) as Effect.Effect<A, Config.ConfigError>

const readAt = (
  value: unknown,
  path: ReadonlyArray<string>,
  recover: Recover
): Effect.Effect<unknown, Config.ConfigError> => {
  if (Config.isConfig(value)) return Effect.catch(value, (error) => recover(error, path))
  if (path.length >= deepest) return Effect.succeed(value)
  if (isList(value)) {
    return Effect.map(
      Effect.forEach(value, (one, index) => readAt(one, [...path, String(index)], recover)),
      (read) => (read.every((one, index) => one === value[index]) ? value : read)
    )
  }
  return isPlainObject(value) ? readMembers(value, path, recover) : Effect.succeed(value)
}

const readMembers = (
  members: Members,
  path: ReadonlyArray<string>,
  recover: Recover
): Effect.Effect<Members, Config.ConfigError> =>
  Effect.map(
    Effect.forEach(Object.entries(members), ([name, value]) =>
      Effect.map(readAt(value, [...path, name], recover), (read) => (read === value ? [] : [[name, read] as const]))
    ),
    (changes) => {
      const edits = changes.flat()
      return edits.length === 0 ? members : { ...members, ...Object.fromEntries(edits) }
    }
  )
