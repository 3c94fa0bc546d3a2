/**
 * Plays every flow, with success and with each failure, and looks for what must stay secret in all that leaves: logs in
 * every format, spans, failures, addresses, bodies, headers.
 */
import { describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import type { Options } from "../../src/config/Settings.ts"
import type { AuthError } from "../../src/Errors.ts"
import type { Services } from "../../src/composition/Services.ts"
import { type Browser, config } from "../Browser.ts"
import { customFetch } from "../../src/index.ts"
import { idp, idpOrigin, memoryProvider } from "../MemoryProvider.ts"
import { otherSecret, password, secret } from "../Visitor.ts"
import { logoutToken, post } from "../actions/LogoutSite.ts"
import { getToken } from "../../src/oauth/ProviderToken.ts"
import * as MemoryAdapter from "../../src/storage/MemoryAdapter.ts"
import { Adapter, storageOf } from "../../src/storage/Storage.ts"
import { canary, look } from "./Look.ts"
import { type Watched, watch } from "./Watched.ts"

const session = "__Host-authjs.session-token"

interface Flow {
  readonly title: string
  readonly options?: Partial<Options>
  readonly play: (world: Watched, person: Browser) => Effect.Effect<unknown, AuthError, Services>
  /** Entries that this flow logs: one for a failure. */
  readonly lines: number
}

/** A sign-in at the provider, with an answer that is changed on the way. */
const visit = (world: Watched, person: Browser, change: (back: URL) => void = () => undefined) =>
  Effect.gen(function* () {
    const { location } = yield* leave(person)
    const back = world.provider.agree(location ?? "", canary.code)
    change(back)
    return yield* person.get(back)
  })

/** Like a browser's `submit`, seen by the watcher. */
const submit = (person: Browser, path: string, fields: Readonly<Record<string, string>> = {}, token?: string) =>
  Effect.gen(function* () {
    const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body) as { csrfToken: string }
    return yield* person.send("POST", path, {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ csrfToken: token ?? csrfToken, ...fields }).toString()
    })
  })

const leave = (person: Browser) => submit(person, "/auth/signin/idp")

const credentials = { username: canary.email, password: canary.password }

const withPassword = (person: Browser) => submit(person, "/auth/callback/credentials", credentials)

const answering = (path: string, response: () => Response) => (world: Watched, person: Browser) => {
  world.provider.script[path] = response
  return visit(world, person)
}

/** The network of a provider whose token endpoint cannot be reached; the error knows everything about the request. */
const breaking: typeof globalThis.fetch = (input, init) => {
  const request = new Request(input, init)
  return request.method === "POST"
    ? Promise.reject(Object.assign(new TypeError(`fetch of ${request.url} failed`), { cause: { request, init } }))
    : memoryProvider().fetch(request)
}

/** The provider as one of OAuth, where no ID token is expected. */
const plain = {
  ...idp({ type: "oauth" }),
  authorization: `${idpOrigin}/authorize`,
  token: `${idpOrigin}/token`,
  userinfo: `${idpOrigin}/userinfo`
}

const broken = () => Promise.reject(new Error("the application is broken"))

const flows: ReadonlyArray<Flow> = [
  { title: "a sign-in at a provider", play: visit, lines: 0 },
  {
    title: "a sign-in with userinfo",
    options: { providers: [idp({ idToken: false }), password()] },
    play: visit,
    lines: 0
  },
  {
    title: "a session that is read, changed and ended",
    play: (world, person) =>
      Effect.gen(function* () {
        yield* visit(world, person)
        yield* person.get("/auth/session")
        yield* submit(person, "/auth/session", { data: "x" })
        yield* submit(person, "/auth/signout")
        yield* person.get("/auth/session")
      }),
    lines: 0
  },
  {
    title: "the person refuses",
    lines: 1,
    play: (world, person) =>
      visit(world, person, (back) => {
        back.searchParams.delete("code")
        back.searchParams.set("error", "access_denied")
        back.searchParams.set("error_description", canary.text)
        back.searchParams.set("error_uri", `https://idp.example/${canary.text}`)
      })
  },
  {
    title: "an error that nobody registered",
    lines: 1,
    play: (world, person) =>
      visit(world, person, (back) => {
        back.searchParams.delete("code")
        back.searchParams.set("error", canary.text)
      })
  },
  {
    title: "a state that is another",
    lines: 1,
    play: (world, person) =>
      visit(world, person, (back) => {
        back.searchParams.set("state", `${canary.text}${back.searchParams.get("state")}`)
      })
  },
  {
    title: "an answer without state",
    lines: 1,
    play: (world, person) => visit(world, person, (back) => back.searchParams.delete("state"))
  },
  {
    title: "an issuer that is another",
    lines: 1,
    play: (world, person) => visit(world, person, (back) => back.searchParams.set("iss", canary.text))
  },
  {
    title: "an ID token in the front",
    lines: 1,
    play: (world, person) => visit(world, person, (back) => back.searchParams.set("id_token", canary.access))
  },
  {
    title: "an answer in another browser",
    lines: 1,
    play: (world, person) =>
      Effect.gen(function* () {
        const { location } = yield* leave(person)
        yield* world.person().get(world.provider.agree(location ?? "", canary.code))
      })
  },
  {
    title: "an answer that comes twice",
    lines: 1,
    play: (world, person) =>
      Effect.gen(function* () {
        const { location } = yield* leave(person)
        const back = world.provider.agree(location ?? "", canary.code)
        const copy = world.person()
        for (const [name, value] of person.cookies) copy.cookies.set(name, value)
        yield* person.get(back)
        yield* copy.get(back)
      })
  },
  {
    title: "an answer that comes too late",
    lines: 1,
    play: (world, person) =>
      Effect.gen(function* () {
        const { location } = yield* leave(person)
        yield* TestClock.adjust("16 minutes")
        yield* person.get(world.provider.agree(location ?? "", canary.code))
      })
  },
  {
    title: "an answer at an address that takes none",
    lines: 1,
    play: (_, person) => person.send("POST", `/auth/callback/idp?code=${canary.code}&state=${canary.text}`)
  },
  {
    title: "metadata that cannot be had",
    lines: 1,
    play: (world, person) => {
      world.provider.script["/.well-known/openid-configuration"] = () => new Response(canary.text, { status: 500 })
      return leave(person)
    }
  },
  {
    title: "metadata of another issuer",
    lines: 1,
    play: (world, person) => {
      world.provider.script["/.well-known/openid-configuration"] = () => Response.json({ issuer: canary.text })
      return leave(person)
    }
  },
  {
    title: "a token endpoint that fails",
    lines: 1,
    play: answering("/token", () => new Response(canary.text, { status: 500 }))
  },
  {
    title: "a token endpoint that answers a page",
    lines: 1,
    play: answering("/token", () => new Response(`<p>${canary.access}`, { headers: { "content-type": "text/html" } }))
  },
  {
    title: "a token endpoint that redirects",
    lines: 1,
    play: answering(
      "/token",
      () => new Response(null, { status: 302, headers: { location: `https://evil.example/${canary.text}` } })
    )
  },
  {
    title: "a token endpoint that refuses the client",
    lines: 1,
    play: answering("/token", () =>
      Response.json(
        { error: "invalid_client", error_description: canary.text },
        { status: 401, headers: { "www-authenticate": `Basic realm="${canary.text}"` } }
      )
    )
  },
  {
    title: "a token endpoint that refuses the code",
    lines: 1,
    play: answering("/token", () =>
      Response.json({ error: canary.text, error_description: canary.text }, { status: 400 })
    )
  },
  {
    title: "a token answer without a type",
    lines: 1,
    play: answering("/token", () => Response.json({ access_token: canary.access }))
  },
  {
    title: "a token answer with an odd scope, which is left out",
    lines: 0,
    options: { providers: [plain] },
    play: answering("/token", () =>
      Response.json({ access_token: canary.access, token_type: "Bearer", scope: [canary.text] })
    )
  },
  {
    title: "a token answer without an ID token",
    lines: 1,
    play: answering("/token", () =>
      Response.json({ access_token: canary.access, refresh_token: canary.refresh, token_type: "Bearer" })
    )
  },
  {
    title: "a token answer with an ID token that is none",
    lines: 1,
    play: answering("/token", () =>
      Response.json({ access_token: canary.access, token_type: "Bearer", id_token: canary.refresh })
    )
  },
  {
    title: "an ID token for somebody else",
    lines: 1,
    play: (world, person) => {
      world.provider.claims["aud"] = canary.text
      return visit(world, person)
    }
  },
  {
    title: "an ID token with claims of the wrong kind",
    lines: 1,
    play: (world, person) => {
      world.provider.claims["email"] = [canary.email]
      world.provider.claims["name"] = { text: canary.name }
      return visit(world, person)
    }
  },
  {
    title: "an ID token that is too old",
    lines: 1,
    play: (world, person) => {
      world.provider.claims["iat"] = 1
      world.provider.claims["exp"] = 2
      return visit(world, person)
    }
  },
  {
    title: "keys that cannot be had",
    lines: 1,
    play: answering("/keys", () => new Response(canary.text, { status: 500 }))
  },
  {
    title: "userinfo that refuses the token",
    options: { providers: [idp({ idToken: false })] },
    lines: 1,
    play: answering("/userinfo", () =>
      Response.json({ error: canary.text }, { status: 401, headers: { "www-authenticate": canary.text } })
    )
  },
  {
    title: "userinfo about somebody else",
    options: { providers: [idp({ idToken: false })] },
    lines: 1,
    play: answering("/userinfo", () => Response.json({ sub: canary.text, email: canary.email }))
  },
  {
    title: "a profile function that throws",
    options: { providers: [idp({ profile: broken })] },
    lines: 1,
    play: visit
  },
  {
    title: "a provider to which the connection breaks, with an error that holds the request",
    options: { providers: [{ ...idp(), [customFetch]: breaking }] },
    lines: 1,
    play: visit
  },
  { title: "a signIn callback that refuses", options: { callbacks: { signIn: () => false } }, lines: 1, play: visit },
  { title: "a signIn callback that throws", options: { callbacks: { signIn: broken } }, lines: 1, play: visit },
  { title: "a jwt callback that throws", options: { callbacks: { jwt: broken } }, lines: 1, play: visit },
  {
    title: "a redirect callback that throws",
    options: { callbacks: { redirect: broken } },
    lines: 1,
    play: (_, person) => submit(person, "/auth/signout", { callbackUrl: "/x" })
  },
  { title: "an event that fails", options: { events: { signIn: broken } }, lines: 1, play: visit },
  { title: "an encoder that fails", options: { jwt: { encode: broken } }, lines: 1, play: visit },
  {
    title: "a token that is too large",
    options: { callbacks: { jwt: ({ token }) => ({ ...token, more: canary.text.repeat(2000) }) } },
    lines: 1,
    play: visit
  },
  { title: "a sign-in with a password", lines: 0, play: (_, person) => withPassword(person) },
  {
    title: "a wrong password",
    lines: 1,
    options: { providers: [password(() => null)] },
    play: (_, person) => withPassword(person)
  },
  {
    title: "authorize fails",
    lines: 1,
    options: { providers: [password(broken)] },
    play: (_, person) => withPassword(person)
  },
  {
    title: "authorize returns no user",
    lines: 1,
    options: { providers: [password((given) => ({ ...given, id: {} }))] },
    play: (_, person) => withPassword(person)
  },
  {
    title: "a password in a body of the wrong kind",
    lines: 1,
    play: (_, person) =>
      Effect.gen(function* () {
        const { csrfToken } = JSON.parse((yield* person.get("/auth/csrf")).body)
        return yield* person.send("POST", "/auth/callback/credentials", {
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ csrfToken, username: canary.email, password: [canary.password] })
        })
      })
  },
  {
    title: "a forged form",
    lines: 1,
    play: (_, person) => submit(person, "/auth/callback/credentials", credentials, canary.text)
  },
  {
    title: "too many attempts",
    lines: 14,
    options: { providers: [password(() => null)] },
    play: (_, person) => Effect.forEach(Array.from({ length: 14 }), () => withPassword(person))
  },
  {
    title: "a damaged session token",
    // The warning of its own comes once a process.
    lines: 2,
    play: (world, person) =>
      Effect.gen(function* () {
        yield* visit(world, person)
        person.cookies.set(session, `${person.cookies.get(session)}x`)
        return yield* person.get("/auth/session")
      })
  },
  {
    title: "a session callback that throws",
    lines: 1,
    options: { callbacks: { session: broken } },
    play: (world, person) =>
      Effect.gen(function* () {
        yield* visit(world, person)
        return yield* person.get("/auth/session")
      })
  },
  {
    title: "a sign-out with a damaged token",
    lines: 1,
    play: (_, person) => {
      person.cookies.set(session, canary.text)
      return submit(person, "/auth/signout")
    }
  },
  {
    title: "logout tokens that are good, used again, forged and of another client",
    options: {
      providers: [idp({ backchannelLogout: true, logout: "provider" }), password()],
      session: { strategy: "jwt", revocation: true }
    },
    lines: 3,
    play: (world, person) =>
      Effect.gen(function* () {
        world.provider.claims["sid"] = "canary-session-at-the-provider"
        yield* visit(world, person)
        const named = { sid: "canary-session-at-the-provider", jti: "canary-of-the-logout-token" }
        const [good, bad] = [yield* logoutToken(named), yield* logoutToken({ ...named, aud: canary.text })]
        const forged = `${good.slice(0, -6)}AAAAAA`
        for (const token of [good, good, forged, bad]) {
          world.provider.issued.push(token, ...token.split("."))
          yield* post(token, world.person())
        }
      })
  },
  {
    title: "a refresh that succeeds, and one that the provider refuses with the token in its answer",
    options: { adapter: MemoryAdapter.make() },
    lines: 1,
    play: (world, person) =>
      Effect.gen(function* () {
        yield* visit(world, person)
        const adapter = storageOf(yield* Adapter)
        const key = { provider: "idp", providerAccountId: "person-1" }
        const user = Option.getOrThrow(yield* adapter?.getUserByAccount(key) ?? Effect.succeedNone)
        const ask = Effect.result(getToken({ userId: user.id, provider: "idp" }))
        world.provider.script["/token"] = () =>
          Response.json({
            access_token: canary.access,
            token_type: "Bearer",
            expires_in: 1,
            refresh_token: canary.refresh
          })
        yield* TestClock.adjust("2 hours")
        yield* ask
        world.provider.script["/token"] = ({ body }) =>
          Response.json({ error: "invalid_grant", error_description: body }, { status: 400 })
        yield* TestClock.adjust("2 hours")
        const refused = yield* ask
        yield* Effect.logError(refused)
      })
  },
  {
    title: "an unknown provider",
    lines: 1,
    play: (_, person) => person.get(`/auth/callback/${encodeURIComponent(canary.code)}?code=${canary.code}`)
  }
]

describe("H277, P020 what must stay secret", () => {
  for (const { lines, options, play, title } of flows) {
    it.effect(`H277, P020, H279, H280, H285 does, in ${title}`, () => {
      const world = watch(
        config({
          secret: [secret, otherSecret],
          providers: [idp(), password((given) => ({ id: "1", name: given["username"], email: given["username"] }))],
          ...options
        })
      )
      Object.assign(world.provider.tokens, { access: canary.access, refresh: canary.refresh })
      Object.assign(world.provider.claims, { email: canary.email, name: canary.name })
      const person = world.person()
      return Effect.gen(function* () {
        yield* play(world, person)
        look(world, { lines })
      }).pipe(Effect.provide(world.layer))
    })
  }
})
