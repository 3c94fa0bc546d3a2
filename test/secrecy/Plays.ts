/**
 * The flows, as a visitor goes through them. None of them minds how it ends: something may have failed on the way.
 */
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { asUserId } from "../../src/models/Id.ts"
import { fieldsOf } from "../Mailed.ts"
import { create, type CreationOptions, get, type RequestOptions } from "../webauthn/SoftwareAuthenticator.ts"
import type { Plan } from "./Plan.ts"
import { type Answer, idOf, origin, type Person, type Site } from "./WatchedSite.ts"

type Fields = Readonly<Record<string, string>>

const formHeaders = { "content-type": "application/x-www-form-urlencoded" }

const post = (person: Person, path: string, fields: Fields, headers: Fields = {}) =>
  person.send("POST", path, { headers: { ...formHeaders, ...headers }, body: new URLSearchParams(fields).toString() })

/** Posts a form with the token of this browser. */
const submit = Effect.fnUntraced(function* (person: Person, path: string, fields: Fields = {}) {
  const { body } = yield* person.send("GET", "/auth/csrf")
  const token: unknown = body.startsWith("{") ? Reflect.get(JSON.parse(body) as object, "csrfToken") : ""
  return yield* post(person, path, { csrfToken: String(token), ...fields })
})

const start = (person: Person) => submit(person, "/auth/signin/idp", { callbackUrl: "/app/me" })

/** The way back from the provider, if the visitor came there. */
const agreed = Effect.fnUntraced(function* ({ idp, note }: Site, { location }: Answer) {
  if (location?.startsWith(`${idp.issuer}/authorize`) !== true) return undefined
  const back = yield* Effect.option(idp.authorize(location))
  if (back._tag === "None") return undefined
  note("secret", "code", back.value.searchParams.get("code"))
  note("attempt", "state", back.value.searchParams.get("state"))
  return back.value
})

const atProvider = Effect.fnUntraced(function* (
  site: Site,
  person: Person,
  change: (back: URL) => void = () => undefined,
  by: Person = person
) {
  const back = yield* agreed(site, yield* start(person))
  if (back === undefined) return undefined
  change(back)
  const answer = yield* by.send("GET", back.href)
  if (answer.location !== undefined) yield* by.send("GET", answer.location)
  return back
})

/** Steps of a signed-in or a signed-out visitor. */
const stay = Effect.fnUntraced(function* (person: Person) {
  yield* person.send("GET", "/auth/session")
  yield* person.send("GET", "/app/me")
  yield* submit(person, "/auth/session", { data: "x" })
  yield* TestClock.adjust("25 hours")
  yield* person.send("GET", "/auth/session")
  yield* person.send("GET", "/auth/signout")
  yield* submit(person, "/auth/signout")
  yield* person.send("GET", "/auth/session")
})

/** The store knows whoever has a session there. */
const known = ({ plan, store, texts }: Site) =>
  plan.strategy === "jwt"
    ? Effect.void
    : Effect.ignore(store.real.createUser({ id: asUserId(idOf(plan, texts)), email: texts.email, emailVerified: null }))

const withPassword = (site: Site, person: Person, password = site.texts.password) =>
  Effect.andThen(known(site), submit(person, "/auth/callback/credentials", { username: site.texts.email, password }))

const askForLink = ({ texts }: Site, person: Person, email = texts.email) =>
  submit(person, "/auth/signin/email", { email })

/** The newest link, whose token is nobody else's. */
const linkOf = Effect.fnUntraced(function* ({ mails, note }: Site) {
  const mail = (yield* mails).at(-1)
  if (mail === undefined) return undefined
  const link = new URL(mail.url)
  note("link", "token of a link", link.searchParams.get("token"))
  return link
})

const follow = Effect.fnUntraced(function* (site: Site, person: Person, change: (link: URL) => void = () => undefined) {
  const link = yield* linkOf(site)
  if (link === undefined) return
  change(link)
  const page = yield* person.send("GET", link.href)
  yield* post(person, link.pathname, fieldsOf(page.body))
})

const optionsOf = <A>(site: Site, { body }: Answer): A | undefined => {
  if (!body.startsWith('{"options"')) return undefined
  const { options } = JSON.parse(body) as { readonly options: A & { readonly challenge: string } }
  site.note("challenge", "challenge", options.challenge)
  return options
}

const makeKey = Effect.fnUntraced(function* (site: Site, person: Person, email = site.texts.email) {
  const address = `/auth/webauthn-options/passkey?action=register&email=${encodeURIComponent(email)}`
  const options = optionsOf<CreationOptions>(site, yield* person.send("GET", address))
  if (options === undefined) return
  const { credential, data } = create(options, origin)
  site.keys.push(credential)
  site.note("person", "id of a key", credential.id.toString("base64url"))
  yield* submit(person, "/auth/callback/passkey", { action: "register", data: JSON.stringify(data) })
})

const useKey = Effect.fnUntraced(function* (site: Site, person: Person, challenge?: string) {
  const asked = yield* person.send("GET", "/auth/webauthn-options/passkey?action=authenticate")
  const options = optionsOf<RequestOptions>(site, asked)
  const [key] = site.keys
  if (options === undefined || key === undefined) return
  key.counter++
  const data = get(key, options, origin, challenge === undefined ? {} : { challenge })
  yield* submit(person, "/auth/callback/passkey", { action: "authenticate", data: JSON.stringify(data) })
})

const session = "__Host-authjs.session-token"

const play: Record<Plan["flow"], (site: Site, person: Person) => Effect.Effect<unknown>> = {
  provider: (site, person) => Effect.andThen(atProvider(site, person), stay(person)),
  "provider, twice": Effect.fnUntraced(function* (site, person) {
    const copy = site.person()
    const back = yield* agreed(site, yield* start(person))
    if (back === undefined) return
    for (const [name, value] of person.cookies) copy.cookies.set(name, value)
    yield* person.send("GET", back.href)
    yield* copy.send("GET", back.href)
  }),
  "provider, another state": (site, person) =>
    atProvider(site, person, (back) => {
      back.searchParams.set("state", `${site.texts.wrong}${back.searchParams.get("state")}`)
    }),
  "provider, another browser": (site, person) => atProvider(site, person, undefined, site.person()),
  "provider, too late": (site, person) =>
    Effect.gen(function* () {
      const back = yield* agreed(site, yield* start(person))
      yield* TestClock.adjust("2 hours")
      if (back !== undefined) yield* person.send("GET", back.href)
    }),
  "provider, refused": (site, person) =>
    atProvider(site, person, (back) => {
      const { says } = site.texts
      back.searchParams.delete("code")
      back.searchParams.set("error", site.plan.seed % 2 === 0 ? "access_denied" : says)
      back.searchParams.set("error_description", says)
      back.searchParams.set("error_uri", `https://idp.test/${says}`)
    }),
  "provider, posted": Effect.fnUntraced(function* (site, person) {
    const back = yield* agreed(site, yield* start(person))
    if (back === undefined) return
    yield* post(person, back.pathname, Object.fromEntries(back.searchParams), { origin: site.idp.issuer })
    yield* person.send("PUT", back.href)
    yield* person.send("HEAD", back.href)
  }),
  password: (site, person) => Effect.andThen(withPassword(site, person), stay(person)),
  "password, odd body": Effect.fnUntraced(function* ({ texts }, person) {
    const { email, password } = texts
    const path = "/auth/callback/credentials"
    const json = { "content-type": "application/json" }
    yield* person.send("POST", path, { headers: json, body: `{"password":${JSON.stringify(password)}` })
    yield* person.send("POST", path, { headers: json, body: JSON.stringify({ username: email, password: [password] }) })
    yield* person.send("POST", path, { headers: { "content-type": "text/plain" }, body: password })
    yield* submit(person, path, { username: email, password: password.repeat(4_000) })
    yield* person.send("GET", `${path}?password=${encodeURIComponent(password)}`)
  }),
  "password, forged form": ({ texts }, person) =>
    post(person, "/auth/callback/credentials", {
      csrfToken: texts.wrong,
      username: texts.email,
      password: texts.password
    }),
  "password, too often": (site, person) =>
    Effect.forEach(Array.from({ length: 13 }), () => withPassword(site, person, site.texts.guess)),
  link: Effect.fnUntraced(function* (site, person) {
    yield* askForLink(site, person)
    yield* follow(site, person)
    yield* stay(person)
  }),
  "link, wrong token": Effect.fnUntraced(function* (site, person) {
    yield* askForLink(site, person)
    yield* linkOf(site)
    yield* follow(site, person, (link) => link.searchParams.set("token", site.texts.strayLink))
    yield* follow(site, person, (link) => link.searchParams.set("email", `x${site.texts.email}`))
  }),
  "link, used": Effect.fnUntraced(function* (site, person) {
    yield* askForLink(site, person)
    yield* follow(site, person)
    yield* follow(site, site.person())
  }),
  "link, expired": Effect.fnUntraced(function* (site, person) {
    yield* askForLink(site, person)
    yield* TestClock.adjust("25 hours")
    yield* follow(site, person)
  }),
  "link, odd address": Effect.fnUntraced(function* (site, person) {
    yield* askForLink(site, person, `${site.texts.email}, ${site.texts.wrong}@`)
    yield* askForLink(site, person, site.texts.wrong)
    yield* askForLink(site, person, site.texts.email)
    yield* askForLink(site, person, site.texts.email)
  }),
  "link, then provider": Effect.fnUntraced(function* (site, person) {
    yield* askForLink(site, person)
    yield* follow(site, person)
    yield* atProvider(site, person)
    yield* stay(person)
    yield* atProvider(site, site.person())
  }),
  key: Effect.fnUntraced(function* (site, person) {
    yield* makeKey(site, person)
    person.cookies.clear()
    yield* useKey(site, person)
    yield* stay(person)
  }),
  "key, bad answer": Effect.fnUntraced(function* (site, person) {
    yield* makeKey(site, person)
    person.cookies.clear()
    yield* useKey(site, person, Buffer.from(site.texts.wrong).toString("base64url"))
    const path = "/auth/callback/passkey"
    yield* submit(person, path, { action: "authenticate", data: JSON.stringify({ id: site.texts.wrong }) })
    yield* submit(person, path, { action: "register", data: `{"id":"${site.texts.wrong}` })
    yield* submit(person, path, { action: site.texts.wrong, data: site.texts.says })
  }),
  "key, odd address": Effect.fnUntraced(function* (site, person) {
    yield* makeKey(site, person, `${site.texts.email}@${site.texts.wrong}`)
    yield* person.send("GET", `/auth/webauthn-options/passkey?action=${site.texts.wrong}&email=${site.texts.email}`)
  }),
  "session, damaged cookie": Effect.fnUntraced(function* (site, person) {
    yield* withPassword(site, person)
    for (const [name, value] of person.cookies) person.cookies.set(name, `${value.slice(0, -3)}xyz`)
    yield* stay(person)
    person.cookies.set(session, site.texts.wrong)
    yield* person.send("GET", "/app/me")
    yield* person.send("GET", "/api/me")
    yield* submit(person, "/auth/signout")
  }),
  programs: Effect.fnUntraced(function* (site, person) {
    yield* known(site)
    yield* post(person, "/app/sign-in", {})
    yield* person.send("GET", "/app/me")
    yield* person.send("GET", "/api/me")
    yield* post(person, "/app/update", {})
    yield* post(person, "/app/sign-in", {})
    yield* person.send("GET", "/app/sessions")
    yield* post(person, "/app/revoke", {})
    yield* post(person, "/app/sign-in", {})
    yield* post(person, "/app/sign-out", {})
  }),
  "programs, nobody": Effect.fnUntraced(function* ({ texts }, person) {
    for (const cookie of ["", `${session}=${texts.wrong}`]) {
      const headers: Fields = cookie === "" ? {} : { cookie }
      yield* person.send("GET", "/app/me", { headers })
      yield* person.send("GET", "/api/me", { headers })
      yield* post(person, "/app/update", {}, headers)
      yield* post(
        person,
        "/app/revoke",
        {},
        { ...headers, origin: "https://evil.example", "sec-fetch-site": "cross-site" }
      )
      yield* post(person, "/app/sign-out", {}, headers)
    }
  }),
  procedures: Effect.fnUntraced(function* (site, person) {
    const call = (headers: Fields = {}, inner: ReadonlyArray<readonly [string, string]> = []) =>
      person.send("POST", "/rpc", {
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify([{ _tag: "Request", id: "1", tag: "who", payload: null, headers: inner }])
      })
    yield* call()
    yield* withPassword(site, person)
    yield* call()
    yield* call({ cookie: `${session}=${site.texts.wrong}` })
    yield* call({ cookie: "" }, [["authorization", `Bearer ${site.texts.wrong}`]])
  }),
  bearer: Effect.fnUntraced(function* (site, person) {
    yield* withPassword(site, person)
    const token = person.cookies.get(session) ?? site.texts.wrong
    for (const value of [token, `${token.slice(0, -3)}xyz`, site.texts.wrong]) {
      const headers = { cookie: "", authorization: `Bearer ${value}` }
      yield* person.send("GET", "/app/me", { headers })
      yield* person.send("GET", "/api/me", { headers })
      yield* post(person, "/app/sign-out", {}, headers)
    }
    yield* person.send("GET", "/api/me", { headers: { authorization: `Basic ${site.texts.wrong}`, cookie: "" } })
  }),
  "odd addresses": Effect.fnUntraced(function* (site, person) {
    const { email, says, strayLink, target, wrong } = site.texts
    const query = `code=${wrong}&state=${wrong}&email=${email}&token=${strayLink}&c%6Fde=${wrong}&CODE=${wrong}`
    yield* person.send("GET", `/auth/callback/nobody?${query}`)
    yield* person.send(
      "GET",
      `/auth/callback/idp?${query}&error=${says}&id_token=${wrong}&iss=${says}&error_uri=${says}`
    )
    yield* person.send("GET", `/auth/callback/email?${query}&callbackUrl=https://evil.example/${wrong}`)
    yield* person.send("GET", `/auth/signin?error=${says}&code=${wrong}&callbackUrl=/x?token=${target}`)
    yield* person.send("GET", `/auth/error?error=${says}&code=${wrong}&request_id=none`)
    yield* person.send("GET", `/auth/verify-request?${query}&provider=none`)
    yield* person.send("DELETE", `/auth/session?${query}`)
    yield* post(person, `/auth/signout?${query}`, { csrfToken: wrong })
    yield* submit(person, "/auth/signin/idp", { callbackUrl: `/x?token=${target}` })
  })
}

/** Plays the flow of the site's plan. */
export const played = (site: Site): Effect.Effect<unknown> =>
  Effect.suspend(() => play[site.plan.flow](site, site.person()))
