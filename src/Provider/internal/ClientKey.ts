/**
 * What is particular to platforms that know a client by the form member `client_key`: their token requests, and the error
 * object that they answer instead of a profile.
 *
 * @since 0.1.0
 */
import { parseUrl } from "./WebAddress.ts"

type Fetch = typeof globalThis.fetch

const addressOf = (input: Parameters<Fetch>[0]): string => (input instanceof Request ? input.url : String(input))

/**
 * Wraps a `fetch`: requests whose path ends with `/token/` are sent as a form with `client_key` in it; all others pass as
 * they are.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withClientKey =
  (clientKey: string) =>
  (inner: Fetch): Fetch =>
  (input, init) => {
    const address = addressOf(input)
    if (parseUrl(address)?.pathname.endsWith("/token/") !== true) return inner(input, init)
    const original = input instanceof Request ? input.clone() : undefined
    const body = init?.body ?? undefined
    const send = (text: string): Promise<Response> => {
      const form = new URLSearchParams(text)
      form.set("client_key", clientKey)
      const headers = new Headers(init?.headers ?? original?.headers)
      headers.delete("content-length")
      headers.set("content-type", "application/x-www-form-urlencoded")
      return inner(address, {
        ...(original === undefined ? undefined : { redirect: original.redirect, signal: original.signal }),
        ...init,
        method: init?.method ?? original?.method ?? "POST",
        headers: Object.fromEntries(headers),
        body: form.toString()
      })
    }
    if (typeof body === "string" || body instanceof URLSearchParams) return send(String(body))
    if (body === undefined && original === undefined) return send("")
    return (body === undefined ? original : new Response(body))?.text().then(send) ?? send("")
  }

type ReadRefusal = (answer: unknown) => Error | undefined

const refusal: unique symbol = Symbol.for("effect-doorman/refusal")

/** A profile function that carries how its platform words refusals. @internal */
export const withRefusal = <F extends object>(profile: F, read: ReadRefusal): F & { readonly [refusal]: ReadRefusal } =>
  Object.assign(profile, { [refusal]: read } as const)

const hasRefusal = (profile: object): profile is { readonly [refusal]: ReadRefusal } => refusal in profile

/** How the platform of a profile function words its refusals, if it has words of its own. @internal */
export const refusalOf = (profile: object): ReadRefusal | undefined =>
  hasRefusal(profile) ? profile[refusal] : undefined
