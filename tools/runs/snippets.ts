/**
 * Runs the TypeScript of README.md and docs as a user pastes it: in an empty folder with the packed package, and with the other
 * packages that it imports. Tests run in Vitest, servers answer their sign-in page, `auth` answers a request, and everything else
 * loads. Fences that declare what another place defines are left to the compiler (`npm run docs:check`).
 *
 * `npm run packed:runtimes` installs the package first.
 */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { builtinModules } from "node:module"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { fencesOf } from "../../scripts/docs-check.mjs"

const root = fileURLToPath(new URL("../../", import.meta.url))
const installed = join(root, "test/packed/runtimes/node_modules")
const folder = mkdtempSync(join(tmpdir(), "doorman-snippets-"))
const pages = [
  "README.md",
  ...["docs", "docs/tasks"].flatMap((path) =>
    readdirSync(join(root, path)).flatMap((name) => (name.endsWith(".md") ? [`${path}/${name}`] : []))
  )
]

/** Runs nowhere but in its framework, or needs a server that is not here. */
const leftOut =
  /"(?:next|react|next-auth|@sveltejs|cloudflare:|playwright-core|hono\/aws-lambda|@effect\/sql-pg|redis|pg)\b|Postgres|Redis|layerSmtp|mail\/Smtp/

const snippets = pages.flatMap((page) =>
  fencesOf(page, readFileSync(join(root, page), "utf8").split("\n"))
    .map(({ line, lines }) => ({ name: `${page}:${line}`, text: lines.join("\n") }))
    .filter(({ text }) => text.includes('from "effect-doorman') && !/^\s*declare /m.test(text) && !leftOut.test(text))
)

const packageOf = (specifier: string): string => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")

/** Puts the packages that a text imports into the folder: this package from its tarball. */
const link = (text: string): void => {
  for (const [, specifier = ""] of text.matchAll(/(?:from|import\() ?"([^".][^"]*)"/g)) {
    const name = packageOf(specifier)
    if (specifier.startsWith("node:") || builtinModules.includes(name)) continue
    const place = join(folder, "node_modules", name)
    const own = join(installed, name)
    if (existsSync(place)) continue
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(existsSync(own) ? own : join(root, "node_modules", name), place)
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
}

const client = "test-client-secret-0123456789-abcdefghijklm"
const environmentAt = (port: number) => ({
  PATH: process.env["PATH"],
  HOME: folder,
  NO_COLOR: "1",
  PORT: String(port),
  AUTH_SECRET: "a-secret-of-a-page-0123456789-abcdefghijk",
  AUTH_URL: `http://localhost:${port}/auth`,
  ...Object.fromEntries(
    ["GITHUB", "GOOGLE", "KEYCLOAK", "BANK"].flatMap((name) => [
      [`AUTH_${name}_ID`, "test-client"],
      [`AUTH_${name}_SECRET`, client]
    ])
  ),
  AUTH_KEYCLOAK_ISSUER: "https://idp.example",
  AUTH_BANK_ISSUER: "https://idp.example"
})

const failures: Array<string> = []
const fail = (name: string, reason: string): void => void failures.push(`${name}: ${reason.slice(0, 1500)}`)

const fileOf = (name: string): string => `${name.replaceAll(/[^\w]+/g, "-")}`

/** Starts a server, and asks it for the sign-in page. */
const serve = async ({ name, text }: (typeof snippets)[number]): Promise<void> => {
  const port = await freePort()
  const file = join(folder, `${fileOf(name)}.ts`)
  writeFileSync(file, text.replaceAll("3000", String(port)))
  const child = spawn(process.execPath, [file], { cwd: folder, env: environmentAt(port) })
  let said = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => void (said += String(data)))
  let answer = "no answer"
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    await wait(100)
    const response = await fetch(`http://localhost:${port}/auth/signin`).catch(() => undefined)
    if (response === undefined) continue
    answer = String(response.status)
    break
  }
  child.kill("SIGKILL")
  if (answer !== "200") fail(name, `the sign-in page: ${answer}\n${said}`)
}

/** Loads snippets in one process, one after the other. */
const load = (modules: ReadonlyArray<(typeof snippets)[number]>): Promise<void> => {
  const names = modules.map(({ name, text }) => {
    const file = `${fileOf(name)}.ts`
    const probe = /^(?:export )?const auth = createAuth\(/m.test(text)
      ? '\nif ((await auth.handler(new Request("http://localhost:3000/auth/providers"))).status >= 500) throw new Error("it answers with a failure")\n'
      : ""
    writeFileSync(join(folder, file), text + probe)
    return [name, `./${file}`] as const
  })
  writeFileSync(
    join(folder, "load.ts"),
    `for (const [name, file] of ${JSON.stringify(names)}) {
  const failure = await import(file).then(() => "", (error) => String(error?.stack ?? error))
  if (failure !== "") console.log("FAILURE " + JSON.stringify([name, failure]))
}
console.log("LOADED")
process.exit(0)
`
  )
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["load.ts"],
      { cwd: folder, env: environmentAt(3000), timeout: 120_000 },
      (_, out, err) => {
        for (const [, json = ""] of out.matchAll(/^FAILURE (.*)$/gm)) {
          const [name, reason]: [string, string] = JSON.parse(json)
          fail(name, reason)
        }
        if (!out.includes("LOADED")) fail("the pages", `${out}${err}`.slice(-1500))
        resolve()
      }
    )
  })
}

/** Runs tests in Vitest. */
const test = (tests: ReadonlyArray<(typeof snippets)[number]>): Promise<void> => {
  for (const { name, text } of tests) writeFileSync(join(folder, `${fileOf(name)}.test.ts`), text)
  const vitest = join(root, "node_modules/vitest/vitest.mjs")
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [vitest, "run", "--root", folder, "--reporter=dot"],
      { cwd: folder, env: environmentAt(3000), timeout: 120_000 },
      (error, out, err) => {
        if (error !== null) fail("the tests", `${out}${err}`.slice(-3000))
        resolve()
      }
    )
  })
}

const started = performance.now()
writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
for (const { text } of snippets) link(text)
const isTest = ({ text }: (typeof snippets)[number]): boolean => /from "(?:@effect\/)?vitest"/.test(text)
const isServer = ({ text }: (typeof snippets)[number]): boolean => /\.listen\(|Layer\.launch/.test(text)
const [tests, rest] = [snippets.filter(isTest), snippets.filter((snippet) => !isTest(snippet))]
const [servers, modules] = [rest.filter(isServer), rest.filter((snippet) => !isServer(snippet))]
await load(modules)
for (const server of servers) await serve(server)
await test(tests)
rmSync(folder, { recursive: true, force: true })
const seconds = ((performance.now() - started) / 1000).toFixed(1)
console.log(`${modules.length} modules, ${servers.length} servers, ${tests.length} files of tests: ${seconds} s`)
if (failures.length > 0) {
  console.error(failures.join("\n\n"))
  process.exitCode = 1
}
