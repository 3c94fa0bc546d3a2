/** Callbacks return Effects of the application's own copy of `effect`, which runs beside the one inside of the function entry. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { createAuth, skipCSRFCheck } from "effect-doorman"
import Credentials from "effect-doorman/providers/credentials"

const Names = Context.Service("copies/Names")
const released = []

/** What `authorize` returns for each name: a program of the application's copy. */
const programs = {
  succeed: Effect.succeed({ id: "1", name: "succeed" }),
  sleep: Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    yield* Effect.sleep("5 millis")
    return { id: "1", name: (yield* Clock.currentTimeMillis) > before ? "sleep" : "no time passed" }
  }),
  fail: Effect.fail(new Error("no such user")),
  die: Effect.die(new Error("a defect")),
  promise: Effect.promise(() => Promise.resolve({ id: "1", name: "promise" })),
  fork: Effect.gen(function* () {
    const gate = yield* Deferred.make()
    const fiber = yield* Effect.forkChild(Deferred.await(gate))
    yield* Deferred.succeed(gate, "fork")
    return { id: "1", name: yield* Fiber.join(fiber) }
  }),
  service: Effect.map(Names, (name) => ({ id: "1", name })).pipe(Effect.provideService(Names, "service")),
  scope: Effect.acquireRelease(Effect.succeed({ id: "1", name: "scope" }), () =>
    Effect.sync(() => released.push("scope"))
  ),
  interrupt: Effect.interrupt,
  log: Effect.as(Effect.logError("from the application"), { id: "1", name: "log" })
}

const logged = []
const auth = createAuth({
  secret: "a-secret-of-a-newcomer-0123456789-abcdefghijk",
  origin: "http://localhost:3000",
  skipCSRFCheck,
  logger: { error: (error) => logged.push(String(error)), warn: () => {} },
  providers: [Credentials({ credentials: { name: {} }, authorize: ({ name }) => programs[name] ?? null })],
  callbacks: {
    jwt: ({ token }) => Effect.succeed({ ...token, seen: true }),
    session: ({ session, token }) => Effect.delay(Effect.succeed({ ...session, seen: token.seen }), "1 millis")
  }
})

/** The sign-in of a name, and the session of its cookies. */
const signIn = async (name) => {
  const response = await auth.handler(
    new Request("http://localhost:3000/auth/callback/credentials", {
      method: "POST",
      headers: { origin: "http://localhost:3000", "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ name })
    })
  )
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ")
  const session = await auth.handler(new Request("http://localhost:3000/auth/session", { headers: { cookie } }))
  const { seen, user } = (await session.json()) ?? {}
  const { searchParams } = new URL(response.headers.get("location"), "http://localhost:3000")
  return user === undefined ? `refused: ${searchParams.get("error")}` : `signed in: ${user.name}, ${seen}`
}

for (const name of Object.keys(programs)) console.log(`${name} ${await signIn(name)}`)
console.log(
  released.join(),
  logged.some((text) => text.includes("from the application"))
)
