/**
 * A process is killed after each of its statements. Whoever comes next finds everything of a unit or nothing, and goes on.
 */
import { assert, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import type * as Sql from "../../src/Sql.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { node, program } from "./ChildProgram.ts"
import { at, dump } from "./Engine.ts"
import { listenOnLoopback, nodeListener } from "../../demo/WebServer.ts"
import { rotatingProvider } from "../RotatingProvider.ts"
import { idOfAda, refreshed, settleAda, signedInRequest, siteOn } from "./CrashSite.ts"
import { address, signIn } from "./SignInUnit.ts"

/** Where a database lies, and how this process works with it. */
export interface Site {
  readonly engine: "sqlite" | "postgres"
  readonly place: string
  readonly use: <A, E>(
    program: (store: AdapterShape, sql: SqlClient) => Effect.Effect<A, E, SqlClient>,
    options?: Sql.Options
  ) => Promise<A>
}

interface End {
  readonly signal: string | null
  /** Statements that a process ran which was not killed. */
  readonly statements: number
}

type ChildArguments = readonly [
  site: Site,
  task: "migrate" | "refresh" | "sign-in" | "sign-out",
  last: number,
  token?: string
]

const runChild = (file: string, ...[site, task, last, token = ""]: ChildArguments) =>
  new Promise<End>((resolve, reject) => {
    const args = ["--disable-warning=ExperimentalWarning", file]
    const running = spawn(node, [...args, site.engine, site.place, task, String(last), token], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    let said = ""
    let errors = ""
    running.stdout.on("data", (chunk) => (said += String(chunk)))
    running.stderr.on("data", (chunk) => (errors += String(chunk)))
    running.once("error", reject)
    running.once("close", (code, signal) => {
      if (code === 0 || signal === "SIGKILL") resolve({ signal, statements: Number(said) })
      else reject(new Error(`The process ended with ${code ?? signal}: ${errors}`))
    })
  })

const count = (text: string) => text.split("\n").filter((line) => line !== "").length

const counts = Effect.fnUntraced(function* (sql: SqlClient) {
  return {
    users: count(yield* dump(sql, ["users"])),
    accounts: count(yield* dump(sql, ["accounts"])),
    sessions: count(yield* dump(sql, ["sessions"])),
    links: count(yield* dump(sql, ["verification_token"]))
  }
})

const seeded = (site: Site) =>
  site.use((store) =>
    store.createVerificationToken({ identifier: address, token: "first", expires: at(4_102_444_800_000) })
  )

/** Invariants after a sign-in that ended at any statement; then a person asks for a second link and signs in with it. */
const checkSignIn = (site: Site, last: number) =>
  site.use((store, sql) =>
    Effect.gen(function* () {
      const after = yield* counts(sql)
      const step = `after statement ${last}: ${JSON.stringify(after)}`
      assert.isTrue(after.users === after.accounts && after.users === after.sessions, step)
      assert.isTrue(after.users === 0 || after.links === 0, step)
      assert.strictEqual(yield* signIn(store, "first"), after.links === 1, step)
      yield* store.createVerificationToken({ identifier: address, token: "second", expires: at(4_102_444_800_000) })
      assert.isTrue(yield* signIn(store, "second"), step)
      assert.isTrue(Option.isSome(yield* store.getSessionAndUser("session of second")), step)
      const healed = yield* counts(sql)
      assert.deepStrictEqual([healed.users, healed.accounts, healed.links], [1, 1, 0], step)
      return after
    })
  )

/** Works on two things at a time: so many processors run the tests. */
const pairwise = async <A, B>(values: ReadonlyArray<A>, work: (value: A) => Promise<B>): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  for (let index = 0; index < values.length; index += 2) {
    results.push(...(await Promise.all(values.slice(index, index + 2).map(work))))
  }
  return results
}

export const crashes = (newSite: () => Promise<Site>): void => {
  const file = program("CrashChild")
  const child = async (...child: ChildArguments): Promise<End> => runChild(await file(), ...child)

  it("H266 survives the end of the process after each statement of a sign-in", { timeout: 240_000 }, async () => {
    const whole = await newSite()
    await seeded(whole)
    const { statements } = await child(whole, "sign-in", 0)
    assert.isAtLeast(statements, 6)
    await checkSignIn(whole, 0)
    const steps = Array.from({ length: statements }, (_, index) => index + 1)
    const found = await pairwise(steps, async (last) => {
      const site = await newSite()
      await seeded(site)
      assert.strictEqual((await child(site, "sign-in", last)).signal, "SIGKILL")
      return checkSignIn(site, last)
    })
    // The link goes first, the user comes last: both are seen, or nothing was cut off.
    assert.deepStrictEqual([found[0]?.links, found[0]?.users, found.at(-1)?.users], [0, 0, 1])
  })

  it("H266 survives the end of the process after each statement of a sign-out", { timeout: 240_000 }, async () => {
    const settled = async () => {
      const site = await newSite()
      await site.use((store) => settleAda(store))
      return site
    }
    const check = (site: Site, step: string) =>
      site.use((store) =>
        Effect.gen(function* () {
          const auth = siteOn(store)
          const before = yield* Effect.promise(() => auth.getSession(signedInRequest))
          yield* Effect.promise(() => auth.signOut(signedInRequest))
          assert.isNull(yield* Effect.promise(() => auth.getSession(signedInRequest)), step)
          assert.lengthOf(yield* Effect.flatMap(idOfAda(store), store.listAccounts), 1, step)
          return before !== null
        })
      )
    const whole = await settled()
    const { statements } = await child(whole, "sign-out", 0)
    assert.isFalse(await check(whole, "whole"))
    const steps = Array.from({ length: statements }, (_, index) => index + 1)
    const isIn = await pairwise(steps, async (last) => {
      const site = await settled()
      assert.strictEqual((await child(site, "sign-out", last)).signal, "SIGKILL")
      return check(site, `after statement ${last}`)
    })
    // Once the row is gone it is gone for good: no later statement brings the session back.
    assert.isFalse(isIn.at(-1))
    assert.deepStrictEqual(
      isIn,
      isIn.toSorted((one, other) => Number(other) - Number(one))
    )
  })

  it("H266 survives the end of the process after each statement of a refresh", { timeout: 240_000 }, async () => {
    const settled = async () => {
      const site = await newSite()
      await site.use((store) => settleAda(store))
      const provider = rotatingProvider()
      const server = await listenOnLoopback(0)
      const address = new URL(`http://127.0.0.1:${server.port}/token`)
      server.serve(nodeListener(async (request) => provider.answer(new URLSearchParams(await request.text())), address))
      return { site, provider, token: address.href, close: server.close }
    }
    const whole = await settled()
    const { statements } = await child(whole.site, "refresh", 0, whole.token)
    assert.lengthOf(whole.provider.requests, 1)
    assert.isAtLeast(statements, 4)
    await whole.close()
    const steps = Array.from({ length: statements }, (_, index) => index + 1)
    const ends = await pairwise(steps, async (last) => {
      const { close, provider, site, token } = await settled()
      assert.strictEqual((await child(site, "refresh", last, token)).signal, "SIGKILL")
      const sent = provider.requests.length
      const step = `after statement ${last}, with ${sent} requests`
      // Nobody releases the lease of a process that was killed: it ends by itself after 90 seconds.
      await site.use(
        (_store, sql) => sql`DELETE FROM ${sql("doorman_shared_state")} WHERE ${sql("key")} LIKE ${"lease.%"}`
      )
      const answer = await site.use((store) => Effect.promise(() => refreshed(store, token)))
      const [row] = await site.use((store) => Effect.flatMap(idOfAda(store), store.listAccounts))
      await close()
      assert.strictEqual(row?.access_token, answer === "ReauthenticationRequired" ? "access-0" : answer, step)
      // A refresh token that was sent before its answer was stored comes again, and the provider ends its family.
      assert.isTrue(
        answer === "ReauthenticationRequired" ? sent === 1 && provider.isEnded() : !provider.isEnded(),
        step
      )
      if (answer === "ReauthenticationRequired") assert.notExists(row?.refresh_token, step)
      return answer
    })
    assert.strictEqual(ends[0], "access-1")
    assert.strictEqual(ends.at(-1), "access-1")
  })

  it("H266 survives the end of the process while it makes its tables", { timeout: 240_000 }, async () => {
    const whole = await newSite()
    const { statements } = await child(whole, "migrate", 0)
    const steps = [1, 0.2, 0.5, 0.8].map((part) => Math.max(1, Math.floor(statements * part)))
    await pairwise([2, ...steps], async (last) => {
      const site = await newSite()
      assert.strictEqual((await child(site, "migrate", last)).signal, "SIGKILL")
      await seeded(site)
      await site.use((store) => signIn(store, "first"))
    })
  })
}
