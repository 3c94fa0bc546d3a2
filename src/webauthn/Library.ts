/**
 * The package that verifies what authenticators sign, `@simplewebauthn/server`, loaded when the first ceremony begins.
 *
 * It is the application's to install: who has no WebAuthn provider needs none of it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { InvalidConfiguration } from "../Errors.ts"

/** The package and its parts. @internal */
export interface Library {
  readonly server: typeof import("@simplewebauthn/server")
  readonly parts: typeof import("@simplewebauthn/server/helpers")
}

const missing = (cause: unknown): InvalidConfiguration =>
  new InvalidConfiguration({
    detail: "WebAuthn providers need the package @simplewebauthn/server, version 14: install it beside this one",
    cause
  })

/** Loads the package; the failure names it. `load` stands for it in tests. @internal */
export const make = (load: () => Promise<Library> = installed): Effect.Effect<Library, InvalidConfiguration> =>
  Effect.filterOrFail(
    Effect.tryPromise({ try: load, catch: missing }),
    ({ server }) => "getDefaultSupportedAlgorithmIDs" in server && "SimpleWebAuthnError" in server,
    () => missing("The installed version is an earlier one")
  )

const installed = (): Promise<Library> =>
  Promise.all([import("@simplewebauthn/server"), import("@simplewebauthn/server/helpers")]).then(
    ([server, parts]): Library => ({ server, parts })
  )
