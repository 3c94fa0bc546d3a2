/**
 * A provider as it was given, looked at just far enough to name it: id, name, type and style.
 *
 * Factories are called here, once, and nowhere else. Whatever is wrong with the given value (a factory that throws or
 * answers a Promise, a value that is no provider, an id that cannot stand in a path) is a typed failure that names the
 * provider. The meaning of the rest is read by `ReadProvider.ts`, when the provider is first used.
 *
 * @since 0.1.0
 */
import { NodeInspectSymbol } from "effect/Inspectable"
import { symbolRedactable } from "effect/Redactable"
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../../Errors.ts"
import { isEndpoint } from "../../http/AuthAction.ts"
import { isConform, isCustomFetch, isFromOptions, isPlatformLogo } from "../../internal/Markers.ts"
import { isObjectName } from "../../internal/OwnProperty.ts"
import type { ProviderType } from "../../Models.ts"
import { isMembers, isPlainObject } from "../../internal/Merge.ts"
import type { Members } from "../../internal/Merge.ts"
import { revealMembers } from "./PlainMembers.ts"
import type { ProviderStyle } from "./Provider.ts"

/**
 * What is known of a provider without reading its options.
 *
 * @category models
 * @since 0.1.0
 */
export interface Identity {
  readonly id: string
  readonly name: string
  readonly type: ProviderType
  readonly style: ProviderStyle | undefined
  /** Is the option set by which the sign-out ends the session at the provider too? Whether it can be, only the whole provider says. */
  readonly hasLogout: boolean
}

/** The adaptations that a preset can ask for. @category models @since 0.1.0 */
export type Platform = "apple" | "microsoft-entra-id" | "salesforce" | "client-key"

/**
 * A provider as it was given, taken apart.
 *
 * @category models
 * @since 0.1.0
 */
export interface Definition extends Identity {
  /** Place in the list of providers, from 0. */
  readonly position: number
  /** The members of the preset, or of the object that the application wrote. */
  readonly preset: Members
  /** What the application gave the factory of the preset; wins. */
  readonly options: Members
  /** Which adaptation the platform needs; independent of a custom id. */
  readonly platform: Platform | undefined
  /** Replaces `fetch`, given by the application. */
  readonly fetch: typeof globalThis.fetch | undefined
}

/** How failures speak of a provider. @internal */
export const nameProvider = (position: number, id?: unknown): string =>
  typeof id === "string" && isProviderId(id) ? `Provider "${id}" (providers[${position}])` : `providers[${position}]`

const invalid = (detail: string, provider?: string, cause?: unknown): InvalidConfiguration =>
  new InvalidConfiguration({
    detail,
    ...(provider === undefined ? { field: "providers" } : { provider, field: `providers.${provider}` }),
    ...(cause === undefined ? undefined : { cause })
  })

const idPattern = /^[A-Za-z0-9._~-]{1,128}$/

/**
 * May this be the id of a provider? It stands in paths and names members of objects, so it consists of unreserved characters
 * (RFC 3986 section 2.3), is no dot segment, no name of an action and no name that every object has.
 *
 * @category guards
 * @since 0.1.0
 */
export const isProviderId = (id: string): boolean =>
  idPattern.test(id) &&
  id !== "." &&
  id !== ".." &&
  id !== "undefined" &&
  id !== "null" &&
  !isEndpoint(id) &&
  !isObjectName(id)

const isThenable = (value: object): boolean => "then" in value && typeof value.then === "function"

/** Calls a factory, once; anything else is answered as it is. */
const built = (input: unknown, position: number): Result.Result<Members, InvalidConfiguration> => {
  const where = nameProvider(position)
  const value: Result.Result<unknown, InvalidConfiguration> =
    typeof input === "function"
      ? Result.try({
          // A factory is any function that answers a provider when it is given no options.
          try: () => (input as (options: Members) => unknown)({}),
          catch: (cause) => invalid(`${where}: the factory threw.`, undefined, cause)
        })
      : Result.succeed(input)
  return Result.flatMap(value, (value) => {
    if (!isMembers(value)) return Result.fail(invalid(`${where} is not a provider object.`))
    if (isThenable(value)) {
      // Nothing else reads the result.
      Promise.resolve(value).then(undefined, () => undefined)
      return Result.fail(invalid(`${where} is a Promise: await it before it is configured.`))
    }
    return Result.succeed(value)
  })
}

/** The member whose key is a marker, of this copy of the library or of another. */
const findMarker = (members: Members, isMarker: (key: symbol) => boolean): unknown => {
  for (const key of Object.getOwnPropertySymbols(members)) {
    if (isMarker(key)) return Reflect.get(members, key)
  }
  return undefined
}

const isFetch = (value: unknown): value is typeof globalThis.fetch => typeof value === "function"

const isPlatform = (marker: unknown): marker is Platform =>
  marker === "apple" || marker === "microsoft-entra-id" || marker === "salesforce" || marker === "client-key"

const platformOf = (preset: Members): Platform | undefined => {
  const marker = findMarker(preset, isConform)
  if (isPlatform(marker)) return marker
  if (marker === undefined || marker === false) return undefined
  if (preset["id"] === "apple" || preset["issuer"] === "https://appleid.apple.com") return "apple"
  return "microsoft-entra-id"
}

const fetchOf = (preset: Members, options: Members) => {
  const optionFetch = findMarker(options, isCustomFetch)
  if (isFetch(optionFetch)) return optionFetch
  const presetFetch = findMarker(preset, isCustomFetch)
  return isFetch(presetFetch) ? presetFetch : undefined
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** The `d` of an SVG path (SVG 2 section 9.3): commands and numbers, nothing that could end the attribute. */
const isOutline = (value: unknown): value is string =>
  typeof value === "string" && value.length < 16_384 && /^[MmZzLlHhVvCcSsQqTtAa0-9 ,.+-]+$/.test(value)

const styleOf = (members: Members, given: unknown): ProviderStyle | undefined => {
  const preset = members["style"]
  const outline = findMarker(members, isPlatformLogo)
  const drawn = isOutline(outline) ? { outline } : undefined
  if (!isPlainObject(preset) && !isPlainObject(given)) return drawn
  const read = (name: "logo" | "brandColor" | "bg" | "text") =>
    text(isPlainObject(given) ? given[name] : undefined) ?? text(isPlainObject(preset) ? preset[name] : undefined)
  return { logo: read("logo"), brandColor: read("brandColor"), bg: read("bg"), text: read("text"), ...drawn }
}

const types: ReadonlySet<unknown> = new Set<ProviderType>(["oauth", "oidc", "email", "credentials", "webauthn"])
const isType = (value: unknown): value is ProviderType => types.has(value)

const none: Members = Object.freeze({})

const isComputation = (value: unknown): value is (options: Members, given: Members) => unknown =>
  typeof value === "function"

/** What the environment filled in beside the options that the application gave. */
const filledBeside = (preset: Members): Members =>
  Object.fromEntries(
    ["clientId", "clientSecret", "issuer"].flatMap((name) => (preset[name] === undefined ? [] : [[name, preset[name]]]))
  )

/** The preset with the members that it computes, now that its options are complete. */
const complete = (preset: Members, options: Members): Members => {
  const compute = findMarker(preset, isFromOptions)
  const additions = isComputation(compute)
    ? compute(revealMembers({ ...filledBeside(preset), ...options }), preset)
    : undefined
  if (!isPlainObject(additions)) return preset
  const definite = Object.entries(additions).filter(([, value]) => value !== undefined)
  return { ...preset, ...Object.fromEntries(definite) }
}

const isDefinition = (input: unknown): input is Definition => input instanceof Taken

/** Marks what has been taken apart already, so that no factory is called twice. */
class Taken implements Definition {
  readonly id: string
  readonly name: string
  readonly type: ProviderType
  readonly style: ProviderStyle | undefined
  readonly position: number
  readonly preset: Members
  readonly options: Members
  constructor(preset: Members, options: Members, id: string, type: ProviderType, position: number) {
    this.id = id
    this.name = text(options["name"]) ?? text(preset["name"]) ?? id
    this.type = type
    this.style = styleOf(preset, options["style"])
    this.position = position
    this.preset = preset
    this.options = options
  }
  get hasLogout(): boolean {
    const { options, preset, type } = this
    const isSet = () => (options["logout"] ?? preset["logout"] ?? undefined) !== undefined
    // One that cannot be read is judged with the whole provider.
    return type === "oidc" && Result.getOrElse(Result.try(isSet), () => true)
  }
  // Read with the provider, which most requests do not ask for.
  get platform(): Platform | undefined {
    return platformOf(this.preset)
  }
  get fetch(): typeof globalThis.fetch | undefined {
    return fetchOf(this.preset, this.options)
  }
  // Options hold secrets as the application wrote them: a printed definition does not show them.
  toJSON(): Omit<Identity, "hasLogout"> {
    return { id: this.id, name: this.name, type: this.type, style: this.style }
  }
  [NodeInspectSymbol](): Omit<Identity, "hasLogout"> {
    return this.toJSON()
  }
  [symbolRedactable](): Omit<Identity, "hasLogout"> {
    return this.toJSON()
  }
}

/**
 * Takes a provider apart: an object, a factory, or a definition (answered as it is). `position` is its place in the list.
 *
 * @category constructors
 * @since 0.1.0
 */
export const define = (input: unknown, position = 0): Result.Result<Definition, InvalidConfiguration> => {
  if (isDefinition(input)) return Result.succeed(input)
  return Result.flatMap(built(input, position), (given) => {
    const options = isMembers(given["options"]) ? given["options"] : none
    const preset = complete(given, options)
    const id = options["id"] ?? preset["id"]
    const type = preset["type"]
    if (typeof given["default"] === "function") {
      const detail = `${nameProvider(position)} is a module, not a provider: import * as took all of it.`
      const fix = 'Write import GitHub from "effect-doorman/providers/github", without * as.'
      return Result.fail(new InvalidConfiguration({ field: "providers", detail, fix }))
    }
    if (typeof id !== "string" || !isProviderId(id)) {
      return Result.fail(
        invalid(
          `${nameProvider(position)} needs an id of letters, digits, ".", "_", "~" and "-" that is not a reserved word.`
        )
      )
    }
    if (!isType(type)) {
      return Result.fail(invalid(`${nameProvider(position, id)} needs a type: "oauth", "oidc" or "credentials".`, id))
    }
    return Result.succeed(new Taken(preset, options, id, type, position))
  })
}
