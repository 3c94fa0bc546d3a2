/**
 * A process is killed after each of its statements. Whoever comes next finds everything of a unit or nothing, and goes on.
 */
import { assert, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlClient } from "effect/sql/SqlClient"
import type * as Sql from "../../src/Sql.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { at, dump } from "./Engine.ts"
import { address, signIn } from "./SignInUnit.ts"

/** A Node.js that runs TypeScript: the one of this repository where there is one. */
const node = [join(import.meta.dirname, "../../node_modules/.bin/node"), process.execPath].find(existsSync) ?? "node"

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

const child = (site: Site, task: "migrate" | "sign-in", last: number) =>
  new Promise<End>((resolve, reject) => {
    const args = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "CrashChild.ts")]
    const running = spawn(node, [...args, site.engine, site.place, task, String(last)], {
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

/** What holds after a sign-in was cut off at any statement; then somebody asks for a second link and signs in with it. */
const checkSignIn = (site: Site, last: number) =>
  site.use((store, sql) =>
    Effect.gen(function* () {
      const after = yield* counts(sql)
      const step = `after statement ${last}: ${JSON.stringify(after)}`
      assert.isTrue(after.users === after.accounts && after.users === after.sessions, step)
      assert.isTrue(after.users === 0 || after.links === 0, step)
      assert.strictEqual(yield* signIn(store, "first"), after.links === 1, step)
      yield* store.createVerificationToken({
        identifier: address,
        token: "second",
        expires: at(4_102_444_800_000)
      })
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
