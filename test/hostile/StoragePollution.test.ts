import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Auth } from "../../src/index.ts"
import * as Mailer from "../../src/Mailer.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { make } from "../../src/storage/MemoryAdapter.ts"
import * as Option from "effect/Option"
import type { AdapterMethod } from "../../src/storage/AdapterShape.ts"
import { furtherMethods } from "../storage/FurtherMethods.ts"
import { fieldsOf } from "../Mailed.ts"
import { listener, options, site, visitor } from "../Visitor.ts"
import { forFunctions } from "../ForFunctions.ts"
import { create, type CreationOptions, get, type Lies, type RequestOptions } from "../webauthn/SoftwareAuthenticator.ts"

/** An adapter of promises, with the methods of Auth.js only. */
const promises = () => {
  const memory = make()
  const names: ReadonlyArray<AdapterMethod> = [...memory.methods].filter(
    (name) => !furtherMethods.some((further) => further === name)
  )
  return Object.fromEntries(
    names.map((name) => [
      name,
      (...given: ReadonlyArray<unknown>) =>
        Effect.runPromise(
          Effect.map(Reflect.apply(memory[name], memory, given) as Effect.Effect<unknown>, (found) =>
            Option.isOption(found) ? Option.getOrNull(found) : found
          )
        )
    ])
  )
}

/** No lies, not even inherited ones: the authenticator of the tests reads them from an object. */
const honest = Object.create(null) as Lies

const journey = async (): Promise<ReadonlyArray<unknown>> => {
  const mailer = Mailer.capture()
  const { logger, told } = listener()
  const config = options({
    providers: [Email(), Passkey()],
    experimental: { enableWebAuthn: true },
    adapter: promises(),
    mailer,
    logger
  })
  const browser = visitor((one) => Auth(one, forFunctions(config)))
  const answers: Array<unknown> = []
  const keep = async (response: Response) => {
    const names = response.headers.getSetCookie().map((line) => line.split("=")[0])
    const body = (await response.clone().text()).replaceAll(/[\w-]{16,}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")
    answers.push([response.status, response.headers.get("location"), names, body])
    return response
  }
  await keep(await browser.submit("/auth/signin/email", { email: "ann@example.com" }))
  const [mail] = await Effect.runPromise(mailer.mails)
  const link = new URL(mail?.url ?? site)
  const page = await keep(await browser.get(link.pathname + link.search))
  await keep(await browser.post(link.pathname, fieldsOf(await page.text())))
  await keep(await browser.get("/auth/session"))
  const asked = await browser.get("/auth/webauthn-options/passkey?action=register")
  const made = create(((await asked.json()) as { options: CreationOptions }).options, site, honest)
  await keep(await browser.submit("/auth/callback/passkey", { action: "register", data: JSON.stringify(made.data) }))
  await keep(await browser.submit("/auth/signout"))
  await keep(await browser.get("/auth/session"))
  const proving = await browser.get("/auth/webauthn-options/passkey?action=authenticate")
  const { options: given } = (await proving.json()) as { options: RequestOptions }
  answers.push(Object.entries(given).map(([name, value]) => (name === "challenge" ? name : [name, value])))
  made.credential.counter++
  const data = JSON.stringify(get(made.credential, given, site, honest))
  await keep(await browser.submit("/auth/callback/passkey", { action: "authenticate", data }))
  await keep(await browser.get("/auth/session"))
  answers.push(told.errors.map((error) => [Reflect.get(error, "type"), error.message]))
  return answers
}

/** Runs with members on the prototype of every object, as a careless library elsewhere in the process would leave them. */
const polluted = async <A>(members: object, run: () => Promise<A>): Promise<A> => {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: false, writable: true })
  }
  try {
    return await run()
  } finally {
    for (const name of Object.keys(members)) Reflect.deleteProperty(Object.prototype, name)
  }
}

const never = () => assert.fail("asked")

describe("members on the prototype of every object, at a site with a store", () => {
  const pollutions: ReadonlyArray<readonly [string, object]> = [
    [
      "methods of adapters",
      { useOnce: never, deleteSessions: never, listAccounts: never, listSessions: never, endSession: never }
    ],
    ["marks of stores and mailers", { methods: new Set(["createUser"]), transaction: never, send: never }],
    [
      "options of email providers",
      { sendVerificationRequest: never, generateVerificationToken: never, normalizeIdentifier: never, consumeOn: "get" }
    ],
    [
      "options of keys",
      {
        userVerification: "discouraged",
        requireUserVerification: false,
        getUserInfo: never,
        getRelayingParty: never,
        usernameFirst: true
      }
    ],
    // The package that verifies keys reads topOrigin by itself, and refuses.
    ["what browsers send", { token: "x", action: "register", crossOrigin: true, userHandle: "x" }]
  ]
  for (const [name, members] of pollutions) {
    it(`H293 ${name} change nothing`, async () => {
      const clean = await journey()
      const last = JSON.stringify(clean.at(-2))
      assert.include(last, "ann@example.com")
      assert.deepStrictEqual(clean.at(-1), [])
      assert.deepStrictEqual(await polluted(members, journey), clean)
    })
  }
})
