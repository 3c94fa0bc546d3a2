/**
 * Reads the members of WebAuthn providers, those of Auth.js and our own presets alike.
 *
 * @since 0.1.0
 */
import type * as Result from "effect/Result"
import * as ResultModule from "effect/Result"
import { InvalidConfiguration } from "../Errors.ts"
import { called, type Definition } from "./Definition.ts"
import type { Members } from "./Merge.ts"
import type { WebAuthnProvider } from "./Provider.ts"

/** Reads a WebAuthn provider. @internal */
export const webAuthnProvider = (
  definition: Definition,
  _members: Members
): Result.Result<WebAuthnProvider, InvalidConfiguration> =>
  ResultModule.fail(
    new InvalidConfiguration({
      provider: definition.id,
      detail: `${called(definition.position, definition.id)}: not read yet`
    })
  )
