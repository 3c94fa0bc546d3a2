/**
 * Options of `Auth` as options of a layer: secrets redacted, times as durations. Many tests hold both faces to one behaviour.
 */
import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import type { Options } from "../src/config/Options.ts"
import type { DoormanJwt, DoormanOptions, DoormanSession } from "../src/composition/DoormanOptions.ts"

type Differing = "cookies" | "jwt" | "retiredSecrets" | "secret" | "session"

/** These options for a layer: the members that differ between the faces are converted. */
export type ForLayer<Given> = Omit<Given, Differing> & Pick<DoormanOptions, Differing>

/** The options of a layer, with the members that differ as `Auth` takes them. */
export type PlainOptions = Omit<DoormanOptions, Differing> & Pick<Options, Differing>

const redact = (value: unknown): unknown =>
  typeof value === "string" ? Redacted.make(value) : Array.isArray(value) ? value.map(redact) : value

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const changed = (name: string, value: unknown): unknown => {
  if (name === "secret") return redact(value)
  if (name === "maxAge" || name === "absoluteMaxAge" || name === "updateAge") {
    return typeof value === "number" && !Number.isNaN(value) ? Duration.seconds(value) : value
  }
  return value
}

const members = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(name, one)])) : value

/** Overrides of cookies, whose attributes hold a time. */
const overrides = (cookies: unknown): unknown =>
  isObject(cookies)
    ? Object.fromEntries(
        Object.entries(cookies).map(([name, one]: [string, unknown]) => [
          name,
          isObject(one) && "options" in one ? { ...one, options: members(one.options) } : one
        ])
      )
    : cookies

export const forLayer = <Given extends object>(options: Given): ForLayer<Given> => {
  const { cookies, jwt, retiredSecrets, secret, session, ...rest }: Given & { readonly [Name in Differing]?: unknown } =
    options
  return {
    ...rest,
    ...(secret === undefined ? {} : { secret: redact(secret) as NonNullable<DoormanOptions["secret"]> }),
    ...(retiredSecrets === undefined
      ? {}
      : {
          retiredSecrets: (Array.isArray(retiredSecrets) ? retiredSecrets.map(members) : retiredSecrets) as NonNullable<
            DoormanOptions["retiredSecrets"]
          >
        }),
    ...(cookies === undefined ? {} : { cookies: overrides(cookies) as NonNullable<DoormanOptions["cookies"]> }),
    ...(session === undefined ? {} : { session: members(session) as DoormanSession }),
    ...(jwt === undefined ? {} : { jwt: members(jwt) as DoormanJwt })
  }
}
