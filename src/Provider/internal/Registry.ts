/**
 * All providers of a configuration: who they are, what is wrong with them, and each of them by its id.
 *
 * A registry belongs to one configuration. Building it calls each factory once and reads each provider once. A provider with
 * a problem is disabled: it keeps its id and its name, and every use of it returns the problem. The others work.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { DuplicateConditionalUi, InvalidConfiguration, InvalidProvider } from "../../Errors.ts"
import { nameProvider, define, type Definition, type Identity } from "./Definition.ts"
import { examine, type NormaliseContext } from "./Normalise.ts"
import type { ProviderProblem } from "./Problems.ts"
import type { Provider } from "./Provider.ts"
import { hasConditionalUi } from "./WebAuthnMembers.ts"

/**
 * The providers of one configuration.
 *
 * @category models
 * @since 0.1.0
 */
export interface Registry {
  /** Identities with a name, in the order of the configuration. */
  readonly identities: ReadonlyArray<Identity>
  /** Who has this id; nothing of it is read. */
  readonly identity: (id: string) => Identity | undefined
  /** The provider of this id; the first of its problems when it is disabled. */
  readonly get: (id: string) => Result.Result<Provider, InvalidProvider | ProviderProblem>
  /** The problems of single providers; reads each of them. */
  readonly problems: () => ReadonlyArray<ProviderProblem>
  /** Providers with the id of an earlier one. */
  readonly duplicates: ReadonlyArray<InvalidConfiguration>
}

const duplicate = (definition: Definition): InvalidConfiguration =>
  new InvalidConfiguration({
    provider: definition.id,
    field: `providers.${definition.id}`,
    detail: `${nameProvider(definition.position, definition.id)} has the id of an earlier provider: both would share one redirect URI (RFC 9700 section 4.4).`,
    fix: "Give one of them another id, and register its callback URL with the provider."
  })

/** A browser fills in passkeys in only one form of a page. */
const rivals = (definitions: ReadonlyArray<Definition>): ReadonlyMap<Definition, ReadonlyArray<ProviderProblem>> => {
  const [, ...more] = definitions.filter(hasConditionalUi)
  return new Map(
    more.map((definition) => [
      definition,
      [
        new DuplicateConditionalUi({
          provider: definition.id,
          field: `providers.${definition.id}.enableConditionalUI`,
          detail: `${nameProvider(definition.position, definition.id)}: an earlier provider has conditional UI already`
        })
      ]
    ])
  )
}

/** Providers may have members that throw when they are read. */
const attempt = <A, E, F>(read: () => Result.Result<A, E>, failed: (cause: unknown) => F): Result.Result<A, E | F> =>
  Result.flatMap(Result.try({ try: read, catch: failed }), (result) => result)

const unreadable = (position: number, id: string | undefined, cause: unknown): InvalidConfiguration =>
  new InvalidConfiguration({
    ...(id === undefined ? { field: "providers" } : { provider: id, field: `providers.${id}` }),
    detail: `${nameProvider(position, id)} could not be read`,
    cause
  })

/**
 * Builds the registry of a list of providers.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (inputs: ReadonlyArray<unknown>, context: NormaliseContext = {}): Registry => {
  const definitions = new Map<string, Definition>()
  const identities: Array<Definition> = []
  const withoutId: Array<ProviderProblem> = []
  const duplicates: Array<InvalidConfiguration> = []
  inputs.forEach((input, position) => {
    const definition = attempt(
      () => define(input, position),
      (cause) => unreadable(position, undefined, cause)
    )
    if (Result.isFailure(definition)) withoutId.push(definition.failure)
    else if (definitions.has(definition.success.id)) duplicates.push(duplicate(definition.success))
    else {
      definitions.set(definition.success.id, definition.success)
      identities.push(definition.success)
    }
  })
  let rejections: ReturnType<typeof rivals> | undefined
  const whole: NormaliseContext = {
    ...context,
    rejections: (definition) => {
      rejections ??= rivals(identities)
      return [...(rejections.get(definition) ?? []), ...(context.rejections?.(definition) ?? [])]
    }
  }
  const examinations = new Map<Definition, Examined>()
  const examineOnce = (definition: Definition): Examined => {
    const before = examinations.get(definition)
    if (before !== undefined) return before
    const result = attempt(
      () => examine(definition, whole),
      (cause): readonly [ProviderProblem] => [unreadable(definition.position, definition.id, cause)]
    )
    examinations.set(definition, result)
    return result
  }
  return {
    identities,
    identity: (id) => definitions.get(id),
    get: (id) => {
      const definition = definitions.get(id)
      return definition === undefined
        ? Result.fail(unknownProvider(identities))
        : Result.mapError(examineOnce(definition), ([problem]): ProviderProblem => problem)
    },
    problems: () => [
      ...withoutId,
      ...identities.flatMap((definition): ReadonlyArray<ProviderProblem> => {
        const result = examineOnce(definition)
        return Result.isFailure(result) ? result.failure : []
      })
    ],
    duplicates
  }
}

type Examined = ReturnType<typeof examine>

/**
 * The same registry with every provider disabled, for one reason.
 *
 * @category combinators
 * @since 0.1.0
 */
export const disable = (registry: Registry, reason: ProviderProblem): Registry => ({
  ...registry,
  get: (id) => (registry.identity(id) === undefined ? registry.get(id) : Result.fail(reason))
})

/** What a client asked for is not repeated: it may be anything. */
const unknownProvider = (known: ReadonlyArray<{ readonly id: string }>): InvalidProvider =>
  new InvalidProvider({
    detail: `No provider has this id. Known ids: ${known.map((one) => one.id).join(", ")}`
  })
