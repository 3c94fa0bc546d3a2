/**
 * The provider that a request names.
 *
 * @since 0.1.0
 */
import * as Result from "effect/Result"
import type { Settings } from "../config/Settings.ts"
import { type AuthError, InvalidProvider, recognise, UnexpectedError } from "../Errors.ts"
import type { AuthRequest } from "../http/AuthRequest.ts"
import type { Provider } from "../Provider/internal/Provider.ts"

/**
 * Finds the provider of the request; an unknown id is the client's mistake.
 *
 * @category combinators
 * @since 0.1.0
 */
export const findProvider = (
  { providers }: Settings["Service"],
  { providerId }: AuthRequest["Service"]
): Result.Result<Provider, AuthError> =>
  providerId === undefined
    ? Result.fail(new InvalidProvider({ detail: "The path names no provider" }))
    : Result.mapError(
        providers.get(providerId),
        (failure) => recognise(failure) ?? new UnexpectedError({ cause: failure })
      )
