/** Section 3: states and transitions. */
import type { Library } from "./Library.ts"
import { row, type Section, type } from "./Row.ts"
import { type Changes, cookieOf, makeSite, origin, sessionCookie } from "./Site.ts"

const signOut = "| session exists | action `signout`, POST | always | no session |"
const change = "| session exists | action `session`, POST | always | session exists (updated) |"
const end = "| session exists | time passes beyond `session.maxAge` | | expired |"

/** A signed-in browser, with sessions in a store. */
const stored = async (library: Library) => {
  const adapter = library.Adapter.toPromises(library.Adapter.makeMemory())
  const site = makeSite(library, { adapter })
  await site.byProvider()
  return { adapter, site, token: site.browser.cookies.get(sessionCookie) ?? "" }
}
/** A signed-in browser, with sessions in cookies. */
const inCookie = async (library: Library, changes: Changes = {}) => {
  const site = makeSite(library, changes)
  await site.browser.signIn()
  return { site, token: site.browser.cookies.get(sessionCookie) ?? "" }
}
const update = async ({ browser }: ReturnType<typeof makeSite>) =>
  browser.send("POST", "/auth/session", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken: await browser.csrfToken(), data: {} })
  })
const encoded = (library: Library, claims: object, maxAge: number) =>
  library.encode({
    token: { sub: "1", name: "Ada", ...claims },
    maxAge,
    salt: sessionCookie,
    secret: String(makeSite(library).config["secret"])
  })
const sessionOf = async (library: Library, token: string, changes: Changes = {}) =>
  (
    await makeSite(library, changes).ask(
      new Request(`${origin}/auth/session`, { headers: { cookie: `${sessionCookie}=${token}` } })
    )
  ).json() as Promise<unknown>

export const section3: Section = {
  number: 3,
  title: "States and transitions",
  rows: [
    type(
      "The session strategy is fixed by configuration (section 2).",
      `Is<Member<Member<Core.AuthConfig, "session">, "strategy">, "jwt" | "database">`
    ),
    row(signOut, "POST signout, session in a cookie", null, async (library) => {
      const { site } = await inCookie(library)
      await site.browser.submit("/auth/signout")
      return site.browser.session()
    }),
    row("The session cookie is deleted", "the cookie that POST signout sets", ["", "0"], async (library) => {
      const { site } = await inCookie(library)
      const cookie = cookieOf(await site.browser.submit("/auth/signout"), "authjs.session-token")
      return [cookie?.["value"], cookie?.["max-age"]]
    }),
    row("a database session record, if any, is deleted", "POST signout, session in a store", null, async (library) => {
      const { adapter, site, token } = await stored(library)
      await site.browser.submit("/auth/signout")
      return adapter.getSessionAndUser?.(token)
    }),
    row(signOut, "POST signout without a CSRF token", true, async (library) => {
      const { site } = await inCookie(library)
      await site.browser.post("/auth/signout", {})
      return (await site.browser.session()) !== null
    }),
    row(signOut, "GET signout", true, async (library) => {
      const { site } = await inCookie(library)
      await site.browser.get("/auth/signout")
      return (await site.browser.session()) !== null
    }),
    row(change, "POST session, session in a cookie", ["ann", true], async (library) => {
      const { site, token } = await inCookie(library)
      const answer = await update(site)
      const session = (await answer.json()) as { readonly user: { readonly name: string } }
      return [session.user.name, cookieOf(answer, "authjs.session-token")?.["value"] !== token]
    }),
    row("Updated session returned.", "POST session, session in a store", "Ada", async (library) => {
      const { site } = await stored(library)
      return ((await (await update(site)).json()) as { readonly user: { readonly name: string } }).user.name
    }),
    row(end, "a token whose maxAge is over", null, async (library) =>
      sessionOf(library, await encoded(library, {}, -120))
    ),
    row(
      end,
      "a token whose maxAge is not over",
      true,
      async (library) => (await sessionOf(library, await encoded(library, {}, 120))) !== null
    ),
    row(end, "a stored session whose end is over", null, async (library) => {
      const { adapter, site, token } = await stored(library)
      await adapter.updateSession?.({ sessionToken: token, expires: new Date(Date.now() - 120_000) })
      return site.browser.session()
    }),
    row(
      "Relative expiry in seconds from the session's creation or update.",
      "maxAge: 3600; expires of the session",
      true,
      async (library) => {
        const { site } = await inCookie(library, { session: { maxAge: 3600 } })
        const expires = new Date((await site.browser.session())?.expires ?? 0).getTime()
        return Math.abs(expires - Date.now() - 3_600_000) < 60_000
      }
    ),
    row("from the session's creation or update", "an older token is read; its new end", true, async (library) => {
      const token = await encoded(library, { iat: Math.floor(Date.now() / 1000) - 1800 }, 1800)
      const session = await sessionOf(library, token, { session: { maxAge: 3600 } })
      const expires = new Date(String(Object(session)["expires"])).getTime()
      return Math.abs(expires - Date.now() - 3_600_000) < 60_000
    })
  ],
  silent: [
    { quote: "No named lifecycle states are defined", reason: "says that there is nothing" },
    { quote: "Full lifecycle of account, user and verification records.", reason: "not shown" },
    { quote: "Transitions: not shown.", reason: "not shown" }
  ],
  // A store that keeps sessions that it is told to delete.
  fault: (library) => ({
    ...library,
    Adapter: {
      ...library.Adapter,
      toPromises: (store) => ({ ...library.Adapter.toPromises(store), deleteSession: async () => null })
    }
  })
}
