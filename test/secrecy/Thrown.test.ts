import { assert, describe, it } from "@effect/vitest"
import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import type { Options } from "../../src/config/Settings.ts"
import { CredentialsSignin } from "../../src/compat/errors.ts"
import { AccessDenied } from "../../src/Errors.ts"
import { at, browser, config, type Log, signInAt, visit } from "../Browser.ts"
import { makeMemory } from "../../src/Adapter.ts"
import { idp, idpSecret } from "../MemoryProvider.ts"
import { password } from "../Visitor.ts"

const secret = "correct horse battery"

/** A driver that repeats the password: in its message, its cause and a member. */
const talkative = (): never => {
  throw Object.assign(
    new Error(`login failed for ann with ${secret}`, { cause: new Error(encodeURIComponent(secret)) }),
    { input: secret }
  )
}

const accepts = () => ({ id: "1", name: "Ann" })

const kinds: ReadonlyArray<readonly [string, Partial<Options>, string]> = [
  ["authorize", { providers: [password(talkative)] }, "CallbackRouteError"],
  [
    "authorize, an error of Auth.js",
    { providers: [password(() => Promise.reject(new CredentialsSignin(secret)))] },
    "CredentialsSignin"
  ],
  [
    "authorize, an error of this library",
    { providers: [password(() => Promise.reject(new AccessDenied({ detail: `no ${secret}` })))] },
    "AccessDenied"
  ],
  ["callbacks.signIn", { providers: [password(accepts)], callbacks: { signIn: talkative } }, "AccessDenied"],
  ["callbacks.redirect", { providers: [password(accepts)], callbacks: { redirect: talkative } }, "CallbackRouteError"],
  ["callbacks.jwt", { providers: [password(accepts)], callbacks: { jwt: talkative } }, "CallbackRouteError"],
  ["events.signIn", { providers: [password(accepts)], events: { signIn: talkative } }, "EventError"],
  ["jwt.encode", { providers: [password(accepts)], jwt: { encode: talkative } }, "JwtSessionError"]
]

describe("what application code throws", () => {
  for (const [kind, options, tag] of kinds) {
    it.play(`says no password in the log: ${kind}`, visit(config(options)), function* ({ log }) {
      const person = browser()
      yield* person.submit("/auth/callback/credentials", { username: "ann", password: secret })
      const text = inspect(log.entries, { depth: 12, showHidden: true })
      for (const one of [secret, encodeURIComponent(secret)]) assert.notInclude(text, one)
      const tags = log.entries.map(({ message }) => (message as { readonly _tag?: string })._tag)
      assert.include(tags, tag)
    })
  }

  it.effect("is kept as it is when it says nothing of the request", () => {
    const log: Log = { entries: [] }
    const thrown = new Error("the directory is down")
    return Effect.gen(function* () {
      yield* browser().submit("/auth/callback/credentials", { username: "ann", password: secret })
      const [entry] = log.entries.filter(({ level }) => level === "Error")
      assert.strictEqual((entry?.message as { readonly cause?: unknown } | undefined)?.cause, thrown)
    }).pipe(at(config({ providers: [password(() => Promise.reject(thrown))] }), undefined, log))
  })

  it.effect("says no session token in the log: callbacks.session", () => {
    const log: Log = { entries: [] }
    const person = browser()
    const options: Partial<Options> = {
      providers: [password(accepts)],
      callbacks: {
        session: () => {
          throw new Error(`cannot read ${[...person.cookies.values()].join(" ")}`)
        }
      }
    }
    return Effect.gen(function* () {
      yield* person.submit("/auth/callback/credentials", { username: "ann", password: secret })
      const cookies = [...person.cookies.values()].filter((value) => value.length > 40)
      assert.isNotEmpty(cookies)
      yield* person.get("/auth/session")
      const text = inspect(log.entries, { depth: 12, showHidden: true })
      for (const cookie of cookies) assert.notInclude(text, cookie)
      assert.include(text, "JwtSessionError")
    }).pipe(at(config(options), undefined, log))
  })
})

const access = "canary-access-token-4711"
const refresh = "canary-refresh-token-4711"

/** Throws everything that it was given, as a driver does that logs its parameters. */
const repeating = (...given: ReadonlyArray<unknown>): never => {
  const text = inspect(given, { depth: 6, breakLength: Infinity, maxStringLength: null })
  throw Object.assign(new Error(`failed with ${text}`, { cause: new Error(JSON.stringify(given)) }), { given: text })
}

/** A function that reads the response first. */
const repeatingResponse = async (response: Response): Promise<never> => repeating(await response.text())

const functions: ReadonlyArray<readonly [name: string, options: () => Partial<Options>]> = [
  ["callbacks.signIn", () => ({ callbacks: { signIn: repeating } })],
  ["callbacks.jwt", () => ({ callbacks: { jwt: repeating } })],
  ["events.signIn", () => ({ events: { signIn: repeating } })],
  ["events.linkAccount", () => ({ adapter: makeMemory(), events: { linkAccount: repeating } })],
  ["profile", () => ({ providers: [idp({ profile: repeating })] })],
  ["account", () => ({ adapter: makeMemory(), providers: [idp({ account: repeating })] })],
  [
    "userinfo.request",
    () => ({
      providers: [idp({ idToken: false, userinfo: { url: "https://idp.example/userinfo", request: repeating } })]
    })
  ],
  ["token.request", () => ({ providers: [idp({ token: { url: "https://idp.example/token", request: repeating } })] })],
  [
    "token.conform",
    () => ({ providers: [idp({ token: { url: "https://idp.example/token", conform: repeatingResponse } })] })
  ],
  ["linkAccount of the adapter", () => ({ adapter: { ...makeMemory(), linkAccount: repeating } })],
  [
    "callbacks.jwt, with the tokens in the session token",
    () => ({
      callbacks: {
        jwt: ({ account, token }) =>
          account
            ? { ...token, accessToken: account.access_token, nested: { refresh_token: refresh } }
            : repeating(token)
      }
    })
  ]
]

describe("what application code throws at a sign-in with a provider", () => {
  for (const [name, options] of functions) {
    it.play(`P020 says no token and no client secret in the log: ${name}`, visit(config(options())), function* (scene) {
      const { log, provider } = scene
      Object.assign(provider.tokens, { access, refresh })
      const person = browser()
      yield* signInAt(person, provider)
      yield* person.get("/auth/session")
      const text = inspect(log.entries, { depth: 12, showHidden: true, maxStringLength: null })
      assert.include(text, "failed with")
      for (const value of [access, refresh, idpSecret, ...provider.issued]) assert.notInclude(text, value)
      // The three parts of an ID token are as good as the whole.
      for (const part of provider.issued.flatMap((token) => token.split(".").slice(1))) assert.notInclude(text, part)
    })
  }
})
