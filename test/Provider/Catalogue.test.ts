import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { setEnvDefaults } from "../../src/config/Environment.ts"
import type { Profile } from "../../src/Models.ts"
import type { RedirectProvider } from "../../src/Provider/internal/Provider.ts"
import { clientId, clientSecret } from "../oauth/ScriptedProvider.ts"
import { repetitions } from "../Repetitions.ts"
import { changesOf, redescribed, without, withSurplus } from "./Changes.ts"
import { factsOf } from "./Facts.ts"
import type { Fixture } from "./fixtures/Fixture.ts"
import { type Answers, answersOf, callbackUrl, configured, visit } from "./Platform.ts"
import { redirectOf } from "./Read.ts"

const folder = fileURLToPath(new URL("fixtures/", import.meta.url))
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && name !== "Fixture.ts")
  .map((name) => name.slice(0, -3))

const load = async (name: string): Promise<Fixture> => {
  const loaded: { readonly fixture: Fixture } = await import(`./fixtures/${name}.ts`)
  return loaded.fixture
}

const fixtures = await Promise.all(names.map(async (name) => [name, await load(name)] as const))

const theirs = async (module: string, options: object): Promise<RedirectProvider | undefined> => {
  const loaded: { readonly default: (options: object) => object } = await import(`@auth/core/providers/${module}`)
  return redirectOf(loaded.default({ clientId, clientSecret, ...options }))
}

const members = ["id", "name", "email", "image"] as const

/** A member that is absent counts as one that is `null`. */
const absentOf = (user: { readonly [member: string]: unknown }) => members.map((name) => [name, user[name] ?? null])

/** The user of a foreign `profile` function for a document; `undefined` when it throws. */
const userOf = async (provider: RedirectProvider, document: unknown): Promise<unknown> => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 404 })))
  const made: unknown = await Promise.resolve()
    .then(() => provider.profile(document as Profile, { access_token: "access-1" }))
    .catch(() => undefined)
    .finally(() => vi.unstubAllGlobals())
  if (typeof made !== "object" || made === null || Effect.isEffect(made)) return undefined
  const user = Object.fromEntries(absentOf(Object.fromEntries(Object.entries(made))))
  return { ...user, id: typeof user["id"] === "number" ? String(user["id"]) : user["id"] }
}

/** Parameters of every authorization request. */
const always = (provider: RedirectProvider, { refuses = [] }: Fixture) => ({
  client_id: clientId,
  redirect_uri: callbackUrl(provider),
  response_type: "code",
  state: "state-1",
  ...(refuses.includes("pkce") ? {} : { code_challenge: "challenge-1", code_challenge_method: "S256" }),
  ...(provider.type === "oidc" && !refuses.includes("nonce") ? { nonce: "nonce-1" } : {})
})

const kinds = ["OAuthProfileParseError", "OAuthCallbackError"]

const isText = (value: unknown) => value === undefined || value === null || typeof value === "string"

/** Which answer is about the person. */
const placeOf = ({ calls = [], person }: Fixture) => person ?? (calls.length === 0 ? "claims" : calls.length - 1)

const documentOf = (fixture: Fixture, { calls, claims }: Answers): unknown => {
  const place = placeOf(fixture)
  return place === "claims" ? claims : calls[place]
}

const withDocument = (fixture: Fixture, answers: Answers, document: unknown): Answers => {
  const place = placeOf(fixture)
  return place === "claims"
    ? { ...answers, claims: document }
    : { ...answers, calls: answers.calls.with(place, document) }
}

const laws = (fixture: Fixture) => {
  const answers = answersOf(fixture)
  const document = documentOf(fixture, answers)
  const changed = (document: unknown) => withDocument(fixture, answers, document)
  const provider = configured(fixture)

  it.gen("sends the browser where the platform documents it", function* () {
    const { address } = yield* visit(fixture)
    if (fixture.authorization.whole !== undefined) {
      assert.strictEqual(address.href, fixture.authorization.whole)
      return
    }
    assert.strictEqual(`${address.origin}${address.pathname}`, fixture.authorization.url)
    assert.deepStrictEqual(Object.fromEntries(address.searchParams), {
      ...always(provider, fixture),
      ...fixture.authorization.parameters
    })
  })

  it.gen("exchanges the code as the platform documents it", function* () {
    const { sent } = yield* visit(fixture)
    const [request] = sent
    const { client = "basic", headers = {}, method = "POST", parameters = {}, replaces, url } = fixture.token
    const [address, query] = (request?.url ?? "").split("?")
    assert.strictEqual(request?.method, method)
    assert.strictEqual(method === "GET" ? address : request?.url, url)
    const authorization = request?.headers.get("authorization")
    if (client === "basic") {
      assert.strictEqual(
        authorization,
        `Basic ${btoa(`${clientId}:${encodeURIComponent(clientSecret).replaceAll("%20", "+")}`)}`
      )
    } else assert.isNull(authorization ?? null)
    for (const [name, value] of Object.entries(headers)) assert.strictEqual(request?.headers.get(name), value)
    const form = Object.fromEntries(new URLSearchParams(method === "GET" ? query : request?.body))
    const usual = {
      grant_type: "authorization_code",
      code: "code-1",
      redirect_uri: callbackUrl(provider),
      ...(fixture.refuses?.includes("pkce") === true
        ? {}
        : { code_verifier: "verifier-verifier-verifier-verifier-verifier" }),
      ...(client === "post" ? { client_id: clientId, client_secret: clientSecret } : {})
    }
    assert.deepStrictEqual(form, replaces === true ? { ...parameters } : { ...usual, ...parameters })
  })

  it.gen("asks for the profile as the platform documents it", function* () {
    const { sent } = yield* visit(fixture)
    const asked = sent.slice(1)
    const calls = fixture.calls ?? []
    assert.deepStrictEqual(
      asked.map(({ method, url }) => ({ method, url })),
      calls.map(({ method = "GET", url }) => ({ method, url }))
    )
    for (const [index, { body = "", headers = {} }] of calls.entries()) {
      const expected = { authorization: "Bearer access-1", ...headers }
      for (const [name, value] of Object.entries(expected)) {
        assert.strictEqual(asked[index]?.headers.get(name) ?? undefined, value, name)
      }
      assert.strictEqual(asked[index]?.body, body)
    }
  })

  it.gen("makes the user, and says whether the address is verified", function* () {
    const people = [
      { answers, user: fixture.user, emailVerified: fixture.emailVerified },
      ...(fixture.more ?? []).map((person) => ({
        answers: {
          ...answers,
          response: person.response ?? answers.response,
          claims: person.claims ?? answers.claims,
          calls: person.answers ?? answers.calls
        },
        user: person.user,
        emailVerified: person.emailVerified
      }))
    ]
    for (const person of people) {
      const { signedIn } = yield* visit(fixture, person.answers)
      const { account, emailDenied, emailVerified, user } = Result.getOrThrow(signedIn)
      const { email, id, image, name } = user
      assert.deepStrictEqual({ id, name, email, image }, person.user)
      assert.strictEqual(account.providerAccountId, person.user.id)
      assert.strictEqual(account.provider, provider.id)
      assert.strictEqual(emailVerified ? true : emailDenied ? false : undefined, person.emailVerified)
    }
  })

  it.gen("knows the person again, however they describe themselves", function* () {
    const { signedIn } = yield* visit(
      fixture,
      changed(redescribed(document, [...fixture.id, ...(fixture.constant ?? [])]))
    )
    assert.strictEqual(Result.getOrThrow(signedIn).user.id, fixture.user.id)
  })

  it.gen("finds no user without an id", function* () {
    const { signedIn } = yield* visit(fixture, changed(without(document, fixture.id)))
    assert.isTrue(Result.isFailure(signedIn))
  })

  it.gen("makes a good user or a typed error of a profile that is wrong in one place", function* () {
    const changes = changesOf(document, fixture.id, repetitions(5, 1))
    for (const { changed: wrong, isGone, name, path } of changes) {
      const { signedIn } = yield* visit(fixture, changed(wrong))
      if (Result.isFailure(signedIn)) {
        assert.include(kinds, signedIn.failure._tag, name)
        continue
      }
      const { account, user } = signedIn.success
      assert.isTrue(isText(user.name) && isText(user.email) && isText(user.image), name)
      assert.match(user.id, /^(?!undefined|null|NaN|true|false|\[object)\P{Cc}+$/u, name)
      assert.strictEqual(account.providerAccountId, user.id, name)
      assert.isFalse(isGone && fixture.id.length === 1 && path === fixture.id[0], `signed in although ${name}`)
    }
  })

  it.gen("ignores members that were not requested", function* () {
    const { signedIn } = yield* visit(fixture, changed(withSurplus(document)))
    const { email, id, image, name } = Result.getOrThrow(signedIn).user
    assert.deepStrictEqual({ id, name, email, image }, fixture.user)
  })

  it("takes what the environment holds when it stands bare in a configuration", () => {
    const variable = `AUTH_${provider.id.toUpperCase().replaceAll("-", "_")}`
    const filled = new Set(["issuer", "apiKey"])
    const own = Object.fromEntries(Object.entries(fixture.options ?? {}).filter(([name]) => !filled.has(name)))
    const preset = fixture.preset as (options: object) => object
    const expected = factsOf(provider)
    for (const bare of [Object.keys(own).length === 0 ? preset : preset({ ...own }), preset({ ...own })]) {
      const config = { providers: [bare] }
      setEnvDefaults(
        { [`${variable}_ID`]: clientId, [`${variable}_SECRET`]: clientSecret, ...fixture.environment },
        config
      )
      assert.deepStrictEqual(factsOf(redirectOf(config.providers[0])), expected)
    }
  })

  it("is known by the client for what binds its answers to their attempts", () => {
    assert.deepStrictEqual(provider.refuses, fixture.refuses ?? [])
  })

  it("changes nothing of what it is given", () => {
    const options = Object.freeze({ clientId, clientSecret, ...fixture.options })
    assert.deepStrictEqual(factsOf(redirectOf(fixture.preset(options as never))), factsOf(provider))
  })
}

/** The presets that stand in the place of a module of that name. */
const replacing = fixtures.flatMap(([name, fixture]) =>
  fixture.module === undefined ? [] : [{ name, fixture, module: fixture.module }]
)

for (const [name, fixture] of fixtures) {
  describe(name, () => {
    laws(fixture)
  })
}

for (const { fixture, module, name } of replacing) {
  describe(`${name}, beside the module ${module}`, () => {
    const provider = configured(fixture)
    it.gen("says to the platform what the module of that name does, apart from what is explained", function* () {
      const unlike = fixture.unlike ?? {}
      const ours: Record<string, unknown> = factsOf(provider)
      const { signedIn } = yield* visit(fixture)
      const { profile } = Result.getOrThrow(signedIn)
      const read = yield* Effect.promise(() => theirs(module, fixture.options ?? {}).catch(() => undefined))
      if (read === undefined) {
        assert.include(Object.keys(unlike), "all", "the factory of that module gives no provider that can be read")
        return
      }
      const their: Record<string, unknown> = factsOf(read)
      const different = Object.keys(ours).filter((name) => JSON.stringify(ours[name]) !== JSON.stringify(their[name]))
      const shown = Object.fromEntries(different.map((name) => [name, { ours: ours[name], their: their[name] }]))
      const mapped = yield* Effect.promise(() => userOf(read, profile))
      const expected = { ...fixture.user, ...Object.fromEntries(absentOf(fixture.user)) }
      if (JSON.stringify(mapped) !== JSON.stringify(expected)) {
        different.push("user")
        Object.assign(shown, { user: { ours: expected, their: mapped } })
      }
      assert.deepStrictEqual(
        different.filter((name) => unlike[name] === undefined),
        [],
        JSON.stringify(shown)
      )
      assert.deepStrictEqual(
        Object.keys(unlike).filter((name) => !different.includes(name)),
        [],
        "explained, but not different"
      )
    })
  })
}
