/**
 * What the library hands out while it answers has values only: V8 gives each object with an accessor of its own a hidden class of
 * its own, which makes every access slow and keeps what the accessor refers to until a full garbage collection.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Access from "../../src/Access.ts"
import * as HandleAction from "../../src/composition/HandleAction.ts"
import { AuthRequest, fromWeb } from "../../src/http/AuthRequest.ts"
import * as Http from "../../src/Http.ts"
import { Jwt } from "../../src/Jwt.ts"
import { at, browser } from "../Browser.ts"
import type { PlainOptions } from "../ForLayer.ts"
import { origin, site, text } from "./Site.ts"

/** The paths to accessors that objects of the library have themselves. */
const accessorsIn = (values: Readonly<Record<string, unknown>>) => {
  const seen = new Set<object>()
  const found: Array<string> = []
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null || seen.has(value)) return
    seen.add(value)
    if (value instanceof Map) {
      for (const [key, member] of value) visit(member, `${path}(${String(key)})`)
      return
    }
    for (const [name, { get, value: member }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      if (get === undefined) visit(member, `${path}.${name}`)
      else found.push(`${path}.${name}`)
    }
  }
  for (const [name, value] of Object.entries(values)) visit(value, name)
  return found
}

it("finds an accessor of an object's own, wherever it is", () => {
  const own = {
    get a() {
      return 1
    }
  }
  class Shared {
    get a() {
      return 1
    }
  }
  assert.deepStrictEqual(accessorsIn({ x: { list: [new Map([["key", own]])] }, y: new Shared() }), ["x.list.0(key).a"])
})

describe("no object has an accessor of its own", () => {
  it.gen("which a route, its callbacks, its events and a service of the application are given", function* () {
    const given: Record<string, unknown> = {}
    const callbacks: PlainOptions["callbacks"] = {
      jwt: (params) => {
        given[`jwt ${params.trigger ?? "read"}`] = params
        return params.token
      },
      session: (params) => {
        given["session"] = params
        return { ...params.session }
      },
      signIn: (params) => {
        given["signIn"] = params
        return true
      }
    }
    const jwt = yield* at()(Effect.service(Jwt))
    const watching = Layer.succeed(Jwt, {
      ...jwt,
      read: (request, ...more) => {
        given["request"] = request
        return jwt.read(request, ...more)
      }
    })
    const page = Effect.gen(function* () {
      const context = yield* Effect.context()
      for (const [key, service] of context.mapUnsafe) if (key.startsWith("effect-doorman")) given[key] = service
      given["the session"] = yield* Access.Default.CurrentSession
      given["the user"] = yield* Access.Default.CurrentUser
      return text("in")
    })
    const routes = HttpRouter.add("GET", "/me", page).pipe(Layer.provide(Http.routes(Access.Default)))
    const events: PlainOptions["events"] = { signIn: (message) => void (given["event"] = message) }
    const { browser: visitor } = yield* Effect.provide(site(routes, { callbacks, events }), watching)
    const ann = visitor()
    yield* ann.signIn()
    delete given["request"]
    assert.strictEqual((yield* ann.get("/me")).status, 200)
    assert.containsAllKeys(given, ["jwt read", "session", "signIn", "event", "request", "the session", "the user"])
    assert.deepStrictEqual(accessorsIn(given), [])
  })

  it.gen("in a request or a response of an action", at(), function* () {
    const given: Record<string, unknown> = {}
    const person = browser()
    yield* person.signInWithPassword()
    for (const action of ["session", "csrf", "providers", "signin", "signout", "error"]) {
      const headers = { cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
      const request = yield* fromWeb(new Request(`${origin}/auth/${action}`, { headers }), "/auth")
      given[`request ${action}`] = request
      given[`response ${action}`] = yield* Effect.provideService(HandleAction.handle, AuthRequest, request)
    }
    assert.deepStrictEqual(accessorsIn(given), [])
  })
})
