/** Section 2: the claims of session tokens and the parameters of the functions for them. */
import type { Library } from "../Library.ts"
import { members, type Row, row, type } from "../Row.ts"
import { month, origin, secret, sessionCookie } from "../Site.ts"

const salt = "spec.session-token"
const other = "other-secret-9876543210-zyxwvutsrqponmlkjihgfedcba"
const claims = { sub: "user-1", name: "Ada" }

const issue = (library: Library, more: object = {}) => library.encode({ token: claims, salt, secret, ...more })
const read = async (library: Library, token: string, more: object = {}) =>
  (await library.decode({ token, salt, secret, ...more }))?.sub ?? null
/** `null` for a token that is refused, whichever way. */
const orNull = (read: Promise<unknown>) => read.catch(() => null)
const withCookie = (token: string, name = sessionCookie) =>
  new Request(origin, { headers: { cookie: `${name}=${token}` } })
const cookieToken = (library: Library, name = sessionCookie) => issue(library, { salt: name })

const of = (shape: string) => (name: string, written: string, required: string) =>
  `| ${shape} | ${name} | ${written} | ${required} |`

const parameters: ReadonlyArray<Row> = [
  type(
    "| JWTEncodeParams | token | JWT payload | no |",
    "[Is<Value<Tokens.JWTEncodeParams, 'token'>, Core.JWT>, IsOptional<Tokens.JWTEncodeParams, 'token'>]"
  ),
  ...members(
    "Tokens.JWTEncodeParams",
    { maxAge: "number, seconds?", salt: "string", secret: "string or string[]" },
    of("JWTEncodeParams")
  ),
  type(
    "| JWTDecodeParams | token | string (issued JWT) | no |",
    "[Is<Value<Tokens.JWTDecodeParams, 'token'>, string>, IsOptional<Tokens.JWTDecodeParams, 'token'>]"
  ),
  ...members("Tokens.JWTDecodeParams", { salt: "string", secret: "string or string[]" }, of("JWTDecodeParams")),
  ...members("Tokens.JWTOptions", { maxAge: "number, seconds" }, of("JWTOptions")),
  type(
    "| JWTOptions | encode |",
    "[Fits<(given: Tokens.JWTEncodeParams) => string, Tokens.JWTOptions['encode']>, IsOptional<Tokens.JWTOptions, 'encode'>] extends [true, false] ? true : false"
  ),
  type(
    "| JWTOptions | decode |",
    "[Fits<(given: Tokens.JWTDecodeParams) => Core.JWT | null, Tokens.JWTOptions['decode']>, IsOptional<Tokens.JWTOptions, 'decode'>] extends [true, false] ? true : false"
  ),
  ...["Request", "{ headers: Record<string, string> }", "{ headers: Headers }"].map((req) =>
    type(
      "| GetTokenParams | req |",
      `[Fits<${req}, Tokens.GetTokenParams["req"]>, Is<IsOptional<Tokens.GetTokenParams, "req">, false>]`
    )
  ),
  type(
    "| GetTokenParams | raw | boolean | no | false |",
    "[Is<Value<Tokens.GetTokenParams<boolean>, 'raw'>, boolean>, IsOptional<Tokens.GetTokenParams, 'raw'>]"
  ),
  ...members(
    "Tokens.GetTokenParams",
    { cookieName: "string?", secureCookie: "boolean?", secret: "string or string[]?", salt: "string?" },
    of("GetTokenParams")
  ),
  type(
    "| GetTokenParams | decode |",
    "[Fits<(given: Tokens.JWTDecodeParams) => Core.JWT | null, Member<Tokens.GetTokenParams, 'decode'>>, IsOptional<Tokens.GetTokenParams, 'decode'>]"
  ),
  ...["Core.LoggerInstance", "Types.LoggerInstance", "Console"].map((logger) =>
    type(
      "| GetTokenParams | logger |",
      `[Fits<${logger}, Member<Tokens.GetTokenParams, "logger">>, IsOptional<Tokens.GetTokenParams, "logger">]`
    )
  )
]

const behaviour: ReadonlyArray<Row> = [
  row("| JWTEncodeParams | token |", "encode({ token: { sub }, … }), then decode", "user-1", async (library) =>
    read(library, await issue(library))
  ),
  row(
    "| JWTEncodeParams | token |",
    "encode without token",
    true,
    async (library) => (await library.decode({ token: await library.encode({ salt, secret }), salt, secret })) !== null
  ),
  row(
    "| JWTEncodeParams | maxAge | number, seconds | no | 2592000 (30 days) |",
    "exp − iat of a token without maxAge",
    month,
    async (library) => {
      const { exp = 0, iat = 0 } = (await library.decode({ token: await issue(library), salt, secret })) ?? {}
      return exp - iat
    }
  ),
  row("| JWTEncodeParams | maxAge | number, seconds", "exp − iat of a token with maxAge: 60", 60, async (library) => {
    const { exp = 0, iat = 0 } =
      (await library.decode({ token: await issue(library, { maxAge: 60 }), salt, secret })) ?? {}
    return exp - iat
  }),
  row("| JWTEncodeParams | salt |", "a token of another salt", null, async (library) =>
    orNull(read(library, await issue(library, { salt: "another" })))
  ),
  row("| JWTEncodeParams | secret |", "encode with [new, old], decode with new", "user-1", async (library) =>
    read(library, await issue(library, { secret: [secret, other] }))
  ),
  row("| JWTDecodeParams | token |", "decode without token", null, (library) => library.decode({ salt, secret })),
  row("| JWTDecodeParams | salt |", "decode with another salt", null, async (library) =>
    orNull(read(library, await issue(library), { salt: "another" }))
  ),
  row("| JWTDecodeParams | secret |", "decode with another secret", null, async (library) =>
    orNull(read(library, await issue(library), { secret: other }))
  ),
  row(
    "| GetTokenParams | req | Request",
    "getToken of a Request with the cookie",
    "user-1",
    async (library) =>
      (await library.getToken({ req: withCookie(await cookieToken(library)), secret, secureCookie: true }))?.sub
  ),
  ...[true, false].map((isRecord) =>
    row(
      "object with `headers` (record of strings, or Headers)",
      isRecord ? "headers as a record" : "headers as Headers",
      "user-1",
      async (library) => {
        const headers = { cookie: `${sessionCookie}=${await cookieToken(library)}` }
        return (
          await library.getToken({
            req: { headers: isRecord ? headers : new Headers(headers) },
            secret,
            secureCookie: true
          })
        )?.sub
      }
    )
  ),
  row("| GetTokenParams | raw | boolean | no | false |", "getToken with raw: true", true, async (library) => {
    const token = await cookieToken(library)
    return (await library.getToken({ req: withCookie(token), secret, secureCookie: true, raw: true })) === token
  }),
  row(
    "| GetTokenParams | raw | boolean | no | false |",
    "getToken without raw",
    "object",
    async (library) =>
      typeof (await library.getToken({ req: withCookie(await cookieToken(library)), secret, secureCookie: true }))
  ),
  row(
    "| GetTokenParams | cookieName |",
    "cookieName: own",
    "user-1",
    async (library) =>
      (await library.getToken({ req: withCookie(await cookieToken(library, "own"), "own"), secret, cookieName: "own" }))
        ?.sub
  ),
  row(
    "| GetTokenParams | secureCookie |",
    "secureCookie: true and the prefixed cookie",
    "user-1",
    async (library) =>
      (await library.getToken({ req: withCookie(await cookieToken(library)), secret, secureCookie: true }))?.sub
  ),
  row(
    "| GetTokenParams | secureCookie |",
    "secureCookie: false and the cookie without prefix",
    "user-1",
    async (library) =>
      (
        await library.getToken({
          req: withCookie(await cookieToken(library, "authjs.session-token"), "authjs.session-token"),
          secret,
          secureCookie: false
        })
      )?.sub
  ),
  row(
    "| GetTokenParams | secret |",
    "getToken with [new, old], a token of the old",
    "user-1",
    async (library) =>
      (
        await library.getToken({
          req: withCookie(await cookieToken(library)),
          secret: [other, secret],
          secureCookie: true
        })
      )?.sub
  ),
  row(
    "| GetTokenParams | salt |",
    "a token of the salt spec.session-token, salt given",
    "user-1",
    async (library) =>
      (await library.getToken({ req: withCookie(await issue(library)), secret, secureCookie: true, salt }))?.sub
  ),
  row(
    "| GetTokenParams | decode |",
    "decode of the application",
    "own",
    async (library) =>
      (
        await library.getToken({
          req: withCookie("any"),
          secret,
          secureCookie: true,
          decode: async () => ({ sub: "own" })
        })
      )?.sub
  ),
  row("| GetTokenParams | logger |", "a cookie that does not open, with a logger", null, async (library) =>
    library.getToken({ req: withCookie("broken"), secret, secureCookie: true, logger: { debug: () => undefined } })
  ),
  row(
    "the first secret that decrypts the JWT is used",
    "decode with [new, old], a token of the old",
    "user-1",
    async (library) => read(library, await issue(library), { secret: [other, secret] })
  ),
  row(
    "the newest secret goes first and is used for all new sessions",
    "encode with [new, old], decode with old alone",
    null,
    async (library) => orNull(read(library, await issue(library, { secret: [other, secret] })))
  )
]

const inline = (name: string, written: string) => `\`${name}\` ${written}`

export const tokenRows: ReadonlyArray<Row> = [
  type("JWT (DefaultJWT)", "[Fits<Tokens.DefaultJWT, Core.JWT>, Fits<Core.JWT, Tokens.DefaultJWT>]"),
  ...members(
    "Tokens.DefaultJWT",
    {
      email: "null or string?",
      name: "null or string?",
      picture: "null or string?",
      sub: "string?",
      exp: "number?",
      iat: "number?",
      jti: "string?"
    },
    inline
  ),
  type("Any further key allowed (unknown).", "Is<Core.JWT['any_claim'], unknown>"),
  row(
    "`sub` string; `exp` number; `iat` number; `jti` string",
    "the claims of a token",
    ["string", "number", "number", "string"],
    async (library) => {
      const { exp, iat, jti, sub } = (await library.decode({ token: await issue(library), salt, secret })) ?? {}
      return [sub, exp, iat, jti].map((value) => typeof value)
    }
  ),
  row(
    "Any further key allowed (unknown).",
    "a token with a claim of the application",
    { roles: ["a"] },
    async (library) =>
      (await library.decode({ token: await issue(library, { token: { own: { roles: ["a"] } } }), salt, secret }))?.[
        "own"
      ]
  ),
  ...parameters,
  ...behaviour
]
