/** Section 8: limits. */
import type { Library } from "./Library.ts"
import { row, type Section } from "./Row.ts"
import { claimsOf, day, makeSite, month, secret, sessionCookie } from "./Site.ts"

const near = (value: number, wanted: number) => Math.abs(value - wanted) < 60

/** Was a stored session of this age renewed when it was read? */
const isRenewed = async (library: Library, age: number, session: object = {}) => {
  const adapter = library.Adapter.toPromises(library.Adapter.makeMemory())
  const site = makeSite(library, { adapter, session: { strategy: "database", ...session } })
  await site.byProvider()
  const sessionToken = site.browser.cookies.get(sessionCookie) ?? ""
  const expires = new Date(Date.now() + (month - age) * 1000)
  await adapter.updateSession?.({ sessionToken, expires })
  await site.browser.session()
  return ((await adapter.getSessionAndUser?.(sessionToken))?.session.expires.getTime() ?? 0) > expires.getTime()
}

export const section8: Section = {
  number: 8,
  title: "Limits",
  rows: [
    row(
      "| JWT maxAge (encode default and JWTOptions) | 2592000 seconds (30 days) |",
      "exp − iat of encode()",
      month,
      async (library) => {
        const { exp = 0, iat = 0 } =
          (await library.decode({ token: await library.encode({ salt: "s", secret }), salt: "s", secret })) ?? {}
        return exp - iat
      }
    ),
    row(
      "| JWT maxAge (encode default and JWTOptions) | 2592000 seconds (30 days) |",
      "maxAge that jwt.encode of the application is given",
      month,
      async (library) => {
        let given: unknown
        const site = makeSite(library, {
          jwt: {
            encode: (params: { readonly maxAge?: number }) => ((given = params.maxAge), "token"),
            decode: () => null
          }
        })
        await site.browser.signIn()
        return given
      }
    ),
    row("| Session maxAge | 2592000 seconds |", "expires of a session in a cookie", true, async (library) => {
      const { browser } = makeSite(library)
      await browser.signIn()
      return near((new Date((await browser.session())?.expires ?? 0).getTime() - Date.now()) / 1000, month)
    }),
    row("| Session maxAge | 2592000 seconds |", "exp of a session in a cookie", true, async (library) => {
      const { browser } = makeSite(library)
      await browser.signIn()
      return near(((await claimsOf(library, browser))?.exp ?? 0) - Date.now() / 1000, month)
    }),
    row("| Session updateAge | 86400 seconds;", "a stored session of a day and a minute is read", true, (library) =>
      isRenewed(library, day + 60)
    ),
    row("| Session updateAge | 86400 seconds;", "a stored session of a day less a minute is read", false, (library) =>
      isRenewed(library, day - 60)
    ),
    row("0 means update on every access", "updateAge: 0, a stored session of a minute is read", true, (library) =>
      isRenewed(library, 60, { updateAge: 0 })
    )
  ],
  silent: [{ quote: "Rate limits, size limits and request quotas: not shown.", reason: "not shown" }],
  // A day that has half its hours.
  fault: (library) => ({
    ...library,
    Auth: (request, config) =>
      library.Auth(request, { ...config, session: { updateAge: day / 2, ...Object(Object(config)["session"]) } })
  })
}
