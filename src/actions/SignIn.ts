/**
 * The sign-in action: begins the method of the provider, or shows the form of the sign-in page.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Csrf } from "../browser/Csrf.ts"
import { Settings } from "../config/Settings.ts"
import type { AuthError } from "../Errors.ts"
import { AuthRequest, field } from "../http/AuthRequest.ts"
import type * as AuthResponse from "../http/AuthResponse.ts"
import type { FailureWithCookies } from "../http/AuthResponse.ts"
import { guard } from "../session/CsrfGuard.ts"
import { findProvider, showForm } from "../signin/SignInMethod.ts"
import { methodOf, type MethodServices } from "./MethodTable.ts"

type Services = AuthRequest | Csrf | MethodServices | Settings

/**
 * `POST signin/‹provider›`: starts an attempt. Without a provider the answer is the address of the sign-in page.
 *
 * @category actions
 * @since 0.1.0
 */
export const signIn: Effect.Effect<AuthResponse.AuthResponse, AuthError | FailureWithCookies, Services> =
  Effect.contextWith((context: Context.Context<Services>) => {
    const request = Context.get(context, AuthRequest)
    if (request.providerId === undefined) return Effect.andThen(guard(), showForm)
    const provider = findProvider(Context.get(context, Settings), request)
    if (Result.isFailure(provider)) return Effect.fail(provider.failure)
    const { success: chosen } = provider
    return Effect.flatMapEager(guard(), () => methodOf(chosen.type).begin(chosen, field(request, "account") === "new"))
  })
