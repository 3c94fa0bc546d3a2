/**
 * What the storage of a layer lacks, as far as the types of its options say it.
 *
 * The types say it for an adapter that `Adapter.make` made and for an object of promises, when the kind of a provider and the
 * strategy of sessions are literals. Everything else is found when the layer is built: `MissingAdapterMethods`.
 */
import type * as Effect from "effect/Effect"
import type { StorageNeeds } from "./StorageNeeds.ts"
import type { AdapterMethod } from "../storage/AdapterShape.ts"

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

/** Anything, or an option that no value is where the adapter lacks a method. The compiler then shows the names. */
export type StorageCheck<Providers extends ReadonlyArray<unknown>, Store, Sessions> = [unknown] extends [Store]
  ? unknown
  : [Store] extends [undefined]
    ? unknown
    : [Lacks<Providers, Store, StrategyOf<Sessions>>] extends [never]
      ? unknown
      : { readonly adapter: { readonly "The adapter lacks": Lacks<Providers, Store, StrategyOf<Sessions>> } }
