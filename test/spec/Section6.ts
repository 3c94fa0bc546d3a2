/** Section 6: events. */
import type { Library } from "./Library.ts"
import { row, type Section, type } from "./Row.ts"
import { type Changes, makeSite, pick, sessionCookie } from "./Site.ts"

type Site = ReturnType<typeof makeSite>
const message = (name: string) => `Parameters<Member<Core.EventsOptions, "${name}">>[0]`
const shown = (name: string, shape: string) => `| ${name} | ${shape}`

/** The messages of an event. */
const heard = async (library: Library, name: string, act: (site: Site) => Promise<unknown>, changes: Changes = {}) => {
  const site = makeSite(library, changes)
  await act(site)
  return site.calls[`on ${name}`] ?? []
}
const withStore = (library: Library): Changes => ({ adapter: library.Adapter.toPromises(library.Adapter.makeMemory()) })
const nameOf = (value: unknown) => pick(value, "name")["name"]
const events = ["createUser", "updateUser", "linkAccount", "session", "signIn", "signOut"]

export const section6: Section = {
  number: 6,
  title: "Events",
  rows: [
    ...events.map((name) =>
      type(
        "Events are asynchronous handlers under `config.events`",
        `[Fits<() => Promise<void>, Member<Core.EventsOptions, "${name}">>, Fits<() => void, Member<Core.EventsOptions, "${name}">>]`
      )
    ),
    ...events.map((name) => type("Each is optional.", `IsOptional<Core.EventsOptions, "${name}">`)),
    row(
      "they return nothing and are meant for audit logging",
      "a handler that answers a value",
      "ann",
      async (library) => {
        const { browser } = makeSite(library, { events: { signIn: () => "anything" } })
        await browser.signIn()
        return (await browser.session())?.user?.["name"]
      }
    ),
    row("asynchronous handlers", "the sign-in waits for signIn", true, async (library) => {
      let isDone = false
      const { browser } = makeSite(library, {
        events: {
          signIn: async () => {
            await new Promise(setImmediate)
            isDone = true
          }
        }
      })
      await browser.signIn()
      return isDone
    }),
    row("Each is optional.", "events: {}", "ann", async (library) => {
      const { browser } = makeSite(library, { events: Object.fromEntries(events.map((name) => [name, undefined])) })
      await browser.signIn()
      return (await browser.session())?.user?.["name"]
    }),
    type("| createUser | `{ user: User }` |", `Is<${message("createUser")}["user"], Core.User>`),
    row("| createUser | `{ user: User }` |", "the first sign-in at acme", [["user"], "Ada"], async (library) => {
      const [first] = await heard(library, "createUser", (site) => site.byProvider(), withStore(library))
      return [Object.keys(first ?? {}), nameOf(first?.["user"])]
    }),
    type("| updateUser | `{ user: User }` |", `Is<${message("updateUser")}["user"], Core.User>`),
    row(
      "| updateUser | `{ user: User }` |",
      "a user with an address follows a link",
      [["user"], "ada@example.com"],
      async (library) => {
        const adapter = library.Adapter.toPromises(library.Adapter.makeMemory())
        await adapter.createUser?.({ id: "1", email: "ada@example.com", emailVerified: new Date(0) })
        const [first] = await heard(library, "updateUser", (site) => site.byLink(), { adapter })
        return [Object.keys(first ?? {}), pick(first?.["user"], "email")["email"]]
      }
    ),
    type(
      shown("linkAccount", "`{ account: Account"),
      `[Is<${message("linkAccount")}["account"], Core.Account>, Is<${message("linkAccount")}["profile"], Core.User | Adapters.AdapterUser>, Is<${message("linkAccount")}["user"], Core.User | Adapters.AdapterUser>]`
    ),
    row(
      shown("linkAccount", "`{ account: Account, profile: User or AdapterUser, user: User or AdapterUser }` |"),
      "the first sign-in at acme",
      [["account", "profile", "user"], "acme", "Ada", "Ada"],
      async (library) => {
        const [first] = await heard(library, "linkAccount", (site) => site.byProvider(), withStore(library))
        return [
          Object.keys(first ?? {}).sort(),
          pick(first?.["account"], "provider")["provider"],
          nameOf(first?.["profile"]),
          nameOf(first?.["user"])
        ]
      }
    ),
    type(
      shown("session", "`{ session: Session, token: JWT }`"),
      `[Is<${message("session")}["session"], Core.Session>, Is<${message("session")}["token"], Core.JWT>]`
    ),
    row(
      "one of the two is present depending on JWT or database sessions",
      "GET session, session in a cookie",
      "ann",
      async (library) => {
        const [first] = await heard(library, "session", async (site) => {
          await site.browser.signIn()
          await site.browser.session()
        })
        return nameOf(first?.["token"])
      }
    ),
    row(
      "one of the two is present depending on JWT or database sessions",
      "GET session, session in a store",
      [true, false],
      async (library) => {
        const [first] = await heard(
          library,
          "session",
          async (site) => {
            await site.byProvider()
            await site.browser.session()
          },
          withStore(library)
        )
        return [first?.["session"] !== undefined, first?.["token"] !== undefined]
      }
    ),
    type(
      shown("signIn", "`{ user: User, account?: null or Account, profile?: Profile, isNewUser?: boolean }`"),
      `[Is<${message("signIn")}["user"], Core.User>, Is<Value<${message("signIn")}, "account">, Core.Account | null>, Is<Value<${message("signIn")}, "profile">, Core.Profile>, Is<Value<${message("signIn")}, "isNewUser">, boolean>, IsOptional<${message("signIn")}, "isNewUser">]`
    ),
    row(
      shown("signIn", "`{ user: User, account?: null or Account, profile?: Profile, isNewUser?: boolean }`"),
      "the first sign-in at acme",
      ["Ada", "acme", "sub-1", true],
      async (library) => {
        const [first] = await heard(library, "signIn", (site) => site.byProvider(), withStore(library))
        return [
          nameOf(first?.["user"]),
          pick(first?.["account"], "provider")["provider"],
          pick(first?.["profile"], "sub")["sub"],
          first?.["isNewUser"]
        ]
      }
    ),
    row(
      "with a credentials provider the user is the raw provider response",
      "authorize answers a role",
      { id: "id of ann", role: "admin" },
      async (library) => {
        const [first] = await heard(library, "signIn", (site) => site.browser.signIn())
        return pick(first?.["user"], "id", "role")
      }
    ),
    row("otherwise the adapter's User", "a sign-in at acme", true, async (library) => {
      const adapter = library.Adapter.toPromises(library.Adapter.makeMemory())
      const [first] = await heard(library, "signIn", (site) => site.byProvider(), { adapter })
      return (await adapter.getUserByEmail?.("ada@example.com"))?.id === pick(first?.["user"], "id")["id"]
    }),
    type(
      shown("signOut", "`{ session: AdapterSession or null or undefined }`"),
      `[Fits<{ session: Adapters.AdapterSession | null | undefined }, ${message("signOut")}>, Fits<{ token: Core.JWT | null }, ${message("signOut")}>]`
    ),
    row(
      "`{ session: AdapterSession or null or undefined }` (database sessions)",
      "POST signout, session in a store",
      true,
      async (library) => {
        let token: string | undefined
        const [first] = await heard(
          library,
          "signOut",
          async (site) => {
            await site.byProvider()
            token = site.browser.cookies.get(sessionCookie)
            await site.browser.submit("/auth/signout")
          },
          withStore(library)
        )
        return token !== undefined && pick(first?.["session"], "sessionToken")["sessionToken"] === token
      }
    ),
    row("`{ token: JWT or null }` (JWT sessions)", "POST signout, session in a cookie", "ann", async (library) => {
      const [first] = await heard(library, "signOut", async (site) => {
        await site.browser.signIn()
        await site.browser.submit("/auth/signout")
      })
      return nameOf(first?.["token"])
    })
  ],
  silent: [{ quote: "The exact moments at which each event fires: not shown.", reason: "not shown" }],
  // Handlers of new users that are never called.
  fault: (library) => ({
    ...library,
    Auth: (request, config) =>
      library.Auth(request, { ...config, events: { ...Object(Object(config)["events"]), createUser: undefined } })
  })
}
