/** Layers are built for a configuration, never for a request. */
import { beforeEach, expect, it, vi } from "vitest"

const { calls } = vi.hoisted(() => ({ calls: new Map<string, number>() }))

/** The module with every function counted by its name. */
const counted = vi.hoisted(
  () =>
    (module: string, original: Readonly<Record<string, unknown>>): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(original).map(([name, member]) => {
          if (typeof member !== "function" || /^[A-Z]/.test(name)) return [name, member]
          const counting = (...args: ReadonlyArray<unknown>): unknown => {
            calls.set(`${module}.${name}`, (calls.get(`${module}.${name}`) ?? 0) + 1)
            return Reflect.apply(member, original, args)
          }
          return [name, Object.assign(counting, member)]
        })
      )
)

vi.mock("effect/Layer", async (importOriginal) => counted("Layer", await importOriginal<Record<string, unknown>>()))
vi.mock("effect/ManagedRuntime", async (importOriginal) =>
  counted("ManagedRuntime", await importOriginal<Record<string, unknown>>())
)
vi.mock("effect/Effect", async (importOriginal) => {
  const original = await importOriginal<Record<string, unknown>>()
  const { isLayer } = await vi.importActual<{ readonly isLayer: (u: unknown) => boolean }>("effect/Layer")
  const provide = original["provide"]
  if (typeof provide !== "function") throw new Error("Effect.provide is gone; count what took its place")
  return {
    ...original,
    provide: (...args: ReadonlyArray<unknown>): unknown => {
      if (args.flat().some(isLayer)) calls.set("Effect.provide", (calls.get("Effect.provide") ?? 0) + 1)
      return Reflect.apply(provide, original, args)
    }
  }
})

const { Auth } = await import("../../src/index.ts")

const config = {
  secret: "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz",
  trustHost: true,
  basePath: "/auth",
  providers: [
    {
      id: "password",
      name: "Password",
      type: "credentials" as const,
      credentials: {},
      authorize: () => ({ id: "user-1" })
    }
  ]
}

const get = (action: string) => Auth(new Request(`https://app.example.com/auth/${action}`), config)

beforeEach(() => calls.clear())

it("the first request builds the layers", async () => {
  await get("session")
  expect([...calls.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
})

it.each(["session", "csrf", "providers", "signin", "signout", "error"])(
  "a later request for %s neither makes nor builds a layer",
  async (action) => {
    await get(action)
    calls.clear()
    const response = await get(action)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(calls)).toEqual({})
  }
)
