/**
 * The provider objects that `@auth/core/providers/*` makes, handed to both sides as they are, before the platform that each is
 * for: a person signs in, wherever the sign-in begins and ends, and is the same one.
 */
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { SignJWT } from "jose"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { keyPair } from "../oauth/ScriptedProvider.ts"
import type { Fixture } from "../Provider/fixtures/Fixture.ts"
import { peer } from "../differential/Implementation.ts"
import { errorOf, pair, type Side } from "./Pair.ts"

const folder = fileURLToPath(new URL("../Provider/fixtures/", import.meta.url))
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && name !== "Fixture.ts")
  .map((name) => name.slice(0, -3))

const clientSecret = "client-secret-0123456789-abcdefghijklmnop"

const rsa = await keyPair("RS256", { kid: "rsa-1" })
const ec = await keyPair("ES256", { kid: "ec-1" })

const jwt = (fixture: Fixture, claims: object): Promise<string> => {
  const now = Math.floor(Date.now() / 1000)
  const iss = fixture.metadata === undefined ? {} : { iss: fixture.metadata.issuer }
  const all = { ...iss, aud: "client-1", iat: now, exp: now + 300, ...claims }
  const { algorithm = "RS256" } = fixture
  if (algorithm === "HS256")
    return new SignJWT(all).setProtectedHeader({ alg: algorithm }).sign(new TextEncoder().encode(clientSecret))
  const key = algorithm === "ES256" ? ec : rsa
  const kid = algorithm === "ES256" ? "ec-1" : "rsa-1"
  return new SignJWT(all).setProtectedHeader({ alg: algorithm, kid }).sign(key.privateKey)
}

const withoutQuery = (address: string): string => address.split("?")[0] ?? address

/** A platform as its fixture describes it. */
const platform = (fixture: Fixture) => {
  let nonce: string | null = null
  const { calls = [], claims, claimsIn = "id_token", metadata, token } = fixture
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    if (metadata !== undefined && request.url === metadata["jwks_uri"])
      return Response.json({ keys: [rsa.jwk, ec.jwk] })
    if (metadata !== undefined && url.pathname.includes("/.well-known/")) return Response.json(metadata)
    if (withoutQuery(request.url) === withoutQuery(token.url) && request.method === (token.method ?? "POST")) {
      const also = nonce === null ? {} : { nonce }
      const signed = claims === undefined ? {} : { [claimsIn]: await jwt(fixture, { ...claims, ...also }) }
      return Response.json({ ...token.answer, ...signed }, { status: token.status ?? 200 })
    }
    const call = calls.find((one) => one.url === request.url && (one.method ?? "GET") === request.method)
    if (call === undefined) return new Response("not found", { status: 404 })
    if (call.answer instanceof Uint8Array)
      return new Response(Uint8Array.from(call.answer), { headers: { "content-type": "image/png" } })
    return call.signed === true
      ? new Response(await jwt(fixture, call.answer as object), { headers: { "content-type": "application/jwt" } })
      : Response.json(call.answer)
  }
  const agree = (location: string): URL => {
    const asked = new URL(location)
    nonce = asked.searchParams.get("nonce")
    const back = new URL(asked.searchParams.get("redirect_uri") ?? "")
    back.searchParams.set("code", "code-1")
    const state = asked.searchParams.get("state")
    if (state !== null) back.searchParams.set("state", state)
    for (const [name, value] of Object.entries(fixture.response ?? {})) back.searchParams.set(name, value)
    if (metadata?.["authorization_response_iss_parameter_supported"] === true)
      back.searchParams.set("iss", metadata.issuer)
    return back
  }
  return { fetch, agree }
}

type Factory = (options: Record<string, unknown>) => Record<PropertyKey, unknown>

interface Subject {
  readonly name: string
  readonly fixture: Fixture
  readonly factory: Factory
}

const subjects = (
  await Promise.all(
    names.map(async (name): Promise<ReadonlyArray<Subject>> => {
      const { fixture } = (await import(`../Provider/fixtures/${name}.ts`)) as { readonly fixture: Fixture }
      if (fixture.module === undefined) return []
      const { default: factory } = (await import(`@auth/core/providers/${fixture.module}`)) as {
        readonly default: Factory
      }
      return [{ name: fixture.module, fixture, factory }]
    })
  )
).flat()

let reached: typeof globalThis.fetch | undefined
beforeAll(() => void vi.stubGlobal("fetch", (...given: Parameters<typeof globalThis.fetch>) => reached?.(...given)))
afterAll(() => vi.unstubAllGlobals())

interface Person {
  readonly name: unknown
  readonly email: unknown
  readonly image: unknown
}

/** The signed-in user, or the reason of the refusal. */
type Outcome = { readonly person: Person } | { readonly why: string }

const personOf = (user: { readonly [member: string]: unknown }): Person => ({
  name: user["name"] ?? null,
  email: user["email"] ?? null,
  image: user["image"] ?? null
})

/** A sign-in from one side to the other: who is there then, on both sides. */
const visit = async ({ factory, fixture, name }: Subject, first: Side, second: Side): Promise<Outcome> => {
  const { agree, fetch } = platform(fixture)
  reached = fetch
  const options = {
    clientId: "client-1",
    clientSecret,
    // One factory wants to be told where its answers come to.
    redirectUri: `https://app.example/auth/callback/${name}`,
    ...fixture.options
  }
  const object = factory({ ...options })
  const at = pair({ config: () => ({ providers: [{ ...object, [peer.customFetch]: fetch }] }) })
  at.turn(first)
  const begun = await at.browser.submit(`/auth/signin/${String(object["id"])}`, { callbackUrl: "/in" })
  const location = begun.headers.get("location") ?? ""
  const refused = errorOf(begun)
  const asked = URL.canParse(location) ? new URL(location).searchParams.get("redirect_uri") : null
  if (refused !== undefined || !URL.canParse(asked ?? "")) return { why: `not begun: ${refused ?? "nowhere"}` }
  const back = agree(location)
  at.turn(second)
  const answer =
    fixture.authorization.parameters["response_mode"] === "form_post"
      ? await at.browser.post(back.pathname, Object.fromEntries(back.searchParams))
      : await at.browser.get(`${back.pathname}${back.search}`)
  const error = errorOf(answer)
  if (error !== undefined) return { why: error }
  const seen: Array<Person> = []
  for (const side of [first, second]) {
    at.turn(side)
    const user = (await at.browser.session())?.user
    if (user === undefined) return { why: "nobody" }
    seen.push(personOf(user))
  }
  const [person, same] = seen
  assert.deepStrictEqual(person, same)
  return { person: person ?? assert.fail() }
}

describe("the provider object of a module", () => {
  for (const subject of subjects) {
    it(`${subject.name} means the same person on both sides, wherever the sign-in begins`, async () => {
      const there = await visit(subject, "there", "there")
      const begunThere = await visit(subject, "there", "here")
      const here = await visit(subject, "here", "here")
      if ("person" in there) {
        // An ID token without the claims that were asked for: here they are asked of userinfo (`callback/claims-at-userinfo`).
        const { email, image, name } = there.person
        const isThin = email === null && name === null && image === null
        const person = isThin ? personOf(subject.fixture.user) : there.person
        for (const other of [begunThere, here]) assert.deepStrictEqual(other, { person })
        return
      }
      // The object alone does not do for what the platform documents: here that is the person, or a refusal with its cause.
      for (const outcome of [begunThere, here]) {
        if ("person" in outcome) {
          const { email, name } = personOf(subject.fixture.user)
          assert.deepInclude(outcome.person, { email, name })
        } else assert.match(outcome.why, /^(?:OAuthCallbackError\/\w+$|not begun: )/)
      }
    })
  }

  it("signs its person in for most of the modules", async () => {
    let persons = 0
    for (const subject of subjects) if ("person" in (await visit(subject, "here", "here"))) persons++
    assert.isAbove(persons, subjects.length / 2)
    assert.isAbove(subjects.length, 60)
  })
})
