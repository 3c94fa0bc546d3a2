/**
 * The example for edge runtimes: bundled without any module of Node, and run in a realm that has the web's globals and
 * nothing else. Neither code from strings nor WebAssembly is allowed there, as on the real ones.
 */
import { fileURLToPath } from "node:url"
import { createContext, runInContext } from "node:vm"
import { build, type Metafile, type Plugin } from "esbuild"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { WebServer } from "../../demo/WebServer.ts"
import { listenOnLoopback, nodeListener } from "../../demo/WebServer.ts"
import { readManifest, resolveSource } from "../../tools/build/package-map.mjs"
import { CookieJarClient, formFor } from "../real/CookieJarClient.ts"
import { sessionOf, signOut } from "./Example.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The name of the package leads to the sources, along its exports map. */
const sources: Plugin = {
  name: "sources",
  setup: ({ onResolve }) => {
    const manifest = readManifest(root)
    onResolve({ filter: /^effect-doorman(\/|$)/ }, ({ path }) => {
      const source = resolveSource(manifest, path)
      return source === undefined ? { errors: [{ text: `${path} is not exported` }] } : { path: root + source }
    })
  }
}

interface Worker {
  readonly fetch: (request: Request, env: Readonly<Record<string, string>>) => Promise<Response>
}

/** The web's cryptography, which remembers what it was asked to do. */
const watchedCrypto = (asked: Set<string>): object => ({
  getRandomValues: crypto.getRandomValues.bind(crypto),
  randomUUID: crypto.randomUUID.bind(crypto),
  subtle: new Proxy(crypto.subtle, {
    get: (subtle, name) => {
      asked.add(String(name))
      const method: unknown = Reflect.get(subtle, name)
      return typeof method === "function" ? method.bind(subtle) : method
    }
  })
})

/** What every runtime of the web has (its console lines go to `said`). */
const globalsOf = (asked: Set<string>, said: Array<string>): Record<string, unknown> => {
  const say = (...words: ReadonlyArray<unknown>): void => void said.push(words.map(String).join(" "))
  return {
    AbortController,
    AbortSignal,
    Blob,
    Event,
    EventTarget,
    FormData,
    Headers,
    MessageChannel,
    ReadableStream,
    Request,
    Response,
    TextDecoder,
    TextEncoder,
    TransformStream,
    URL,
    URLSearchParams,
    WritableStream,
    atob,
    btoa,
    clearInterval,
    clearTimeout,
    console: { debug: say, error: say, info: say, log: say, warn: say },
    crypto: watchedCrypto(asked),
    fetch,
    performance,
    queueMicrotask,
    setInterval,
    setTimeout,
    structuredClone
  }
}

const password = "a long password that a program made: 6pLq2Zr8"
const asked = new Set<string>()
const said: Array<string> = []
let metafile: Metafile
let server: WebServer
let origin: string
let missing: unknown

beforeAll(async () => {
  const built = await build({
    entryPoints: [`${root}examples/edge/worker.ts`],
    bundle: true,
    write: false,
    metafile: true,
    format: "iife",
    globalName: "bundle",
    platform: "browser",
    target: "es2022",
    plugins: [sources],
    logLevel: "silent"
  })
  metafile = built.metafile
  assert.deepEqual(built.warnings, [])
  const realm = createContext(globalsOf(asked, said), { codeGeneration: { strings: false, wasm: false } })
  missing = runInContext("[typeof process, typeof Buffer, typeof require, typeof global, typeof setImmediate]", realm)
  runInContext(built.outputFiles[0]?.text ?? "", realm)
  const worker: Worker = runInContext("bundle.default", realm)
  const env = { AUTH_SECRET: "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz", USER_PASSWORD: password }
  server = await listenOnLoopback(0)
  origin = `http://localhost:${server.port}`
  server.serve(
    nodeListener((request) => worker.fetch(request, { ...env, AUTH_URL: `${origin}/auth` }), new URL(origin))
  )
})
afterAll(() => server.close())

const typePassword = async (client: CookieJarClient, typed: string) => {
  const page = await client.visit(`${origin}/private`)
  return client.submit(page, formFor(page, "credentials"), { password: typed })
}

describe("examples/edge/worker.ts", () => {
  it("H296 is bundled without a module of Node", () => {
    assert.deepEqual(Array.from(missing as ReadonlyArray<string>), Array(5).fill("undefined"))
    const imports = [...Object.values(metafile.inputs), ...Object.values(metafile.outputs)].flatMap(
      (one) => one.imports
    )
    assert.deepEqual(
      imports.filter(({ external, path }) => external === true || path.startsWith("node:")),
      []
    )
    assert.isEmpty(Object.keys(metafile.inputs).filter((path) => path.includes("nodemailer")))
  })

  it("H296 signs in by password, shows the private page, and signs out", async () => {
    const client = new CookieJarClient()
    const page = await typePassword(client, password)
    assert.equal(page.url.href, `${origin}/private`)
    assert.equal(page.body, "Hello Ada\n")
    assert.deepNestedInclude(await sessionOf(client, origin), { "user.name": "Ada" })
    assert.includeMembers([...asked], ["deriveBits", "encrypt", "decrypt"], "sealed with WebCrypto")
    await signOut(client, origin)
    assert.isNull(await sessionOf(client, origin))
    assert.equal((await client.visit(`${origin}/private`)).url.pathname, "/auth/signin")
    assert.deepEqual(said, [])
  })

  it("signs no user in with another password", async () => {
    const client = new CookieJarClient()
    const page = await typePassword(client, "a guess")
    assert.equal(page.url.searchParams.get("error"), "CredentialsSignin")
    assert.isNull(await sessionOf(client, origin))
  })
})
