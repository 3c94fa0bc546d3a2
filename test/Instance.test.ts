import { assert, describe, it } from "@effect/vitest"
import { Auth, raw } from "../src/index.ts"
import * as Instance from "../src/Instance.ts"
import { facade, listener, options, otherSecret, password, secret, site, visitor } from "./Visitor.ts"

describe("Instance", () => {
  it("is made once for a configuration object, and anew when a member changes", () => {
    const config = options()
    const first = Instance.of(config)
    assert.strictEqual(Instance.of(config), first)
    config.basePath = "/api/auth"
    const second = Instance.of(config)
    assert.notStrictEqual(second, first)
    assert.strictEqual(Instance.of(config), second)
    const providers = [password()]
    config.providers = providers
    const third = Instance.of(config)
    assert.notStrictEqual(third, second)
    providers.push(password(undefined, { id: "second" }))
    assert.notStrictEqual(Instance.of(config), third, "a list that grew is another")
    assert.notStrictEqual(Instance.of({ ...config }), Instance.of(config))
  })

  it("follows a configuration object that is changed between requests", async () => {
    const config = options()
    const person = visitor(facade(config))
    await person.signIn()
    assert.isNotNull(await person.session())
    config.secret = [otherSecret, secret]
    assert.isNotNull(await person.session(), "rotated: the old secret still opens")
    config.secret = otherSecret
    assert.isNotNull(await person.session(), "the reading before sealed it anew")
    config.callbacks = { session: ({ session }) => ({ ...session, tenant: "x" }) }
    assert.strictEqual(Reflect.get(Object(await person.session()), "tenant"), "x")
  })

  it("does not mind whether raw is set on the same object", async () => {
    const config = options()
    const instance = Instance.of(config)
    const answer = await Auth(new Request(`${site}/auth/session`), { ...config, raw })
    assert.isNull(answer.body)
    Object.assign(config, { raw })
    assert.strictEqual(Instance.of(config), instance)
  })

  it("H287 is independent of the others in the process", async () => {
    const one = visitor(facade(options()))
    const other = visitor(facade(options({ secret: otherSecret, basePath: "/x" })), site, "/x")
    await one.signIn("ann")
    await other.signIn("bob")
    assert.strictEqual((await one.session())?.user?.["name"], "ann")
    assert.strictEqual((await other.session())?.user?.["name"], "bob")
    other.cookies.set("__Secure-authjs.session-token", one.cookies.get("__Secure-authjs.session-token") ?? "")
    assert.isNull(await other.session())
  })

  it("keeps answering with the problem of a configuration that cannot work, and recovers with it", async () => {
    const { logger, told } = listener()
    const config = options({ logger, secret: "short" })
    const answer = await Auth(new Request(`${site}/auth/session`), config)
    assert.strictEqual(answer.status, 500)
    assert.notInclude(await answer.text(), "short")
    assert.strictEqual(told.errors.length, 1)
    assert.strictEqual(told.errors[0]?.name, "WeakSecret")
    config.secret = secret
    assert.strictEqual((await Auth(new Request(`${site}/auth/session`), config)).status, 200)
  })

  it("warns once for an instance, not for every request", async () => {
    const { logger, told } = listener()
    const config = options({ logger, debug: true })
    for (let requests = 0; requests < 3; requests++) await Auth(new Request(`${site}/auth/session`), config)
    assert.deepStrictEqual(told.warnings, ["debug-enabled"])
  })

  it("answers a hundred requests at once", async () => {
    const config = options()
    const people = Array.from({ length: 100 }, () => visitor(facade(config)))
    await Promise.all(people.map((person, index) => person.signIn(`person ${index}`)))
    const sessions = await Promise.all(people.map((person) => person.session()))
    assert.deepStrictEqual(
      sessions.map((session) => session?.user?.["name"]),
      people.map((_, index) => `person ${index}`)
    )
  })
})

describe("Instance.deliver", () => {
  const request = (headers: Record<string, string> = {}) => new Request(`${site}/auth/signin`, { headers })

  const answered: Instance.Answered = {
    response: { headers: {}, cookies: [], redirect: `${site}/x` },
    failure: undefined,
    final: false
  }

  it("gives a Response, or plain data in raw mode", () => {
    const response = Instance.deliver(answered, request(), options())
    assert.instanceOf(response, Response)
    assert.deepStrictEqual(Instance.deliver(answered, request(), options({ raw })), {
      headers: {},
      cookies: [],
      redirect: `${site}/x`
    })
  })

  it("gives what could not even be read as a Response, in raw mode too", () => {
    assert.instanceOf(Instance.deliver({ ...answered, final: true }, request(), options({ raw })), Response)
  })

  it("gives redirects as JSON to clients that ask for it", async () => {
    const response = Instance.deliver(answered, request({ "x-auth-return-redirect": "1" }), options())
    assert.instanceOf(response, Response)
    if (response instanceof Response) assert.deepStrictEqual(await response.json(), { url: `${site}/x` })
  })
})
