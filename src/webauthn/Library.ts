/**
 * The package that verifies what authenticators sign, `@simplewebauthn/server`, loaded when the first ceremony begins.
 *
 * It is the application's to install: who has no WebAuthn provider needs none of it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { InvalidConfiguration } from "../Errors.ts"
import { isMembers } from "../internal/Merge.ts"
import type { WebAuthnProvider } from "../Provider/internal/Provider.ts"

/** The package and its helpers. @internal */
export type Library = readonly [
  server: typeof import("@simplewebauthn/server"),
  helpers: typeof import("@simplewebauthn/server/helpers")
]

const missing = (cause: unknown): InvalidConfiguration =>
  new InvalidConfiguration({
    detail: "WebAuthn providers need the package @simplewebauthn/server, version 14",
    fix:
      "Install it beside this one: npm install @simplewebauthn/server@14. " +
      "Where a bundler leaves it out, start from Passkey() of effect-doorman/providers/passkey, which brings it along.",
    cause
  })

/** The used functions of the package; the last two came with version 14. */
const functions = [
  "generateAuthenticationOptions",
  "generateRegistrationOptions",
  "verifyAuthenticationResponse",
  "verifyRegistrationResponse",
  "SimpleWebAuthnError",
  "getDefaultSupportedAlgorithmIDs"
]

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** Code cannot inspect the types of a package; the library assumes those of the version that has these functions. */
const isLibrary = (loaded: unknown): loaded is Library => {
  const [server, helpers] = isList(loaded) ? loaded : []
  return (
    isMembers(server) &&
    functions.every((name) => typeof server[name] === "function") &&
    isMembers(server["SettingsService"]) &&
    isMembers(helpers) &&
    isMembers(helpers["isoCBOR"]) &&
    isMembers(helpers["isoBase64URL"])
  )
}

/** Loads the package as its provider says; the failure names it. @internal */
export const libraryOf = ({ simpleWebAuthn: load }: WebAuthnProvider): Effect.Effect<Library, InvalidConfiguration> =>
  Effect.filterOrFail(Effect.tryPromise({ try: load, catch: missing }), isLibrary, () =>
    missing("The installed version is another one")
  )
