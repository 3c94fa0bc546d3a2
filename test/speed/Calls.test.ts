/**
 * Calls of one request once everything is warm. Work that depends on the configuration alone was done before: keys
 * are derived, providers are normalised, discovery documents and key sets are in their caches.
 */
import * as Schema from "effect/Schema"
import { afterAll, assert, beforeAll, describe, expect, it } from "vitest"
import { bundleSources, measured } from "./Bundle.ts"

const Calls = Schema.Struct({
  webCrypto: Schema.Number,
  derivations: Schema.Number,
  providerReads: Schema.Number,
  methods: Schema.Record(Schema.String, Schema.Number),
  requests: Schema.Record(Schema.String, Schema.Number)
})
const decode = Schema.decodeUnknownSync(
  Schema.Record(Schema.String, Schema.Union([Calls, Schema.Struct({ error: Schema.String })]))
)

const actions = [
  "session-none",
  "session-small",
  "session-large",
  "session-database",
  "csrf-cookie",
  "csrf-none",
  "providers-1",
  "providers-50",
  "signin-1",
  "signin-50",
  "callback-rs256",
  "callback-es256",
  "credentials",
  "signout",
  "signin-page",
  "get-token-small",
  "decode-small",
  "encode-small"
]

let bundle: Awaited<ReturnType<typeof bundleSources>> | undefined
const results = new Map<string, ReturnType<typeof decode>>()

const callsOf = (path: "node" | "web", action: string) => {
  const calls = results.get(path)?.[action]
  if (calls === undefined) throw new Error(`nothing was counted for ${action}`)
  if ("error" in calls) throw new Error(calls.error)
  return calls
}

beforeAll(async () => {
  bundle = await bundleSources()
  const args = [`--ours=${bundle.module}`, `--only=${actions.join(",")}`]
  results.set("node", decode(await measured("counts.mjs", args)))
  results.set("web", decode(await measured("counts.mjs", [...args, "--hide-node-crypto"])))
}, 120_000)

afterAll(() => bundle?.remove())

describe("with node:crypto", () => {
  it.each(actions)("%s: no WebCrypto call, but for the signature of an ID token", (action) => {
    const { methods, webCrypto } = callsOf("node", action)
    assert.isAtMost(webCrypto, action.startsWith("callback") ? 1 : 0, JSON.stringify(methods))
  })

  it.each(actions)("%s: no key is derived again", (action) => {
    expect(callsOf("node", action).derivations).toBe(0)
  })

  it.each(actions)("%s: no provider object of the configuration is read again", (action) => {
    expect(callsOf("node", action).providerReads).toBe(0)
  })

  it.each(["callback-rs256", "callback-es256"])(
    "%s: one request to the provider, the exchange of the code",
    (action) => {
      expect(callsOf("node", action).requests).toEqual({ discovery: 0, jwks: 0, token: 1, userinfo: 0 })
    }
  )
})

describe("with WebCrypto only", () => {
  it.each([
    ["session-none", 1],
    ["csrf-cookie", 1],
    ["csrf-none", 1],
    ["providers-1", 1],
    ["providers-50", 1],
    ["signin-page", 1],
    ["session-small", 5],
    ["session-large", 5],
    ["signin-1", 7],
    ["signin-50", 7],
    ["callback-rs256", 10],
    ["callback-es256", 10],
    ["decode-small", 2],
    ["encode-small", 2]
  ])("%s: at most %i WebCrypto calls", (action, most) => {
    const { methods, webCrypto } = callsOf("web", action)
    assert.isAtMost(webCrypto, most, JSON.stringify(methods))
  })

  it.each(["session-small", "signin-1", "callback-rs256", "decode-small", "encode-small"])(
    "%s: goes through WebCrypto at all, so the counts above mean something",
    (action) => {
      expect(callsOf("web", action).webCrypto).toBeGreaterThan(0)
    }
  )

  it.each(actions)("%s: no key is derived again", (action) => {
    expect(callsOf("web", action).derivations).toBe(0)
  })
})
