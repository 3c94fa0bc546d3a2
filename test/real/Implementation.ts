/**
 * The library under test, chosen in one place: ours, or `@auth/core` when DOORMAN_IMPL=peer, which proves that the test
 * kit itself can complete a sign-in.
 */
import type { AuthConfig } from "../../src/index.ts"

/** The settings that both take. */
export type Config = AuthConfig

/** Is the peer under test? Then only what both libraries promise can be expected. */
export const isPeer = process.env["DOORMAN_IMPL"] === "peer"

const chosen: { readonly Auth: (request: Request, config: never) => Promise<Response> } = isPeer
  ? await import("@auth/core")
  : await import("../../src/index.ts")

/** `Auth(request, config)` of the library under test. */
export const auth = (request: Request, config: Config): Promise<Response> =>
  // The two libraries declare the same configuration in types of their own, and Auth.js knows no `origin`.
  chosen.Auth(request, (isPeer ? { ...config, trustHost: true } : config) as never)

/** A secret that is long enough for every purpose. */
export const testSecret = "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz"
