/**
 * Answers of the library as answers of Effect's HTTP server, and its cookies on answers of the application.
 *
 * @since 0.1.0
 */
import * as Cookies from "effect/http/Cookies"
import * as Duration from "effect/Duration"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Result from "effect/Result"
import type { AuthResponse } from "../http/AuthResponse.ts"
import { bodyText } from "../http/AuthResponse.ts"
import { encodedValue, type ResponseCookie, variantOf } from "../http/Cookie.ts"

/** The answer, with the same status, headers, cookies and body that a web `Response` of it has. */
export const toServerResponse = (response: AuthResponse): HttpServerResponse.HttpServerResponse => {
  const { cookies, headers, redirect, status } = response
  const options = { cookies: headerOf(cookies) }
  if (redirect !== undefined) {
    return HttpServerResponse.empty({
      ...options,
      status: status ?? 302,
      headers: { ...headers, location: redirect }
    })
  }
  const text = bodyText(response)
  return text === null
    ? HttpServerResponse.empty({ ...options, status: status ?? 200, headers })
    : HttpServerResponse.text(text, {
        ...options,
        status: status ?? 200,
        headers,
        ...(headers["content-type"] === undefined ? {} : { contentType: headers["content-type"] })
      })
}

/**
 * Sets cookies on an answer of the application. What that answer sets itself under the same name stays, and no cache may
 * keep an answer that sets a cookie.
 */
export const withCookies = (
  response: HttpServerResponse.HttpServerResponse,
  cookies: Iterable<ResponseCookie>
): HttpServerResponse.HttpServerResponse => {
  const additions = [...cookies].filter(({ name }) => !Object.hasOwn(response.cookies.cookies, name))
  if (additions.length === 0) return response
  const cacheControl = response.headers["cache-control"]
  const withCookies = HttpServerResponse.updateCookies(response, (known) => Cookies.merge(known, headerOf(additions)))
  return cacheControl !== undefined && /\b(?:no-store|private)\b/i.test(cacheControl)
    ? withCookies
    : HttpServerResponse.setHeader(withCookies, "cache-control", "private, no-store")
}

/**
 * Effect keeps one cookie for each key. The last of a name has the name for a key, as it always has; others of that name
 * differ in domain or path and have keys of their own.
 */
const headerOf = (cookies: ReadonlyArray<ResponseCookie>): Cookies.Cookies => {
  const last = new Map(cookies.map((cookie) => [cookie.name, cookie]))
  return Cookies.fromReadonlyRecord(
    Object.fromEntries(
      cookies.flatMap((cookie) =>
        cookieOf(cookie).map((made) => [last.get(cookie.name) === cookie ? cookie.name : variantOf(cookie), made])
      )
    )
  )
}

/** A cookie that Effect cannot write was refused when the configuration was compiled. */
const cookieOf = (cookie: ResponseCookie): ReadonlyArray<Cookies.Cookie> => {
  const { domain, expires, httpOnly, maxAge, partitioned, path, priority, sameSite, secure } = cookie.options
  const result = Cookies.makeCookie(cookie.name, cookie.value, {
    ...(domain === undefined ? {} : { domain }),
    ...(expires === undefined ? {} : { expires }),
    ...(httpOnly === true ? { httpOnly } : {}),
    ...(maxAge === undefined ? {} : { maxAge: Duration.seconds(Math.floor(maxAge)) }),
    ...(partitioned === true ? { partitioned } : {}),
    ...(path === undefined ? {} : { path }),
    ...(priority === undefined ? {} : { priority }),
    ...(sameSite === undefined || sameSite === false ? {} : { sameSite: sameSite === true ? "strict" : sameSite }),
    ...(secure === true ? { secure } : {})
  })
  return Result.isFailure(result) ? [] : [Object.assign(result.success, { valueEncoded: encodedValue(cookie) })]
}
