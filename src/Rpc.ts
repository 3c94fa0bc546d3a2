/**
 * The door for `effect/rpc`: the session and the user of a message, by the headers that it came with.
 *
 * Messages may come over anything, so nothing is renewed here: no cookie could be set. Over HTTP the headers of a message are
 * those of its request, with what the client wrote into the message; for cookies provide `Http.layerSameSite` to the route,
 * which looks at the request itself.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Found } from "./access/Reading.ts"
import { NotSignedIn, type SessionUnavailable } from "./AccessProblem.ts"
import { Doorman } from "./Doorman.ts"
import { lookUp } from "./http/Lookup.ts"
import { perDoorman } from "./http/PerDoorman.ts"
import { readSession } from "./http/ServerRequest.ts"
import { type CookieHeader, parseCookieHeader } from "./internal/CookieHeader.ts"
import { within } from "./ServicesHere.ts"
import {
  type OptionalSession as Optional,
  type RequireSession as Required,
  type RpcAccess,
  standard
} from "./RpcAccess.ts"

export { make, OptionalSession, RequireSession, type RpcAccess } from "./RpcAccess.ts"

/**
 * Puts the middlewares of an access to work.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerFor = <Id extends string, User, Members>({
  access,
  OptionalSession,
  RequireSession
}: RpcAccess<Id, User, Members>): Layer.Layer<Optional<Id> | Required<Id>, never, Doorman> => {
  const look = Effect.fnUntraced(function* (doorman: Doorman["Service"], headers: Headers.Headers) {
    const found = yield* search(doorman, headers)
    return found === undefined ? Option.none() : Option.some(yield* access.read(found, doorman.services))
  })
  return perDoorman(() =>
    Layer.effectContext(
      Effect.gen(function* () {
        const doorman = yield* Doorman
        const inPlace = yield* within
        const required = RequireSession.of((call, { headers }) =>
          Effect.flatMap(inPlace(look(doorman, headers)), (found) =>
            Option.isNone(found)
              ? Effect.fail(new NotSignedIn({}))
              : Effect.provideContext(
                  call,
                  Context.make(access.CurrentSession, found.value).pipe(
                    Context.add(access.CurrentUser, found.value.user)
                  )
                )
          )
        )
        const optional = OptionalSession.of((call, { headers }) =>
          Effect.flatMap(inPlace(look(doorman, headers)), (found) =>
            Effect.provideService(call, access.MaybeSession, found)
          )
        )
        return Context.make(RequireSession, required).pipe(Context.add(OptionalSession, optional))
      })
    )
  )
}

/**
 * The middlewares of the library's own user at work.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Optional<"effect-doorman"> | Required<"effect-doorman">, never, Doorman> =
  layerFor(standard)

/** Looks a session up by headers alone. */
const search = (
  { servicesHere, settings }: Doorman["Service"],
  headers: Headers.Headers
): Effect.Effect<Found | undefined, SessionUnavailable> =>
  Effect.suspend(() => {
    const cookies = parseCookieHeader(textOf(headers["cookie"]))
    // The transport is not known. A browser sends a cookie with this prefix over https alone (RFC 6265bis section 4.1.3).
    const isSecure = hasCookie(cookies, settings.secureCookies.sessionToken.name)
    const url = new URL(settings.hosts.origin ?? (isSecure ? "https://localhost" : "http://localhost"))
    const authorization = textOf(headers["authorization"])
    const request = readSession(url, cookies, () => headersOf(headers))
    return Effect.map(
      Effect.flatMap(servicesHere, (services) =>
        lookUp(settings, services, request, { authorization, renewal: "never" })
      ),
      ({ found }) => found
    )
  })

/** A client may write into its messages what it likes. */
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Those headers of a message that could be headers of a request. */
const headersOf = (headers: Headers.Headers): globalThis.Headers =>
  new globalThis.Headers(
    Object.entries<unknown>(headers).flatMap(([name, value]): Array<[string, string]> =>
      fieldName.test(name) && typeof value === "string" && fieldValue.test(value) ? [[name, value]] : []
    )
  )

/** RFC 9110 sections 5.1 and 5.5. */
const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Is the cookie there, whole or in chunks? */
const hasCookie = ({ values }: CookieHeader, name: string): boolean => values.has(name) || values.has(`${name}.0`)
