/**
 * The Promise facade: `Auth(request, config)` for every server that speaks `Request` and `Response`.
 *
 * It has no logic. The first request loads the engine, with Effect and everything that uses it, so importing this module costs next
 * to nothing.
 *
 * @since 0.1.0
 */
import type { AuthConfig } from "./compat/AuthConfig.ts"
import type { Options } from "./config/Options.ts"
import type { ResponseInternal } from "./compat/ResponseInternal.ts"
import type { raw } from "./internal/Markers.ts"
import { requireNode } from "./internal/NodeVersion.ts"
import type * as Instance from "./server/Instance.ts"

export type { AuthConfig } from "./compat/AuthConfig.ts"
export type { ResponseInternal } from "./compat/ResponseInternal.ts"

let engine: typeof Instance | undefined

/**
 * Answers a request to one of the authentication endpoints.
 *
 * With `config.raw` set to the `raw` marker the promise resolves to plain data, and rejects with the errors that Auth.js
 * throws. Configuration mistakes are answered too (status 500) and explained in the log.
 *
 * @category facade
 * @since 0.1.0
 */
export function Auth(request: Request, config: AuthConfig & { raw: typeof raw }): Promise<ResponseInternal>
export function Auth(request: Request, config: Omit<AuthConfig, "raw">): Promise<Response>
export async function Auth(request: Request, given: AuthConfig): Promise<Response | ResponseInternal> {
  if (engine === undefined) {
    requireNode()
    engine = await import("./server/Instance.ts")
  }
  const misuse = engine.answerMisuse(request, given)
  if (misuse !== undefined) return misuse
  // One object with two types: that of applications, and that of the engine, which checks every member.
  const config = given as Options
  const answer = engine.answerTo(engine.of(config), request, engine.isServerCall(config))
  return engine.deliver(answer instanceof Promise ? await answer : answer, request, config)
}
