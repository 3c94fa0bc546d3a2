import { assert, describe, it } from "@effect/vitest"
import { acme, cookieOf, facade, listener, locationOf, options, password, site, visitor } from "../Visitor.ts"

/** Runs with members on the prototype of every object, as a careless library elsewhere in the process would leave them. */
const polluted = async <A>(members: object, run: () => Promise<A>): Promise<A> => {
  const names = Object.keys(members)
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: true, writable: true })
  }
  try {
    return await run()
  } finally {
    for (const name of names) Reflect.deleteProperty(Object.prototype, name)
  }
}

/** A journey, told without what is random. */
const journey = async (): Promise<ReadonlyArray<unknown>> => {
  const asked: Array<unknown> = []
  const updates: Array<unknown> = []
  const { logger, told } = listener()
  const config = options({
    secret: crypto.randomUUID(),
    providers: [
      password((credentials) => {
        asked.push(Object.entries(credentials))
        return Object.entries(credentials).some((entry) => entry.join() === "password,pw")
          ? { id: "1", name: "Ann" }
          : null
      }),
      acme()
    ],
    callbacks: { jwt: ({ session, token, trigger }) => (trigger === "update" && updates.push(session ?? null), token) },
    logger
  })
  const browser = visitor(facade(config))
  const answers: Array<unknown> = []
  const keep = async (response: Response) => {
    const location = locationOf(response)?.replace(/(state|code_challenge)=[^&]+/g, "$1")
    const cookies = cookieOf(response)
      .replaceAll(/=[^;]+/g, "")
      .replaceAll(/flow\.[\w-]+/g, "flow")
    const body = (await response.clone().text())
      .replaceAll(/[0-9a-f]{64}/g, "token")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
      .replaceAll(/Reference: <code>[\w-]+/g, "reference")
    answers.push([response.status, location ?? null, cookies, response.headers.get("content-type"), body])
  }
  await keep(await browser.get("/auth/session"))
  await keep(await browser.get("/auth/providers"))
  await keep(await browser.get("/auth/signin"))
  await keep(await browser.get("/auth/error"))
  await keep(await browser.post("/auth/signout", {}))
  await keep(await browser.submit("/auth/signin/acme"))
  await keep(await browser.submit("/auth/callback/credentials", { username: "ann" }))
  await keep(await browser.submit("/auth/callback/credentials", { username: "ann", password: "pw" }))
  const csrfToken = await browser.csrfToken()
  const update = await browser.send("POST", "/auth/session", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken })
  })
  await keep(update)
  await keep(await browser.get("/auth/session"))
  await keep(await browser.submit("/auth/signout"))
  await keep(await facade(options({ secret: "" }))(new Request(`${site}/auth/signin`)))
  return [answers, asked, updates, told.errors.map((error) => Reflect.get(error, "type"))]
}

describe("members on the prototype of every object", () => {
  const pollutions: ReadonlyArray<readonly [string, object]> = [
    [
      "fields of requests",
      { callbackUrl: "https://evil.example", csrfToken: "x", data: { admin: true }, password: "pw", username: "root" }
    ],
    [
      "options",
      {
        skipCSRFCheck: Symbol("skip-csrf-check"),
        raw: Symbol("return-type-raw"),
        trustHost: true,
        secret: "x",
        debug: true
      }
    ],
    [
      "pages",
      {
        signIn: "https://evil.example",
        signOut: "https://evil.example",
        error: "https://evil.example",
        verifyRequest: "/x"
      }
    ],
    ["members of people", { role: "admin", sub: "root", email: "root@example.com", image: "x", picture: "x", exp: 1 }],
    ["a logger", { logger: { error: () => assert.fail("asked"), debug: () => assert.fail("asked") } }],
    ["nothing that is known", { polluted: "yes", "x-other": 1 }]
  ]
  for (const [name, members] of pollutions) {
    it(`H293 ${name} change nothing`, async () => {
      const clean = await journey()
      const dirty = await polluted(members, journey)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(dirty)), JSON.parse(JSON.stringify(clean)))
    })
  }
})
