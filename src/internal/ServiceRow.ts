/**
 * One row for each service: its key, and how it is made from the services above it. A composition and the public layer of a
 * service are both made from its row.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** How one service is made. */
export interface Row<out Id, out Service, out Needs> {
  readonly key: string
  readonly make: (context: Context.Context<Needs>) => Service
  /** For the type alone. */
  readonly provides?: Id
}

/** A row that is known by its shape only. */
export type AnyRow = Row<unknown, unknown, unknown>

/** The services that the rows make. */
export type Provided<Rows extends ReadonlyArray<AnyRow>> = Rows[number] extends infer Each
  ? Each extends Row<infer Id, unknown, unknown>
    ? Id
    : never
  : never

/** The services that the rows need and no row above makes. */
export type Missing<Rows extends ReadonlyArray<AnyRow>, Above = never> = Rows extends readonly [
  Row<infer Id, unknown, infer Needs>,
  ...infer Rest extends ReadonlyArray<AnyRow>
]
  ? Exclude<Needs, Above> | Missing<Rest, Above | Id>
  : never

/** Makes a row. */
export const row = <Id, Service, Needs = never>(
  key: Context.Key<Id, Service>,
  make: (context: Context.Context<Needs>) => NoInfer<Service>
): Row<Id, Service, Needs> => ({ key: key.key, make })

/** The services of a composition, in its own context: code that runs there has not been given these services by the application. */
const Composed = Context.Service<ReadonlyMap<string, unknown>>("effect-doorman/internal/Row/Composed")

/** A context without the services that a composition made: what is left of them the application provides. */
export const ofApplication = <Services>(context: Context.Context<Services>): Context.Context<never> => {
  const composition = Option.getOrUndefined(Context.getOption(context, Composed))
  if (composition === undefined) return context
  return Context.makeUnsafe(
    new Map([...context.mapUnsafe].filter(([key, service]) => composition.get(key) !== service))
  )
}

/** The service of a row as a layer. */
export const layer = <Id, Service, Needs>({ key, make }: Row<Id, Service, Needs>): Layer.Layer<Id, never, Needs> =>
  Layer.effectContext(
    Effect.contextWith((context: Context.Context<Needs>) =>
      Effect.sync(() => Context.makeUnsafe<Id>(new Map([[key, make(context)]])))
    )
  )

/**
 * Makes the services of the rows, in their order, on top of `base`. A service of `given` takes precedence over its row, for
 * every key: what is below it in the list is made with it.
 */
export const compose =
  <const Rows extends ReadonlyArray<AnyRow>>(...rows: Rows) =>
  <Base>(
    base: Context.Context<Base | Missing<Rows>>,
    given: ReadonlyMap<string, unknown>
  ): Context.Context<Base | Missing<Rows> | Provided<Rows>> => {
    const services = new Map<string, unknown>(base.mapUnsafe)
    // Missing says that each row finds what it needs.
    const context = Context.makeUnsafe<unknown>(services)
    services.set(Composed.key, services)
    for (const { key, make } of rows) services.set(key, given.has(key) ? given.get(key) : make(context))
    return context
  }
