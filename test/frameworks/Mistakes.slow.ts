/**
 * Mistakes that people make with the package as npm installs it: each row of `test/packed/mistakes/table.js` is made with a server of
 * its own, and the answer and the log are compared with the row. For every row holds: no status from 500 on without an entry of the
 * log, and no entry with an escaped line break.
 */
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { assert, beforeAll, describe, it } from "vitest"
import { folderOf, run, timed } from "./Packed.ts"

interface Row {
  readonly good: boolean
  readonly status?: number
  readonly shows?: ReadonlyArray<RegExp>
  readonly says?: ReadonlyArray<RegExp>
  readonly never?: ReadonlyArray<RegExp>
  readonly thrown?: RegExp
}

interface Seen {
  readonly mistake: string
  readonly status?: number
  readonly body?: string
  readonly thrown?: string
  readonly log: ReadonlyArray<string>
}

const folder = folderOf("mistakes")
const { table } = (await import(pathToFileURL(`${folder}/table.js`).href)) as {
  readonly table: Readonly<Record<string, Row>>
}
let seen: ReadonlyMap<string, Seen> = new Map()

beforeAll(async () => {
  const said = await timed("mistakes", run(folder, "program.js"))
  const lines = said.split("\n").filter((line) => line.startsWith("{"))
  seen = new Map(lines.map((line) => JSON.parse(line) as Seen).map((one) => [one.mistake, one]))
})

/** The words of a page. */
const wordsOf = (body: string): string =>
  body
    .replaceAll(/<style[^]*?<\/style>|<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim()

for (const good of [true, false]) {
  describe(good ? "mistakes that were explained in the first measurement" : "mistakes that were not", () => {
    for (const [mistake, row] of Object.entries(table).filter(([, row]) => row.good === good)) {
      it(mistake, () => {
        const { body = "", log = [], status = 0, thrown } = seen.get(mistake) ?? {}
        const entries = log.join("\n")
        if (row.thrown === undefined) assert.isUndefined(thrown)
        else assert.match(thrown ?? "", row.thrown)
        if (row.status !== undefined) assert.strictEqual(status, row.status)
        for (const shown of row.shows ?? []) assert.match(wordsOf(body), shown)
        for (const text of row.says ?? [])
          assert.isTrue(
            log.some((entry) => text.test(entry)),
            `${text}\n${entries}`
          )
        for (const text of row.never ?? []) assert.notMatch(entries + body, text)
        if (status >= 500) assert.isNotEmpty(log)
        assert.notInclude(entries, "\\u000a")
      })
    }
  })
}

interface Ended {
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program of the folder by a Node, with these variables alone; also one that fails ends here. */
const program = (
  args: ReadonlyArray<string>,
  {
    cwd = folder,
    env = {},
    node = process.execPath
  }: Partial<{ cwd: string; env: Record<string, string>; node: string }> = {}
): Promise<Ended> =>
  promisify(execFile)(node, [...args], { cwd, env: { PATH: process.env["PATH"], NO_COLOR: "1", ...env } }).catch(
    (error: Ended) => error
  )

/** A folder with the packed package alone: whole, without one file of it, or with another one in its place. */
const altered = (file?: string, content?: string): string => {
  const copy = mkdtempSync(join(tmpdir(), "doorman-mistakes-"))
  cpSync(join(folder, "node_modules/effect-doorman"), join(copy, "node_modules/effect-doorman"), { recursive: true })
  for (const name of ["jose", "oauth4webapi"])
    cpSync(join(folder, "node_modules", name), join(copy, "node_modules", name), { recursive: true })
  for (const name of ["capture.js", "packages.js", "served.js"]) cpSync(join(folder, name), join(copy, name))
  writeFileSync(join(copy, "package.json"), '{ "type": "module" }')
  if (file === undefined) return copy
  const path = join(copy, "node_modules/effect-doorman/dist/internal/plain", file)
  rmSync(path)
  if (content !== undefined) writeFileSync(path, content)
  return copy
}

const oldNode = (version: string): string => `${folder}/node_modules/node-${version}-x64/bin/node`
const secret = "mistakes-made-on-purpose-Vq8rT2xWm5LkPz7"

describe("mistakes that show in a process of their own", () => {
  it.skipIf(!existsSync(oldNode("18")))("an unsupported Node is named, with the version that is needed", async () => {
    const { stderr } = await program(["served.js"], { node: oldNode("18") })
    assert.match(stderr, /effect-doorman needs Node 20\.19 or newer; this is Node 18\.\d+\.\d+/)
  })

  it.each([
    [
      "the engine",
      "ServerEngine.js",
      undefined,
      /could not load a part of itself\n {2}caused by .*ServerEngine\.js.*\n {2}fix: .*\n {2}request: /
    ],
    ["the pages", "BuiltInPages.js", undefined, /request: [^]*BuiltInPages\.js/],
    ["pages that throw", "BuiltInPages.js", 'throw new Error("a defect")', /request: [^]*Error: a defect\n +at /]
  ])("a file that cannot be loaded, %s: 500 and an entry of the log", async (_, file, content, entry) => {
    const copy = altered(file, content)
    const { stderr, stdout } = await program(["served.js"], { cwd: copy })
    rmSync(copy, { recursive: true })
    const { node, web } = JSON.parse(stdout) as Record<"node" | "web", { status: number; body: string }>
    for (const { body, status } of [node, web]) {
      assert.strictEqual(status, 500)
      assert.match(body, /Reference: [\w-]+/)
    }
    assert.match(stderr, entry)
  })

  it.each([
    [
      "without a secret",
      { AUTH_URL: "http://localhost:3000/auth" },
      [/secret is not set\n {2}option: secret\n {2}variable: AUTH_SECRET\n {2}fix: /]
    ],
    [
      "with AUTH_URL without a scheme",
      { AUTH_URL: "site.example/auth", AUTH_SECRET: secret },
      [
        /AUTH_URL must be an http or https URL; it is "site\.example\/auth"\n(.*\n)* {2}fix: .*https:\/\/site\.example\/auth/
      ]
    ]
  ])("an Effect application %s says so, and nothing that is false", async (_, env, texts) => {
    const { stdout } = await program(["layer.js"], {
      env: { ...env, AUTH_GITHUB_ID: "id", AUTH_GITHUB_SECRET: "secret-of-the-client-0123456789" }
    })
    for (const text of texts) assert.match(stdout, text)
    assert.notMatch(stdout, /setEnvDefaults|Nothing vouches|problems of the configuration/)
  })

  it("providers without their packages name what to install, on the page and in the log", async () => {
    const copy = altered()
    const { stderr, stdout } = await program(["packages.js"], { cwd: copy })
    rmSync(copy, { recursive: true })
    for (const name of ["@simplewebauthn/server", "nodemailer"]) {
      assert.match(wordsOf(stdout), new RegExp(`npm install ${name}`))
      assert.match(stderr, new RegExp(`fix: .*npm install ${name}`))
    }
  })

  it("an import that is misspelt names the entry", async () => {
    const { stderr } = await program(["--input-type=module", "-e", 'import "effect-doorman/provider/github"'])
    assert.match(stderr, /'\.\/provider\/github' is not defined by "exports"/)
  })

  it("require() works", async () => {
    const { stdout } = await program([
      "--input-type=commonjs",
      "-e",
      'console.log(typeof require("effect-doorman").createAuth)'
    ])
    assert.strictEqual(stdout.trim(), "function")
  })

  it("a database that is away, and a Node without TypeScript, at the start of the demo", async () => {
    const demo = fileURLToPath(new URL("../../demo/start.mjs", import.meta.url))
    const away = await program([demo], {
      env: { DATABASE_URL: "postgres://a:b@127.0.0.1:9/c", PORT: "0", PROVIDER_PORT: "0" }
    })
    assert.match(away.stderr, /could not be opened\.[^]*no server answers there/)
    const old = await program([demo], { node: oldNode("20") })
    assert.match(old.stderr, /needs Node 22\.18 or newer; this is Node 20/)
  })
})
