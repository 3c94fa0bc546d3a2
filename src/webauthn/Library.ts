/**
 * The package that verifies what authenticators sign, `@simplewebauthn/server`, loaded when the first ceremony begins.
 *
 * It is the application's to install: who has no WebAuthn provider needs none of it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { InvalidConfiguration } from "../Errors.ts"
import { load as installed } from "../internal/PasskeyLibrary.ts"
import { isMembers } from "../internal/Merge.ts"

/** The package and its parts. @internal */
export interface Library {
  readonly server: typeof import("@simplewebauthn/server")
  readonly parts: typeof import("@simplewebauthn/server/helpers")
}

const missing = (cause: unknown): InvalidConfiguration =>
  new InvalidConfiguration({
    detail: "WebAuthn providers need the package @simplewebauthn/server, version 14",
    fix: "Install it beside this one: npm install @simplewebauthn/server@14",
    cause
  })

/** What is used of the package; the last two came with version 14. */
const functions = [
  "generateAuthenticationOptions",
  "generateRegistrationOptions",
  "verifyAuthenticationResponse",
  "verifyRegistrationResponse",
  "SimpleWebAuthnError",
  "getDefaultSupportedAlgorithmIDs"
]

/** Code cannot inspect the types of a package; the library assumes those of the version that has these functions. */
const isLibrary = (loaded: unknown): loaded is Library => {
  if (!isMembers(loaded)) return false
  const { parts, server } = loaded
  return (
    isMembers(server) &&
    functions.every((name) => typeof server[name] === "function") &&
    isMembers(server["SettingsService"]) &&
    isMembers(parts) &&
    isMembers(parts["isoCBOR"]) &&
    isMembers(parts["isoBase64URL"])
  )
}

/** Loads the package; the failure names it. `load` stands for it in tests. @internal */
export const make = (load: () => Promise<unknown> = installed): Effect.Effect<Library, InvalidConfiguration> =>
  Effect.filterOrFail(Effect.tryPromise({ try: load, catch: missing }), isLibrary, () =>
    missing("The installed version is another one")
  )
