/**
 * The implementations of the `Auth(request, config)` contract that the differential tests drive.
 *
 * An implementation is only what a framework package uses of it: the entry function and its markers. Nothing here knows
 * which of them is ours, so that the harness can be proved with Auth.js alone.
 */
import * as peerModule from "@auth/core"

/** A configuration as the corpus writes it: the option names of the contract, values unchecked. */
export type Config = Record<PropertyKey, unknown>

/** The harness's interface of an implementation. */
export interface Implementation {
  readonly name: string
  readonly Auth: (request: Request, config: Config) => Promise<unknown>
  readonly setEnvDefaults: (environment: Readonly<Record<string, string>>, config: Config, quiet?: boolean) => void
  readonly raw: symbol
  readonly skipCSRFCheck: symbol
  readonly customFetch: symbol
}

interface AuthModule {
  readonly Auth: unknown
  readonly setEnvDefaults: unknown
  readonly raw: unknown
  readonly skipCSRFCheck: unknown
  readonly customFetch: unknown
}

// The corpus feeds configurations that the static types of either side would refuse (that is its purpose), so the entry
// function is taken at its runtime shape here, once.
const fromModule = (name: string, module: AuthModule): Implementation => ({
  name,
  Auth: module.Auth as Implementation["Auth"],
  setEnvDefaults: module.setEnvDefaults as Implementation["setEnvDefaults"],
  raw: module.raw as symbol,
  skipCSRFCheck: module.skipCSRFCheck as symbol,
  customFetch: module.customFetch as symbol
})

/** `@auth/core` as installed. */
export const peer: Implementation = fromModule("@auth/core", peerModule)

/** The library under test. */
export const ours = async (): Promise<Implementation> => {
  const module: AuthModule = await import("../../src/index.ts")
  return fromModule("effect-doorman", module)
}

/** An implementation that answers like `base` but for one alteration: what the harness must find. */
export const altered = (
  base: Implementation,
  change: (response: Response, request: Request) => Response
): Implementation => ({
  ...base,
  name: `${base.name}, altered`,
  Auth: async (request, config) => {
    const answer = await base.Auth(request, config)
    return answer instanceof Response ? change(answer, request) : answer
  }
})
