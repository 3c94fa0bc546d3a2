/**
 * Prohibitions for every preset and every answer of its platform: repeat a secret in a failure, or ask an address that the answer chose.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { inspect } from "node:util"
import { clientSecret } from "../oauth/ScriptedProvider.ts"
import type { Fixture } from "./fixtures/Fixture.ts"
import { answersOf, configured, visit } from "./Platform.ts"

const folder = fileURLToPath(new URL("fixtures/", import.meta.url))
const load = async (name: string): Promise<Fixture> => {
  const loaded: { readonly fixture: Fixture } = await import(`./fixtures/${name}.ts`)
  return loaded.fixture
}
const fixtures = await Promise.all(
  readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && name !== "Fixture.ts")
    .map(async (name) => [name.slice(0, -3), await load(name.slice(0, -3))] as const)
)

const code = "code-1"
const secrets = [clientSecret, encodeURIComponent(clientSecret), "access-1", "refresh-1", code, "verifier-verifier"]

/** Everything that a failure says, to whoever prints it, writes it as JSON, or follows its causes. */
const told = (failure: unknown): string => {
  if (!(failure instanceof Error)) return inspect(failure, { depth: 8, showHidden: true })
  return `${inspect(failure, { depth: 8, showHidden: true })} ${JSON.stringify(failure)} ${told(failure.cause)}`
}

const json = (body: unknown): Response => Response.json(body)

/** How a request goes wrong. Each way repeats what was asked, or what was to be kept secret. */
const faults: ReadonlyArray<readonly [string, (url: string, body: string) => Promise<Response>]> = [
  ["cannot be reached", (url, body) => Promise.reject(new TypeError(`fetch failed: ${url} ${body}`))],
  ["is refused", (url, body) => Promise.resolve(new Response(`${url} ${body} access-1`, { status: 400 }))],
  ["fails", (url, body) => Promise.resolve(new Response(`${url} ${body} access-1`, { status: 503 }))],
  ["leads elsewhere", (url) => Promise.resolve(new Response(null, { status: 302, headers: { location: url } }))],
  ["is answered with half of the truth", () => Promise.resolve(new Response(`{"access_token":"access-1", access-1"`))],
  ["is answered with no object", () => Promise.resolve(json("access-1"))],
  ["is answered with a text", () => Promise.resolve(new Response("access-1"))],
  ["is answered with an error", (url) => Promise.resolve(json({ error: `access-1 ${url}`, errmsg: code, errcode: 1 }))]
]

/** The platform of a fixture, where one request goes wrong. */
const failing = (
  fixture: Fixture,
  at: "token" | "profile",
  fault: (url: string, body: string) => Promise<Response>
) => {
  let asked = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (fixture.metadata !== undefined && request.url.includes("/.well-known/")) return json(fixture.metadata)
    const isToken = asked++ === 0
    return isToken && at === "profile" ? json(fixture.token.answer) : fault(request.url, await request.text())
  }
  return { ...configured(fixture), fetch }
}

/** Members with which platforms say where to go on, or that name something which is written into an address. */
const elsewhere = Object.fromEntries(
  [
    ..."api_endpoint api_domain api_url login_url instance_url domain host base_url issuer iss url".split(" "),
    ..."userinfo_endpoint token_endpoint profile_url account_url dc hub_domain openid user_id membership_id".split(" ")
  ].map((name) => [name, "https://evil.example/?x="])
)

const hostOf = (url: string): string => new URL(url).host

describe("no preset", () => {
  for (const [name, fixture] of fixtures) {
    for (const at of fixture.claims === undefined && fixture.calls !== undefined
      ? (["token", "profile"] as const)
      : (["token"] as const)) {
      it.gen(`repeats a secret in a failure: ${name}, where the ${at} request goes wrong`, function* () {
        for (const [what, fault] of faults) {
          const { signedIn } = yield* visit(fixture, answersOf(fixture), failing(fixture, at, fault))
          if (Result.isSuccess(signedIn)) assert.fail(`${what}: somebody signed in`)
          const text = told(signedIn.failure)
          for (const secret of secrets) assert.notInclude(text, secret, what)
        }
      })
    }

    it.gen(`asks an address that an answer chose: ${name}`, function* () {
      const answers = answersOf(fixture)
      const hosts = new Set([fixture.token.url, ...(fixture.calls ?? []).map(({ url }) => url)].map(hostOf))
      const { sent } = yield* visit(fixture, { ...answers, token: { ...answers.token, ...elsewhere } })
      assert.isAbove(sent.length, 0)
      for (const { url } of sent) assert.isTrue(hosts.has(hostOf(url)), url)
    })
  }
})
