/**
 * Names what a provider of a configuration keeps in the memory of the process: a digest of its id, keyed with the secret.
 *
 * Configurations that are made for every request are other objects with other functions each time, and mean the same.
 *
 * @since 0.1.0
 */
import * as Redacted from "effect/Redacted"
import { sha256 } from "./Sha256.ts"

/** What a configuration is known by, however often it is made. */
export interface Site {
  readonly basePath: string
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/**
 * The name of a scope of one provider of a site. The text of `code`, the provider's own function, tells sites of one process
 * apart that share a secret and the id: it stays the same where the function is made for every request. The host of a
 * request says nothing here, because a visitor writes it.
 */
export const providerScope = (
  purpose: string,
  { basePath, secrets }: Site,
  id: string,
  code: ((...given: never) => unknown) | undefined
): string =>
  scopeOf(
    purpose,
    JSON.stringify([basePath, id, code === undefined ? "" : Function.prototype.toString.call(code)]),
    secrets[0]
  )

/** The name of a scope. `purpose` keeps two uses of one provider apart. */
export const scopeOf = (purpose: string, id: string, secret: Redacted.Redacted | undefined): string => {
  const key = secret === undefined ? "" : sha256(`scope key ${Redacted.value(secret)}`, "base64url")
  return sha256(`${key} ${purpose} ${id}`, "base64url")
}
