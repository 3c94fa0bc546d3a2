/**
 * No type of Effect is reachable from the entries of functions, held by the compiler: this file is compiled by `npm run typecheck`
 * and never run.
 *
 * These entries hold a copy of Effect of their own, and an application may have another one. A value that only the copy that made it
 * can open must not go in or out. The walk follows parameters, results, promises, lists and members of every exported value.
 */
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { AuthConfig } from "../../src/index.ts"
import type { Provider } from "../../src/compat/providers.ts"
import type { InternalProvider } from "../../src/compat/types.ts"
import type { OAuth2Config as ProviderOfBoth } from "../../src/Provider/Preset.ts"

/** Every entry of functions. Presets of one kind have one type of factory, so that one of each kind stands for all. */
interface Entries {
  readonly index: typeof import("../../src/index.ts")
  readonly config: AuthConfig
  readonly provider: Provider
  readonly atWork: InternalProvider
  readonly adapters: typeof import("../../src/compat/adapters.ts")
  readonly errors: typeof import("../../src/compat/errors.ts")
  readonly jwt: typeof import("../../src/compat/jwt.ts")
  readonly node: typeof import("../../src/node.ts")
  readonly oauth: typeof import("../../src/compat/providers/github.ts")
  readonly oidc: typeof import("../../src/compat/providers/keycloak.ts")
  readonly form: typeof import("../../src/compat/providers/credentials.ts")
  readonly mail: typeof import("../../src/compat/providers/email.ts")
  readonly key: typeof import("../../src/compat/providers/passkey.ts")
  readonly sqlite: typeof import("../../src/server/SqliteStore.ts")
  readonly postgres: typeof import("../../src/server/PostgresStore.ts")
  readonly redis: typeof import("../../src/server/RedisStore.ts")
  readonly testing: typeof import("../../src/testing/Promises.ts")
}

/** Classes of the platform, whose members the walk does not follow, and errors, which an application reads as `Error`. */
type Platform =
  | AbortSignal
  | ArrayBufferView
  | Date
  | Error
  | Headers
  | Map<unknown, unknown>
  | ReadableStream
  | RegExp
  | Request
  | Response
  | Set<unknown>
  | URL
  | URLSearchParams
  | NodeJS.EventEmitter
  | typeof globalThis.fetch
  | (abstract new (...params: never) => Error)

/** Does an object have a member by which a value of Effect is known? A member of the type `never` says that there is none. */
type IsOfEffect<T> = [Extract<keyof T, `~effect/${string}`>] extends [never]
  ? false
  : [T[Extract<keyof T, `~effect/${string}`>]] extends [undefined]
    ? false
    : true

/** The places of Effect's types in `T`. `Ahead` counts the steps that are left. */
type Crossings<T, Path extends string, Ahead extends ReadonlyArray<unknown>> = 0 extends 1 & T
  ? never
  : Ahead extends readonly [unknown, ...infer Rest]
    ? T extends Platform | string | number | boolean | bigint | symbol | null | undefined
      ? never
      : T extends ReadonlyArray<infer Item>
        ? Crossings<Item, `${Path}[]`, Rest>
        : T extends PromiseLike<infer Value>
          ? Crossings<Value, Path, Rest>
          : IsOfEffect<T> extends true
            ? Path
            : T extends (...params: infer Params) => infer Result
              ? Crossings<Params[number], `${Path}(…)`, Rest> | Crossings<Result, `${Path}()`, Rest>
              : string extends keyof T
                ? never
                : { [Name in keyof T & string]-?: Crossings<T[Name], `${Path}.${Name}`, Rest> }[keyof T & string]
    : never

/** From a module to what a function in a list of options answers. */
type Steps = [0, 0, 0, 0, 0, 0, 0, 0]

declare const find: <Name extends string, Entry>() => Crossings<Entry, Name, Steps>
declare const findAll: () => { [Name in keyof Entries]: Crossings<Entries[Name], Name, Steps> }[keyof Entries]
/** Takes no crossing: the message of the compiler has the places. */
declare const refuse: (place: never) => void

refuse(findAll())

/** An entry with crossings: each of these lines has to fail. */
interface Planted {
  readonly option: (options: { readonly send?: (() => Promise<void> | Effect.Effect<void>) | undefined }) => void
  readonly answer: () => Promise<ReadonlyArray<{ readonly token: Redacted.Redacted }>>
  readonly given: (options: { readonly read: (at: DateTime.Utc) => void }) => void
  readonly listed: (options: { readonly providers: ReadonlyArray<ProviderOfBoth<unknown>> }) => void
}
// @ts-expect-error "option(…).send()"
refuse(find<"option", Planted["option"]>())
// @ts-expect-error "answer()[].token"
refuse(find<"answer", Planted["answer"]>())
// @ts-expect-error "given(…).read(…)"
refuse(find<"given", Planted["given"]>())
// @ts-expect-error "listed(…).providers[].token.request()" and others
refuse(find<"listed", Planted["listed"]>())
