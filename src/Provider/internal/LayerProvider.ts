/**
 * Providers of a layer, and what the compiler refuses of them: plain secrets, times in plain numbers, misspelt members.
 *
 * Factories serve both faces. They take the values of either and keep the type of what they were given, so that `Auth`
 * refuses what only a layer can read, and a layer refuses a plain secret. A member that a type declares as optional, as the
 * provider objects of Auth.js do, says nothing about what was given: it is taken as it is.
 *
 * @since 0.1.0
 */
import type { AnswerKind } from "../../internal/Answer.ts"
import type { Foreign, Free, InLayer, Member, Names, SecretName, TimeName, Whole } from "./LayerValues.ts"
import type { CommonProviderOptions, ProviderObject } from "./ProviderOptions.ts"

/**
 * What `providers` of `Doorman.layer` takes: provider objects, and factories that are called without options.
 *
 * @category models
 * @since 0.1.0
 */
export type LayerProvider<Kind extends AnswerKind = "effect" | "value"> =
  | InLayer<ProviderObject<Kind>>
  | ((options: never) => CommonProviderOptions)

/** Is such a value among these? What may be anything is not. */
type Holds<Given, Refused> = 0 extends 1 & Given ? false : [Extract<Given, Refused>] extends [never] ? false : true

/** What is wrong with one option of a layer. A member that is declared as optional says nothing about what was given. */
type Fault<Name, Given> = Name extends SecretName
  ? Holds<Given, string> extends true
    ? `${Name}: a secret is Redacted in a layer`
    : never
  : Name extends TimeName
    ? Holds<Given, number> extends true
      ? `${Name}: a time is a duration in a layer, such as "8 hours"`
      : never
    : Name extends "server"
      ? Holds<Given, string> extends true
        ? `${Name}: a connection URL is Redacted in a layer`
        : Faults<Given>
      : Name extends "options"
        ?
            | Faults<Given>
            | (Given extends { readonly credentials?: infer Fields } ? Passwords<NonNullable<Fields>> : never)
        : Name extends "authenticationOptions" | "auth" | "registrationOptions"
          ? Faults<Given>
          : never

/** Password fields of a form; those that are redacted may stay. */
type Passwords<Fields> = {
  [Name in keyof Fields]-?: {} extends Pick<Fields, Name>
    ? never
    : Fields[Name] extends { readonly type: "password" }
      ? Fields[Name] extends { readonly redacted: true }
        ? never
        : `${Name & string}: a password is redacted in a layer, by Credentials({ credentials: { ${Name & string}: { redacted: true } } })`
      : never
}[keyof Fields]

/** What is wrong with options: a plain secret, or a time in plain numbers. */
type Faults<Given> = Given extends Whole | ReadonlyArray<unknown>
  ? never
  : { [Name in keyof Given]-?: {} extends Pick<Given, Name> ? never : Fault<Name, Given[Name]> }[keyof Given]

/** Members of a provider object whose names are not known; those of a factory were checked by the factory. */
type Misspelt<Provider> = Provider extends { readonly options: unknown }
  ? never
  : Provider extends { readonly type: infer Type }
    ? MisspeltIn<Provider, Extract<ProviderObject<AnswerKind>, { readonly type: Type }>>
    : never

type MisspeltIn<Given, Shape> =
  Free<Given, Shape> extends true
    ? never
    : {
        [Name in keyof Given]-?: Name extends Foreign
          ? never
          : Name extends Names<Shape>
            ? MisspeltIn<Given[Name], Extract<Member<Shape, Name>, object>>
            : `${Name & string}: there is no such option`
      }[keyof Given]

/** A provider object with a form: the type of its `authorize` has texts alone. */
type OwnForm<Provider> = Provider extends { readonly options: unknown }
  ? never
  : Provider extends { readonly credentials: infer Fields }
    ? Passwords<{ readonly [Name in keyof Fields]: Omit<Fields[Name], "redacted"> }>
    : never

type FaultsOf<Provider> = Provider extends (options: never) => infer Made
  ? Faults<Made>
  : Faults<Provider> | Misspelt<Provider> | OwnForm<Provider>

/**
 * Anything, or providers that no value is where one has a plain secret, a plain time or a misspelt member.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProviderChecks<Providers extends ReadonlyArray<unknown>> {
  // The places count where there is a fault alone: the compiler compares lists of places slowly.
  readonly providers: [FaultsOf<Providers[number]>] extends [never]
    ? unknown
    : { readonly [Place in keyof Providers]: Refusal<FaultsOf<Providers[Place]>> }
}

/** Anything, or the fault. */
type Refusal<Fault> = [Fault] extends [never] ? unknown : Fault
