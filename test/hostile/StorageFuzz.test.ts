/**
 * Thousands of requests by the grammar of the endpoints, at a site with a store, mail and keys.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeMemory } from "../../src/Adapter.ts"
import { Auth } from "../../src/index.ts"
import * as Mailer from "../../src/Mailer.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { repetitions } from "../Repetitions.ts"
import { forFunctions } from "../ForFunctions.ts"
import { acme, lacksProvider, listener, options, password, site, visitor } from "../Visitor.ts"

const requests = repetitions(1000, 3000)

/** xorshift32: the same requests in every run. */
const generator = (seed: number) => {
  let state = seed >>> 0 || 1
  return <A>(list: ReadonlyArray<A>): A => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return list[(state >>> 0) % list.length] as A
  }
}

const encoded = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url")

/** Statements that make a careless reader work, wait or fall. */
const bombs: ReadonlyArray<string> = [
  Buffer.alloc(20_000, 0x81), // lists in lists
  Buffer.alloc(20_000, 0xa1), // maps in maps
  Buffer.from([0x9b, 0, 0, 0, 1, 0, 0, 0, 0]), // a list of four thousand million
  Buffer.from([0xbb, 255, 255, 255, 255, 255, 255, 255, 255]),
  Buffer.from([0x5b, 0x7f, 255, 255, 255, 255, 255, 255, 255]),
  Buffer.from([0x9f, 0x9f, 0x9f]), // lists without an end
  Buffer.alloc(20_000, 0xc0), // tags of tags
  Buffer.from([0xff]),
  Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746140", "hex")
].map(encoded)

const words = [
  "",
  "a",
  "ann@example.com",
  "Ann@Example.com ",
  "a@b",
  "a@b.example,c@d.example",
  "\u0000",
  "\r\nbcc: x@y.example",
  "__proto__",
  "null",
  "\ud800",
  "a".repeat(64),
  "a".repeat(600),
  "{}",
  "[]",
  "https://evil.example",
  "/x",
  "register",
  "authenticate",
  "%",
  "é@example.com",
  "<script>"
]

interface Known {
  readonly csrfToken: string
  readonly cookie: string
  readonly challenges: ReadonlyArray<string>
}

const ceremonyOf = (pick: <A>(list: ReadonlyArray<A>) => A, { challenges }: Known): string => {
  const type = pick(["webauthn.create", "webauthn.get", "x"])
  const challenge = pick([...challenges, ...challenges, "x"])
  const client = {
    type,
    challenge,
    origin: pick([site, site, "https://evil.example"]),
    crossOrigin: pick([false, null, 1])
  }
  const bytes = () => pick([...bombs, encoded("x"), "", "=", encoded(Buffer.alloc(37)), encoded(Buffer.alloc(500, 7))])
  const id = pick([encoded("a key"), "", "a", encoded(Buffer.alloc(2000))])
  const whole = {
    id,
    rawId: pick([id, "b"]),
    type: pick(["public-key", "public-key", "x"]),
    response: {
      clientDataJSON: pick([encoded(JSON.stringify(client)), encoded(JSON.stringify(client)), bytes()]),
      attestationObject: bytes(),
      authenticatorData: bytes(),
      signature: bytes(),
      userHandle: pick([null, "", encoded("x"), 5]),
      transports: pick([undefined, null, [], ["usb", 5], "usb"])
    },
    more: pick(["", "x".repeat(30_000), "[".repeat(100)])
  }
  const text = JSON.stringify(whole)
  return pick([text, text, text, text.slice(0, 50), "[".repeat(40_000), `{"a":"${"x".repeat(40_000)}"}`, "null"])
}

/** The end of a ceremony that is right but for what the authenticator says. */
const finishing = (pick: <A>(list: ReadonlyArray<A>) => A, { challenges, cookie }: Known): Request => {
  const bytes = () => pick([...bombs, encoded(Buffer.alloc(37)), encoded(Buffer.alloc(500, 7))])
  const at = pick([0, 1])
  const type = at === 0 ? "webauthn.get" : "webauthn.create"
  const response = {
    clientDataJSON: encoded(JSON.stringify({ type, challenge: challenges[at], origin: site })),
    attestationObject: bytes(),
    authenticatorData: bytes(),
    signature: bytes()
  }
  const data = JSON.stringify({ id: encoded("a key"), rawId: encoded("a key"), type: "public-key", response })
  return new Request(`${site}/auth/callback/passkey`, {
    method: "POST",
    headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ action: at === 0 ? "authenticate" : "register", data }).toString()
  })
}

const requestOf = (seed: number, known: Known): Request => {
  const pick = generator(seed * 2_654_435_761)
  const word = () => pick(words)
  if (seed % 3 === 0) return finishing(pick, known)
  const names = ["token", "email", "callbackUrl", "action", "data", "csrfToken", "error"]
  const query = Array.from(
    { length: pick([0, 1, 2, 3]) },
    () => `${pick(names)}=${encodeURIComponent(word().toWellFormed())}`
  )
  const headers = {
    cookie: pick([known.cookie, known.cookie, known.cookie, "__Secure-authjs.session-token=junk", "a=b"])
  }
  const path = pick([
    "callback/email",
    "callback/passkey",
    "signin/email",
    "signin/passkey",
    "webauthn-options/passkey",
    "webauthn-options/email",
    "session",
    "signout",
    "verify-request"
  ])
  const url = `${site}/auth/${path}${query.length === 0 ? "" : `?${query.join("&")}`}`
  const method = pick(["GET", "HEAD", "POST", "POST", "POST", "PUT"])
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers })
  const action = pick(["register", "authenticate", "authenticate", word()])
  const fields: Record<string, unknown> = {
    csrfToken: pick([known.csrfToken, known.csrfToken, known.csrfToken, word()]),
    email: pick([word(), word(), "ann@example.com", 5, null, ["a"], { a: 1 }]),
    token: pick([word(), 5, null]),
    callbackUrl: word(),
    action,
    data: pick([ceremonyOf(pick, known), ceremonyOf(pick, known), { name: "x" }, word()])
  }
  if (path === "callback/passkey" && pick([true, true, false])) delete fields["csrfToken"]
  const json = pick([true, false])
  return new Request(url, {
    method,
    headers: { ...headers, "content-type": json ? "application/json" : "application/x-www-form-urlencoded" },
    body: json
      ? JSON.stringify(fields)
      : new URLSearchParams(
          Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)])
        ).toString()
  })
}

/** Writes that nobody without a mailbox, a key or an account may cause. */
const privileged = new Set([
  "createUser",
  "updateUser",
  "linkAccount",
  "createSession",
  "createAuthenticator",
  "deleteUser"
])

describe("any request of a client to a site with a store, mail and keys", () => {
  it(`H298, H302 ${requests} requests: none rejects, none is the server's fault, and nothing is made of them`, async () => {
    const rejected: Array<unknown> = []
    const listen = (reason: unknown) => void rejected.push(reason)
    process.on("unhandledRejection", listen)
    const calls: Array<string> = []
    const memory = makeMemory()
    const store: AdapterShape = Object.assign(
      { ...memory },
      Object.fromEntries(
        [...memory.methods]
          .filter((name) => name !== "transaction")
          .map((name) => [
            name,
            (...given: ReadonlyArray<unknown>) => {
              calls.push(name)
              return Reflect.apply(memory[name], memory, given) as Effect.Effect<unknown>
            }
          ])
      )
    )
    const mailer = Mailer.capture(10_000)
    const { logger, told } = listener()
    const config = options({
      providers: [acme(), password(() => null), Email(), Passkey()],
      experimental: { enableWebAuthn: true },
      adapter: store,
      mailer,
      logger
    })
    const browser = visitor((one) => Auth(one, forFunctions(config)))
    const statuses = new Map<number, number>()
    let known: Known = { csrfToken: "", cookie: "", challenges: [] }
    let most = 0
    for (let seed = 1; seed <= requests; seed++) {
      if (seed % 15 === 1) {
        const csrfToken = await browser.csrfToken()
        const challenges: Array<string> = []
        for (const action of ["authenticate", "register"]) {
          const asked = await browser.get(`/auth/webauthn-options/passkey?action=${action}&email=ann@example.com`)
          challenges.push(((await asked.json()) as { options: { challenge: string } }).options.challenge)
        }
        known = { csrfToken, challenges, cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; ") }
      }
      const one = requestOf(seed, known)
      const name = `seed ${seed}: ${one.method} ${one.url.slice(0, 200)}`
      const before = calls.length
      const response = await Auth(one, forFunctions(config))
      most = Math.max(most, calls.length - before)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      assert.isBelow(response.status, 500, name)
      const location = response.headers.get("location") ?? ""
      if (
        !lacksProvider(
          one.url,
          one.url.includes("/webauthn-options") ? ["passkey"] : ["acme", "credentials", "email", "passkey"]
        )
      )
        assert.notInclude(location, "error=Configuration", name)
      if (location !== "") assert.strictEqual(new URL(location).origin, site, name)
      assert.isAtMost(response.headers.getSetCookie().length, 20, name)
      const body = await response.text()
      assert.isAtMost(body.length, 40_000, name)
      assert.notInclude(body, "<script>", name)
    }
    await new Promise((resolve) => setImmediate(resolve))
    process.off("unhandledRejection", listen)
    assert.deepStrictEqual(rejected, [])
    for (const status of [200, 302, 400, 405])
      assert.isAbove(statuses.get(status) ?? 0, requests / 60, JSON.stringify([...statuses]))
    const faults = told.errors.filter((error) => Reflect.get(error, "blame") === "operator")
    assert.deepStrictEqual(
      faults.map((error) => [error.message, String(error.cause)]),
      []
    )
    assert.deepStrictEqual(
      [...new Set(calls)].filter((name) => privileged.has(name)),
      []
    )
    assert.include(calls, "useOnce")
    assert.isAtMost(most, 12)
    const mails = await Effect.runPromise(mailer.mails)
    assert.isAtMost(mails.filter(({ to }) => to === "ann@example.com").length, 5)
  }, 240_000)
})
