/**
 * Names what a provider of a configuration keeps in the memory of the process: a digest of its id, keyed with the secret.
 *
 * A configuration that is made for every request is a new object with new functions each time, with the same meaning.
 *
 * @since 0.1.0
 */
import * as Redacted from "effect/Redacted"
import { sha256 } from "./Sha256.ts"

/** The identity of a configuration, however often it is made. */
export interface Site {
  readonly basePath: string
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/**
 * The name of a scope of one provider of a site. `parts` distinguish sites of one process that share a secret and the id. The
 * host of a request is never one of them, because a visitor chooses it.
 */
export const providerScope = (
  purpose: string,
  { basePath, secrets }: Site,
  id: string,
  ...parts: ReadonlyArray<string | undefined>
): string => sha256(scopeOf(purpose, JSON.stringify([basePath, id, ...parts]), secrets[0]), "base64url")

/** The name of a scope, which shows `id` and stays in this process. `purpose` keeps two uses of one secret apart. */
export const scopeOf = (purpose: string, id: string, secret: Redacted.Redacted | undefined): string =>
  `${secret === undefined ? "" : keyOf(Redacted.value(secret))} ${purpose} ${id}`

/** Keys of {@link keyOf}, which depend on the secret alone. */
const keys = new Map<string, string>()

/** Most secrets whose key is remembered. */
const capacity = 64

const keyOf = (secret: string): string => {
  const cached = keys.get(secret)
  if (cached !== undefined) return cached
  if (keys.size >= capacity) keys.clear()
  const key = sha256(`scope key ${secret}`, "base64url")
  keys.set(secret, key)
  return key
}
