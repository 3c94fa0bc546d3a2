/**
 * The values of options of providers in a layer: secrets are `Redacted`, times are durations.
 *
 * These are types only; `PlainMembers.ts` reads the values.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import type { Time } from "../../internal/Times.ts"

/** Values without members of options, functions among them. */
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

/** Members that are secrets, wherever they stand. */
export type SecretName = "apiKey" | "clientSecret" | "pass" | "secret"

/** Members that are times. `Auth` has them as Auth.js has: seconds for links, milliseconds for ceremonies. */
export type TimeName = "maxAge" | "timeout"

type Value<Name, A> = Name extends SecretName
  ? A | Redacted.Redacted
  : Name extends TimeName
    ? A | Time
    : Name extends "server"
      ? A | Redacted.Redacted
      : InLayer<A>

/** The same options, which may have the values of a layer. */
export type InLayer<A> = unknown extends A ? A : A extends Whole ? A : MembersInLayer<A>

/** Reads an object of options in this way. */
export type MembersInLayer<A> = { readonly [Name in keyof A]: Value<Name, A[Name]> }

export type Names<Shape> = Shape extends unknown ? keyof Shape : never
export type Member<Shape, Name> = Shape extends unknown ? (Name extends keyof Shape ? Shape[Name] : never) : never

/** Objects whose members have names of their own, and values that have no members to name. */
export type Free<Given, Shape> = [Names<Shape>] extends [never]
  ? true
  : string extends Names<Shape>
    ? true
    : Given extends Whole | ReadonlyArray<unknown>
      ? true
      : false

/** Members whose own members another package names. */
export type Foreign = symbol | "server"

/** Given options whose names are all known: a member that is not is a mistake, such as `clientSecrt`. */
export type Spelt<Given, Shape> = {
  readonly [Name in keyof Given]: Name extends Foreign
    ? unknown
    : Name extends Names<Shape>
      ? SpeltInside<Given[Name], Extract<Member<Shape, Name>, object>>
      : Unknown<Name, Names<Shape>>
}

/** Says that there is no such option, and which ones begin alike. */
type Unknown<Name, Known> = Name extends `${infer A}${infer B}${infer C}${string}`
  ? [Extract<Known, `${A}${B}${C}${string}`>] extends [never]
    ? "There is no such option"
    : `There is no such option. Did you mean ${Extract<Known, `${A}${B}${C}${string}`>}?`
  : "There is no such option"

type SpeltInside<Given, Shape> = Free<Given, Shape> extends true ? unknown : Spelt<Given, Shape>
