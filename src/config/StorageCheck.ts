/**
 * What the storage of a layer lacks, as far as the types of its options say it.
 *
 * The types say it for an adapter that `Adapter.make` made and for an object of promises, when the kind of a provider and the
 * strategy of sessions are literals. Everything else is found when the layer is built: `MissingAdapterMethods`.
 */
import type * as Effect from "effect/Effect"
import type { StorageNeeds } from "./StorageNeeds.ts"
import type { AdapterMethod, authJsMethods } from "../storage/AdapterShape.ts"

/** The methods of an adapter; every method where its type does not say which. */
type Has<Store> =
  Store extends Effect.Effect<infer Made, infer _E, infer _R>
    ? Has<Made>
    : Store extends { readonly methods: ReadonlySet<infer Method> }
      ? Method
      : Store extends object
        ? keyof Store
        : AdapterMethod

/** What one provider needs, when its type is one kind of provider. */
type OfProvider<Provider, Strategy> = Provider extends (options: never) => infer Made
  ? OfProvider<Made, Strategy>
  : Provider extends { readonly type: infer Type }
    ? {
        [Kind in keyof StorageNeeds]: [Type] extends [Kind]
          ? Kind extends "credentials"
            ? Strategy extends "database"
              ? StorageNeeds["databaseCredentials"]
              : never
            : StorageNeeds[Kind]
          : never
      }[keyof StorageNeeds]
    : never

/** With an adapter sessions are in the database, unless the options say otherwise. */
type StrategyOf<Sessions> = [Sessions] extends [{ readonly strategy: "jwt" }]
  ? "jwt"
  : [Sessions] extends [{ readonly strategy: "database" } | { readonly strategy?: undefined } | undefined]
    ? "database"
    : "unknown"

type Lacks<Providers extends ReadonlyArray<unknown>, Store, Strategy> = Exclude<
  OfProvider<Providers[number], Strategy> | (Strategy extends "database" ? StorageNeeds["database"] : never),
  Has<Store>
>

/** The names of these methods in one text: the compiler shortens a union, and never a text. */
type Listed<Methods extends ReadonlyArray<unknown>, Lacking, Text extends string = ""> = Methods extends readonly [
  infer Method extends string,
  ...infer Others
]
  ? Listed<Others, Lacking, Method extends Lacking ? (Text extends "" ? Method : `${Text}, ${Method}`) : Text>
  : Text

/** The kind of a provider; of a factory, that of the provider that it makes. */
type KindOf<Provider> = [Provider] extends [(options: never) => infer Made]
  ? KindOf<Made>
  : [Provider] extends [{ readonly type: infer Type }]
    ? Type
    : unknown

/** What needs an adapter, where the providers are written one by one. */
type Needing<Providers extends ReadonlyArray<unknown>, Sessions> = [Sessions] extends [
  { readonly strategy: "database" }
]
  ? "Sessions in a database need an adapter"
  : number extends Providers["length"]
    ? never
    : {
        [Place in keyof Providers]: [KindOf<Providers[Place]>] extends ["email"]
          ? "Providers of type email need an adapter"
          : [KindOf<Providers[Place]>] extends ["webauthn"]
            ? "Providers of type webauthn need an adapter"
            : never
      }[number]

/** Anything, or an option that no value is: its type says what the compiler shows. */
type Refusal<Text> = [Text] extends [never] ? unknown : { readonly adapter: Text }

/**
 * Anything, or an adapter that no value satisfies, where the adapter is missing or lacks a method.
 *
 * @category models
 * @since 0.1.0
 */
export type StorageCheck<Providers extends ReadonlyArray<unknown>, Store, Sessions> = 0 extends 1 & Store
  ? unknown
  : [unknown] extends [Store]
    ? Refusal<Needing<Providers, Sessions>>
    : [Store] extends [undefined]
      ? Refusal<Needing<Providers, Sessions>>
      : [Lacks<Providers, Store, StrategyOf<Sessions>>] extends [never]
        ? unknown
        : {
            readonly adapter: `The adapter lacks ${Listed<typeof authJsMethods, Lacks<Providers, Store, StrategyOf<Sessions>>>}`
          }
