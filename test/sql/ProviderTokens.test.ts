/** Several processes on one database ask for the token of one user at once. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { listenOnLoopback, nodeListener } from "../../demo/WebServer.ts"
import * as Postgres from "../../src/sql/Postgres.ts"
import * as Sqlite from "../../src/sql/Sqlite.ts"
import { createAuth, customFetch } from "../../src/index.ts"
import { acme, visitor } from "../Visitor.ts"
import { rotatingProvider } from "../RotatingProvider.ts"
import { node } from "./ChildProgram.ts"
import { account, ada, using } from "./Engine.ts"
import { forFunctions } from "../ForFunctions.ts"
import { openSqlite } from "./OpenStore.ts"
import { isPostgresHere, type PostgresServer, startPostgres } from "./PostgresServer.ts"

/** Resolves when the process is ready, to the function that lets it begin. */
const started = (...args: ReadonlyArray<string>) =>
  new Promise<() => Promise<ReadonlyArray<string>>>((resolve, reject) => {
    const program = join(import.meta.dirname, "TokenChild.ts")
    const child: ChildProcess = spawn(node, ["--disable-warning=ExperimentalWarning", program, ...args])
    let [said, errors] = ["", ""]
    const ended = new Promise<ReadonlyArray<string>>((answered, failed) => {
      child.once("close", (code) => {
        const failure = new Error(`The process ended with ${code}: ${errors}`)
        if (code === 0) answered(JSON.parse(said.slice("ready\n".length)))
        else failed(failure)
        reject(failure)
      })
    })
    child.stderr?.on("data", (chunk) => (errors += String(chunk)))
    child.stdout?.on("data", (chunk) => {
      said += String(chunk)
      if (!said.startsWith("ready\n")) return
      resolve(() => {
        child.stdin?.end()
        return ended
      })
    })
  })

const encryptTokens = { secret: "a secret of the test of many processes: 4fE9" }

const secret = encryptTokens.secret

/** The cookies of a browser that signed in at the site of the processes, whose tokens are in a cookie and have nearly ended. */
const cookiesOf = async (place: string, providerAccountId: string): Promise<string> => {
  const { adapter, close } = await openSqlite({ filename: place, sweep: false, encryptTokens })
  const answer = (url: string) =>
    Response.json(
      url.endsWith("/userinfo")
        ? { id: providerAccountId, name: "Ada", email: ada.email }
        : {
            access_token: "access-0",
            refresh_token: "refresh-0",
            token_type: "Bearer",
            expires_in: 5,
            scope: "read write"
          }
    )
  const provider = acme({
    [customFetch]: (input: RequestInfo | URL) => Promise.resolve(answer(new Request(input).url))
  })
  const options = { secret, trustHost: true, basePath: "/auth", adapter, providers: [provider], env: {} }
  const auth = createAuth(forFunctions({ ...options, session: { strategy: "jwt" }, providerTokens: "cookie" }))
  const browser = visitor(auth.handler)
  const begun = await browser.submit("/auth/signin/acme")
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? ""
  await browser.get(`/auth/callback/acme?${new URLSearchParams({ code: "code", state })}`)
  assert.isTrue(browser.cookies.has("__Host-authjs.provider-tokens"))
  await close()
  return [...browser.cookies].map((pair) => pair.join("=")).join("; ")
}

const askedAtOnce = async (
  engine: string,
  place: string,
  client: Layer.Layer<SqlClient, unknown>,
  cookies?: typeof cookiesOf
) => {
  const provider = rotatingProvider()
  const server = await listenOnLoopback(0)
  server.serve(
    nodeListener(
      async (request) => provider.answer(new URLSearchParams(await request.text())),
      new URL(`http://127.0.0.1:${server.port}`)
    )
  )
  const ended = { access_token: "access-0", refresh_token: "refresh-0", expires_at: 1, scope: "read write" }
  const userId = await Effect.runPromise(
    using(
      (store) =>
        Effect.gen(function* () {
          const user = yield* store.createUser(ada)
          yield* store.linkAccount({ ...account(user), provider: "acme", ...ended })
          return user.id
        }),
      { encryptTokens },
      client
    )
  )
  const token = `http://127.0.0.1:${server.port}/token`
  const more = cookies === undefined ? [] : [await cookies(place, "1")]
  const processes = await Promise.all([1, 2, 3, 4].map(() => started(engine, place, token, userId, ...more)))
  const answers = (await Promise.all(processes.map((begin) => begin()))).flat()
  await server.close()
  assert.lengthOf(answers, 400)
  assert.deepStrictEqual([...new Set(answers)], ["access-1"])
  assert.lengthOf(provider.requests, 1)
  if (cookies !== undefined) return
  const row = await Effect.runPromise(using((store) => store.listAccounts(userId), { encryptTokens }, client))
  assert.deepInclude(row[0], { access_token: "access-1", refresh_token: "refresh-1", scope: "read write" })
}

describe("four processes that ask a hundred times each", () => {
  it("send one request, on SQLite", { timeout: 240_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "doorman-tokens-"))
    const filename = join(folder, "site.db")
    await askedAtOnce("sqlite", filename, Sqlite.layer({ filename }))
    await rm(folder, { recursive: true })
  })

  it("send one request for one cookie of a browser", { timeout: 240_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "doorman-tokens-"))
    const filename = join(folder, "site.db")
    await askedAtOnce("sqlite", filename, Sqlite.layer({ filename }), cookiesOf)
    await rm(folder, { recursive: true })
  })

  describe.skipIf(!isPostgresHere)("on PostgreSQL", () => {
    let server: PostgresServer | undefined
    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server?.stop())

    it("send one request", { timeout: 240_000 }, async () => {
      const url = (await server?.database()) ?? ""
      await askedAtOnce("postgres", url, Postgres.layer({ url, maxConnections: 2 }))
    })
  })
})
