/** Section 2: callbacks. */
import type { Library } from "../Library.ts"
import { type Row, row, type } from "../Row.ts"
import { type Changes, claimsOf, destinationOf, makeSite, origin, pick, profile } from "../Site.ts"

const params = (name: string) => `Parameters<Member<Core.CallbacksOptions, "${name}">>[0]`
const returns = (name: string) => `Member<Core.CallbacksOptions, "${name}">`
const quotes = {
  signIn: "| signIn | account (null or Account)",
  redirect: "| redirect | url (string",
  jwt: "| jwt | token (JWT)",
  session: "| session | session (Session)"
}

const types: ReadonlyArray<Row> = [
  ...["true", "false", "'/path'", "Promise<boolean>", "Promise<string>"].map((answer) =>
    type("Callbacks (all may return a promise)", `Fits<() => ${answer}, ${returns("signIn")}>`)
  ),
  type(quotes.signIn, `Is<Value<${params("signIn")}, "account">, Core.Account | null>`),
  type(quotes.signIn, `Fits<Member<${params("signIn")}, "credentials">, Record<string, unknown>>`),
  type(quotes.signIn, `Is<Value<${params("signIn")}, "email">, { verificationRequest?: boolean }>`),
  type(quotes.signIn, `Is<Value<${params("signIn")}, "profile">, Core.Profile>`),
  type(quotes.signIn, `Is<${params("signIn")}["user"], Core.User | Adapters.AdapterUser>`),
  type(quotes.redirect, `Fits<{ url: string; baseUrl: string }, ${params("redirect")}>`),
  type(
    quotes.redirect,
    `[Fits<() => string, ${returns("redirect")}>, Fits<() => Promise<string>, ${returns("redirect")}>]`
  ),
  type(quotes.jwt, `Is<${params("jwt")}["token"], Core.JWT>`),
  type(quotes.jwt, `Is<${params("jwt")}["user"], Core.User | Adapters.AdapterUser>`),
  type(quotes.jwt, `Is<Value<${params("jwt")}, "account">, Core.Account | null>`),
  type(quotes.jwt, `Is<Value<${params("jwt")}, "profile">, Core.Profile>`),
  type(quotes.jwt, `Is<Value<${params("jwt")}, "trigger">, "signIn" | "signUp" | "update">`),
  type(quotes.jwt, `Is<Value<${params("jwt")}, "isNewUser">, boolean>`),
  type(quotes.jwt, `Is<${params("jwt")}["session"], any>`),
  type(
    quotes.jwt,
    `[Fits<() => Core.JWT, ${returns("jwt")}>, Fits<() => null, ${returns("jwt")}>, Fits<() => Promise<null>, ${returns("jwt")}>]`
  ),
  type(quotes.session, `Fits<${params("session")}["session"], Core.Session>`),
  type(quotes.session, `Is<${params("session")}["token"], Core.JWT>`),
  type(quotes.session, `Is<${params("session")}["user"], Adapters.AdapterUser>`),
  type(quotes.session, `Is<${params("session")}["newSession"], any>`),
  type(quotes.session, `Is<Value<${params("session")}, "trigger">, "update">`),
  type(
    quotes.session,
    `[Fits<() => Core.Session, ${returns("session")}>, Fits<() => Types.DefaultSession, ${returns("session")}>, Fits<() => Promise<Core.Session>, ${returns("session")}>]`
  )
]

type Params = Record<string, unknown>

/** The answer of each callback that changes nothing. */
const unchanged = {
  signIn: () => true,
  redirect: ({ url }: Params) => url,
  jwt: ({ token }: Params) => token,
  session: ({ session }: Params) => session
}

/** The arguments of a callback, call by call. */
const given = async (
  library: Library,
  name: keyof typeof unchanged,
  act: (site: ReturnType<typeof makeSite>) => Promise<unknown>,
  changes: Changes = {},
  answer: (params: Params) => unknown = unchanged[name]
) => {
  const calls: Array<Params> = []
  const site = makeSite(library, {
    callbacks: { [name]: (params: Params) => (calls.push(params), answer(params)) },
    ...changes
  })
  await act(site)
  return calls
}
const accepted = { status: 302, path: "/", error: null }
const denied = { status: 302, path: "/auth/error", error: "AccessDenied" }
const answered = async (library: Library, signIn: () => unknown) =>
  destinationOf(await makeSite(library, { callbacks: { signIn } }).byProvider())

const signIn: ReadonlyArray<Row> = [
  row(
    quotes.signIn,
    "a sign-in at acme",
    { account: "acme", profile: profile["sub"], user: "Ada" },
    async (library) => {
      const [params] = await given(library, "signIn", (site) => site.byProvider())
      return {
        account: pick(params?.["account"], "provider")["provider"],
        profile: pick(params?.["profile"], "sub")["sub"],
        user: pick(params?.["user"], "name")["name"]
      }
    }
  ),
  row(
    "credentials (record of CredentialInput; credentials provider)",
    "a sign-in with a password",
    "ann",
    async (library) => {
      const [params] = await given(library, "signIn", (site) => site.browser.signIn())
      return pick(params?.["credentials"], "username")["username"]
    }
  ),
  row("true continues sign-in.", "signIn answers true", accepted, (library) => answered(library, () => true)),
  row("all may return a promise", "signIn answers a promise of true", accepted, (library) =>
    answered(library, async () => true)
  ),
  row("false or a thrown error stops it and redirects to the error page.", "signIn answers false", denied, (library) =>
    answered(library, () => false)
  ),
  row("false or a thrown error stops it and redirects to the error page.", "signIn throws", denied, (library) =>
    answered(library, () => {
      throw new Error("no")
    })
  ),
  row(
    "A string redirects to that URL.",
    "signIn answers /apply",
    { status: 302, path: "/apply", error: null },
    (library) => answered(library, () => "/apply")
  ),
  row(
    "An unhandled error becomes an `AccessDenied` error carrying the original message.",
    "signIn throws an error; the log",
    ["AccessDenied", true],
    async (library) => {
      const site = makeSite(library, {
        callbacks: {
          signIn: () => {
            throw new Error("the list is closed")
          }
        }
      })
      await site.byProvider()
      const error = site.errors[0]
      return [
        Object(error)["type"] as unknown,
        `${error?.message} ${String(error?.cause)} ${String(Object(error)["detail"])}`.includes("the list is closed")
      ]
    }
  ),
  row(
    "For the email provider `email.verificationRequest` is true on the first call",
    "a link is asked for",
    true,
    async (library) => {
      const [first] = await given(library, "signIn", (site) => site.byLink(), {
        adapter: library.Adapter.toPromises(library.Adapter.makeMemory())
      })
      return pick(first?.["email"], "verificationRequest")["verificationRequest"]
    }
  ),
  row(
    "absent when the call follows a click on the sign-in link",
    "the link is followed",
    undefined,
    async (library) => {
      const [, second] = await given(library, "signIn", (site) => site.byLink(), {
        adapter: library.Adapter.toPromises(library.Adapter.makeMemory())
      })
      return second === undefined ? "not called" : second["email"]
    }
  )
]

const landing = async (library: Library, callbackUrl: string, changes: Changes = {}) => {
  const site = makeSite(library, changes)
  const answer = await site.browser.submit("/auth/signin/acme", { callbackUrl })
  const state = new URL(answer.headers.get("location") ?? origin).searchParams.get("state")
  const back = await site.browser.get(`/auth/callback/acme?code=code-1&state=${state}`)
  return new URL(back.headers.get("location") ?? origin, origin).href
}

const redirect: ReadonlyArray<Row> = [
  row(quotes.redirect, "callbackUrl: /inside", { url: "/inside", baseUrl: origin }, async (library) => {
    const calls = await given(library, "redirect", (site) =>
      site.browser.submit("/auth/signin/acme", { callbackUrl: "/inside" })
    )
    return calls.find(({ url }) => url === "/inside")
  }),
  row(
    "Called on any redirect to a callback URL (sign-in, sign-out).",
    "a sign-in",
    true,
    async (library) =>
      (
        await given(
          library,
          "redirect",
          (site) => site.byProvider(),
          {},
          ({ baseUrl }) => baseUrl
        )
      ).length > 0
  ),
  row(
    "Called on any redirect to a callback URL (sign-in, sign-out).",
    "a sign-out without callbackUrl",
    true,
    async (library) => {
      const counts: Array<number> = []
      const calls: Array<unknown> = []
      const site = makeSite(library, {
        callbacks: { redirect: (params: Params) => (calls.push(params), params["baseUrl"]) }
      })
      await site.browser.signIn()
      counts.push(calls.length)
      await site.browser.submit("/auth/signout")
      counts.push(calls.length)
      return (counts[1] ?? 0) > (counts[0] ?? 0)
    }
  ),
  row(
    "Called on any redirect to a callback URL (sign-in, sign-out).",
    "a sign-in with a password without callbackUrl",
    `${origin}/home`,
    async (library) => {
      const site = makeSite(library, { callbacks: { redirect: () => `${origin}/home` } })
      return (await site.browser.signIn()).headers.get("location")
    }
  ),
  row(
    "By default only URLs on the same host as the origin are allowed.",
    "callbackUrl: https://app.example/inside",
    `${origin}/inside`,
    (library) => landing(library, `${origin}/inside`)
  ),
  row(
    "By default only URLs on the same host as the origin are allowed.",
    "callbackUrl: https://evil.example",
    `${origin}/`,
    (library) => landing(library, "https://evil.example")
  ),
  row(
    "By default only URLs on the same host as the origin are allowed.",
    "callbackUrl: /inside",
    `${origin}/inside`,
    (library) => landing(library, "/inside")
  ),
  row(quotes.redirect, "redirect answers another site", "https://other.example/", (library) =>
    landing(library, "/inside", { callbacks: { redirect: () => "https://other.example/" } })
  )
]

const kept = async (library: Library, jwt: (params: Params) => unknown, changes: Changes = {}) => {
  const site = makeSite(library, { ...changes, callbacks: { jwt } })
  await site.byProvider()
  return claimsOf(library, site.browser)
}
const update = async (site: ReturnType<typeof makeSite>, data: unknown) => {
  await site.browser.signIn()
  const csrfToken = await site.browser.csrfToken()
  const answer = await site.browser.send("POST", "/auth/session", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken, data })
  })
  return answer.json() as Promise<unknown>
}

const jwt: ReadonlyArray<Row> = [
  row("Called when a JWT is created (sign-in)", "a sign-in at acme", "signIn", async (library) => {
    const [first] = await given(library, "jwt", (site) => site.byProvider())
    return first?.["trigger"]
  }),
  row("or updated (session accessed in the client)", "GET session", undefined, async (library) => {
    const calls = await given(library, "jwt", async (site) => {
      await site.byProvider()
      await site.browser.session()
    })
    return calls.length === 2 ? calls[1]?.["trigger"] : `called ${calls.length} times`
  }),
  row(
    "What is returned is stored in the JWT",
    "jwt adds roles",
    ["admin"],
    async (library) => (await kept(library, ({ token }) => ({ ...Object(token), roles: ["admin"] })))?.["roles"]
  ),
  row("passed to the session callback", "jwt adds roles", ["admin"], async (library) => {
    const calls: Array<Params> = []
    const site = makeSite(library, {
      callbacks: {
        jwt: ({ token }: Params) => ({ ...Object(token), roles: ["admin"] }),
        session: (params: Params) => (calls.push(params), params["session"])
      }
    })
    await site.byProvider()
    await site.browser.session()
    return pick(calls.at(-1)?.["token"], "roles")["roles"]
  }),
  row("| JWT or null |", "jwt answers null when the session is read", null, async (library) => {
    const site = makeSite(library, {
      callbacks: { jwt: ({ token, trigger }: Params) => (trigger === "signIn" ? token : null) }
    })
    await site.byProvider()
    return site.browser.session()
  }),
  row(
    "On `signIn` or `signUp`, token is a subset (name, email, image)",
    "the token of a sign-in",
    { name: "Ada", email: "ada@example.com", picture: profile["picture"] },
    async (library) => {
      const [first] = await given(library, "jwt", (site) => site.byProvider())
      return pick(first?.["token"], "name", "email", "picture")
    }
  ),
  row(
    "otherwise the full JWT",
    "the token when the session is read",
    ["number", "number", "string", "string"],
    async (library) => {
      const calls = await given(
        library,
        "jwt",
        async (site) => {
          await site.byProvider()
          await site.browser.session()
        },
        {},
        ({ token }) => ({ ...Object(token), own: "claim" })
      )
      return ["exp", "iat", "jti", "own"].map((name) => typeof pick(calls.at(-1)?.["token"], name)[name])
    }
  ),
  row(
    "user, account, profile are present on `signIn`/`signUp` (profile on `signIn`).",
    "a sign-in at acme",
    ["Ada", "acme", "sub-1"],
    async (library) => {
      const [first] = await given(library, "jwt", (site) => site.byProvider())
      return [
        pick(first?.["user"], "name")["name"],
        pick(first?.["account"], "provider")["provider"],
        pick(first?.["profile"], "sub")["sub"]
      ]
    }
  ),
  row(
    "trigger (`signIn`, `signUp` or `update`; undefined otherwise)",
    "a first and a second sign-in with an adapter",
    ["signUp", "signIn"],
    async (library) => {
      const calls = await given(
        library,
        "jwt",
        async (site) => {
          await site.byProvider()
          site.browser.cookies.clear()
          await site.byProvider()
        },
        { adapter: library.Adapter.toPromises(library.Adapter.makeMemory()), session: { strategy: "jwt" } }
      )
      return calls.map(({ trigger }) => trigger)
    }
  ),
  row(
    "isNewUser (boolean, deprecated, use trigger `signUp`)",
    "a first and a second sign-in with an adapter",
    [true, false],
    async (library) => {
      const calls = await given(
        library,
        "jwt",
        async (site) => {
          await site.byProvider()
          site.browser.cookies.clear()
          await site.byProvider()
        },
        { adapter: library.Adapter.toPromises(library.Adapter.makeMemory()), session: { strategy: "jwt" } }
      )
      return calls.map(({ isNewUser }) => isNewUser === true)
    }
  ),
  row(
    "trigger (`signIn`, `signUp` or `update`; undefined otherwise)",
    "POST session",
    "update",
    async (library) => (await given(library, "jwt", (site) => update(site, { own: 1 }))).at(-1)?.["trigger"]
  ),
  row(
    "`session` is data sent by the client's update method when strategy is `jwt`",
    "POST session with { own: 1 }",
    { own: 1 },
    async (library) => (await given(library, "jwt", (site) => update(site, { own: 1 }))).at(-1)?.["session"]
  ),
  row(
    "it must be validated before use",
    "POST session with sub, exp, iat and jti",
    { own: 1 },
    async (library) =>
      (await given(library, "jwt", (site) => update(site, { own: 1, sub: "other", exp: 1, iat: 1, jti: "j" }))).at(
        -1
      )?.["session"],
    "server-claims"
  )
]

const session: ReadonlyArray<Row> = [
  row(
    "Called whenever a session is checked.",
    "two times GET session",
    2,
    async (library) =>
      (
        await given(library, "session", async (site) => {
          await site.browser.signIn()
          await site.browser.session()
          await site.browser.session()
        })
      ).length
  ),
  row("The return value is exposed to the client.", "session adds plan", "free", async (library) => {
    const site = makeSite(library, {
      callbacks: { session: ({ session }: Params) => ({ ...Object(session), plan: "free" }) }
    })
    await site.browser.signIn()
    return Object(await site.browser.session())["plan"] as unknown
  }),
  row(
    "By default only email, name, image of the token are returned",
    "a token with further claims",
    ["email", "image", "name"],
    async (library) => {
      const site = makeSite(library, {
        callbacks: { jwt: ({ token }: Params) => ({ ...Object(token), roles: ["admin"] }) }
      })
      await site.byProvider()
      return Object.keys((await site.browser.session())?.user ?? {}).sort()
    }
  ),
  row(
    "anything else from the token must be returned explicitly",
    "session answers roles of the token",
    ["admin"],
    async (library) => {
      const site = makeSite(library, {
        callbacks: {
          jwt: ({ token }: Params) => ({ ...Object(token), roles: ["admin"] }),
          session: ({ session, token }: Params) => ({ ...Object(session), roles: Object(token)["roles"] as unknown })
        }
      })
      await site.byProvider()
      return Object(await site.browser.session())["roles"] as unknown
    }
  ),
  row("token (JWT; `jwt` strategy only)", "strategy jwt", [true, false], async (library) => {
    const [first] = await given(library, "session", async (site) => {
      await site.browser.signIn()
      await site.browser.session()
    })
    return [first?.["token"] !== undefined, first?.["user"] !== undefined]
  }),
  row("user (AdapterUser; `database` strategy only)", "strategy database", [false, "Ada"], async (library) => {
    const [first] = await given(
      library,
      "session",
      async (site) => {
        await site.byProvider()
        await site.browser.session()
      },
      { adapter: library.Adapter.toPromises(library.Adapter.makeMemory()) }
    )
    return [first?.["token"] !== undefined, pick(first?.["user"], "name")["name"]]
  }),
  row(
    "newSession (any) and trigger `update` on update",
    "POST session with { own: 1 }, strategy database",
    [{ own: 1 }, "update"],
    async (library) => {
      const calls = await given(
        library,
        "session",
        async (site) => {
          await site.byProvider()
          const csrfToken = await site.browser.csrfToken()
          await site.browser.send("POST", "/auth/session", {
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ csrfToken, data: { own: 1 } })
          })
        },
        { adapter: library.Adapter.toPromises(library.Adapter.makeMemory()) }
      )
      return [calls.at(-1)?.["newSession"], calls.at(-1)?.["trigger"]]
    }
  )
]

export const callbackRows: ReadonlyArray<Row> = [...types, ...signIn, ...redirect, ...jwt, ...session]
