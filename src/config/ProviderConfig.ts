/**
 * Reads the Configs among the options of providers.
 *
 * A value that is missing or not valid concerns one provider: the provider is disabled, and the error names the option and
 * the variable. A source that cannot be read at all fails the layer.
 *
 * @since 0.1.0
 */
import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import type { AnswerKind } from "../internal/Answer.ts"
import { InvalidConfiguration } from "../Errors.ts"
import { unreadOptions } from "../internal/Markers.ts"
import { nameProvider } from "../Provider/internal/Definition.ts"
import type { LayerConfigProvider, LayerProvider } from "../Provider/internal/LayerProvider.ts"
import { isPlainObject } from "../internal/Merge.ts"
import { readConfig } from "../internal/OrConfig.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The variable that a Config reads, as environment variables are named; `undefined` for a Config without a name. */
const variableOf = (error: Schema.SchemaError): string | undefined => {
  const path = format(error.issue).issues[0]?.path ?? []
  const names = path.map((segment) => String(typeof segment === "object" ? segment.key : segment))
  return names.length === 0 ? undefined : names.join("_")
}

const idOf = (provider: { readonly [member: string]: unknown }): string | undefined => {
  const options = isPlainObject(provider["options"]) ? provider["options"] : undefined
  const id = options?.["id"] ?? provider["id"]
  return typeof id === "string" ? id : undefined
}

/** What is wrong with an option; the value is not repeated, which may be a secret. */
const problemOf = (
  position: number,
  id: string | undefined,
  path: ReadonlyArray<string>,
  error: Schema.SchemaError
): InvalidConfiguration => {
  const option = path.filter((name, depth) => depth > 0 || name !== "options").join(".")
  const variable = variableOf(error)
  return new InvalidConfiguration({
    ...(id === undefined ? {} : { provider: id }),
    field: `providers.${id ?? position}.${option}`,
    detail: `${nameProvider(position, id)} takes ${option} from Config: ${variable ?? "its value"} is not set or not valid.`,
    ...(variable === undefined ? {} : { variable, fix: `Set ${variable}.` })
  })
}

const readProvider = (
  provider: LayerConfigProvider<AnswerKind>,
  position: number
): Effect.Effect<object, Config.ConfigError> =>
  Effect.suspend(() => {
    if (!isPlainObject(provider)) return Effect.succeed(provider)
    const id = idOf(provider)
    const problems: Array<InvalidConfiguration> = []
    const read = readConfig<object>(provider, (error, path) => {
      if (!Schema.isSchemaError(error.cause)) return Effect.fail(error)
      problems.push(problemOf(position, id, path, error.cause))
      return Effect.succeed(undefined)
    })
    return Effect.map(read, (complete) =>
      problems.length === 0 ? complete : { ...complete, [unreadOptions]: problems }
    )
  }).pipe(
    // What a provider throws when it is looked at is its own problem, which is found when the options are compiled.
    Effect.catchDefect(() => Effect.succeed(provider))
  )

/** The providers with what Config has for them. What is no list is found when the options are compiled. @internal */
export const readProviders = (
  providers: ReadonlyArray<LayerConfigProvider<AnswerKind>>
): Effect.Effect<ReadonlyArray<LayerProvider>, Config.ConfigError> =>
  // Each Config is replaced by what it reads; what is left are the options of a layer.
  (Array.isArray(providers) ? Effect.forEach(providers, readProvider) : Effect.succeed(providers)) as Effect.Effect<
    ReadonlyArray<LayerProvider>,
    Config.ConfigError
  >
