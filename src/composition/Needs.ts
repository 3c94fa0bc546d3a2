/**
 * What functions of an application require, read off their types.
 *
 * One type parameter for the requirements of several functions would have to be guessed from all of them at once, and the
 * compiler takes the first. Read off the functions themselves, none is lost.
 *
 * The types of `Doorman.layer` use this one, so no tag may keep it, or the import below, out of the declarations.
 */
import type * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type * as Scope from "effect/Scope"

/** What the Effects that a function answers require. Every request has a scope for the call, and in a server itself. */
type NeedsOf<Function> = Function extends (...params: never) => infer Answer
  ? 0 extends 1 & Answer
    ? never
    : Answer extends Effect.Effect<unknown, unknown, infer R>
      ? // A factory that is not called yet has no requirement of its own: its parameters are unknown.
        unknown extends R
        ? never
        : Exclude<R, HttpServerRequest | Scope.Scope>
      : never
  : never

/** What a function of this name requires. */
type Member<Given, Name extends string> = Given extends { readonly [_ in Name]?: infer Function }
  ? NeedsOf<Function>
  : never

/** What the functions of an endpoint require. */
type Endpoint<Given, Name extends string> = Given extends { readonly [_ in Name]?: infer Handler }
  ? Member<Handler, "request"> | Member<Handler, "conform">
  : never

type Functions<Provider> =
  | Endpoint<Provider, "token">
  | Endpoint<Provider, "userinfo">
  | Member<Provider, "authorize">
  | Member<Provider, "generateVerificationToken">
  | Member<Provider, "getRelayingParty">
  | Member<Provider, "getUserInfo">
  | Member<Provider, "normalizeIdentifier">
  | Member<Provider, "profile">
  | Member<Provider, "sendVerificationRequest">

/**
 * What the functions of a provider require, and those that the application gave its factory.
 *
 * @category models
 * @since 0.1.0
 */
export type NeedsOfProvider<Provider> = Provider extends (options: never) => infer Made
  ? NeedsOfProvider<Made>
  : Functions<Provider> | (Provider extends { readonly options?: infer Options } ? Functions<Options> : never)

/**
 * What the Effects of all these functions require.
 *
 * @category models
 * @since 0.1.0
 */
export type Needs<Functions> = Functions extends object ? NeedsOf<Functions[keyof Functions]> : never
