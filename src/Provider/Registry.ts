/**
 * All providers of a configuration: who they are, what is wrong with them, and each of them by its id.
 *
 * A registry belongs to one configuration. Building it calls each factory once and reads only names; a provider's options are
 * read when that provider is first asked for, and never again.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import { DuplicateConditionalUi, InvalidConfiguration, InvalidProvider } from "../Errors.ts"
import { called, define, type Definition, type Identity } from "./Definition.ts"
import { normalise, type NormaliseContext } from "./Normalise.ts"
import { problems as problemsOfProvider, type ProviderProblem } from "./Problems.ts"
import type { Provider } from "./Provider.ts"
import { hasConditionalUi } from "./WebAuthnMembers.ts"

/**
 * The providers of one configuration.
 *
 * @category models
 * @since 0.1.0
 */
export interface Registry {
  /** Those that have a name, in the order of the configuration. */
  readonly identities: ReadonlyArray<Identity>
  /** Who has this id; nothing of it is read. */
  readonly identity: (id: string) => Identity | undefined
  /** The provider of this id. */
  readonly get: (id: string) => Result.Result<Provider, InvalidProvider | ProviderProblem>
  /** Everything wrong with the providers, computed when first asked for. */
  readonly problems: () => ReadonlyArray<ProviderProblem>
}

const duplicate = (definition: Definition): InvalidConfiguration =>
  new InvalidConfiguration({
    provider: definition.id,
    field: `providers.${definition.id}`,
    detail: `${called(definition.position, definition.id)} has the id of an earlier provider: both would share one redirect URI (RFC 9700 section 4.4).`
  })

/** A browser fills in one form of a page with keys, whichever that is. */
const rivals = (definitions: Iterable<Definition>): ReadonlyArray<DuplicateConditionalUi> => {
  const [, ...more] = [...definitions].filter(hasConditionalUi)
  return more.map(
    (definition) =>
      new DuplicateConditionalUi({
        provider: definition.id,
        field: `providers.${definition.id}`,
        detail: `${called(definition.position, definition.id)}: an earlier provider has conditional UI already`
      })
  )
}

/**
 * Builds the registry of a list of providers.
 *
 * @category constructors
 * @since 0.1.0
 */
export const make = (inputs: ReadonlyArray<unknown>, context: NormaliseContext = {}): Registry => {
  const definitions = new Map<string, Definition>()
  const unnamed: Array<ProviderProblem> = []
  inputs.forEach((input, position) => {
    const defined = define(input, position)
    if (Result.isFailure(defined)) unnamed.push(defined.failure)
    else if (definitions.has(defined.success.id)) unnamed.push(duplicate(defined.success))
    else definitions.set(defined.success.id, defined.success)
  })
  const known = new Map<string, Result.Result<Provider, ProviderProblem>>()
  let problems: ReadonlyArray<ProviderProblem> | undefined

  return {
    identities: [...definitions.values()],
    identity: (id) => definitions.get(id),
    get: (id) => {
      const provider = known.get(id)
      if (provider !== undefined) return provider
      const definition = definitions.get(id)
      if (definition === undefined) return Result.fail(new InvalidProvider({ detail: "No provider has this id." }))
      const normalised = normalise(definition, context)
      known.set(id, normalised)
      return normalised
    },
    problems: () => {
      problems ??= [
        ...unnamed,
        ...rivals(definitions.values()),
        ...[...definitions.values()].flatMap((definition) => problemsOfProvider(definition, 0, context.surroundings))
      ]
      return problems
    }
  }
}
