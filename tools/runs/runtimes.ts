/**
 * Runs the cases of `test/packed/runtimes` from the packed package in every runtime that the package promises: Node 20.19, 22 and
 * 24, Bun, Deno and workerd. Every sign-in method, and every function among the options: a new one without a case fails.
 *
 * `npm run packed:runtimes` installs the package there first.
 */
import { execFile } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type BuildOptions } from "esbuild"
import { parseSync } from "oxc-parser"
import { startOpenIdProvider } from "../../test/real/OpenIdProvider.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = join(root, "test/packed/runtimes")
const modules = join(folder, "node_modules")
const output = join(modules, ".programs")

/** Where options have their types. */
const optionTypes = ["src/config/Options.ts", "src/compat/AuthConfig.ts", "src/Provider/internal/ProviderOptions.ts"]

/** Members that no application sets. */
const internal = new Set(["FieldRules.read", "OAuth2Config.fromOptions"])

/** Functions among the options that are no members of these types, and objects of functions. */
const besides = ["Schema.waitUntil", "adapter", "customFetch"]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Is the type of a member that of a function? */
const isFunctionType = (node: unknown): boolean =>
  Array.isArray(node)
    ? node.some(isFunctionType)
    : isObject(node) &&
      (node["type"] === "TSFunctionType" ||
        (node["type"] !== "TSTypeLiteral" && Object.values(node).some(isFunctionType)))

const nameOf = (node: unknown): string => (isObject(node) ? String(node["name"] ?? node["value"]) : "")

/** The members of the types below a node that are functions, such as `CallbacksOptions.jwt`. */
const functionsIn = (node: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  if (Array.isArray(node)) return node.flatMap((each) => functionsIn(each, path))
  if (!isObject(node)) return []
  const { type } = node
  if (type === "TSInterfaceDeclaration" || type === "TSTypeAliasDeclaration") {
    return Object.values(node).flatMap((each) => functionsIn(each, [nameOf(node["id"])]))
  }
  if (type !== "TSPropertySignature" && type !== "TSMethodSignature") {
    return Object.values(node).flatMap((each) => functionsIn(each, path))
  }
  const here = [...path, nameOf(node["key"])]
  return type === "TSMethodSignature" || isFunctionType(node["typeAnnotation"])
    ? [here.join(".")]
    : Object.values(node).flatMap((each) => functionsIn(each, here))
}

const optionFunctions = (): ReadonlyArray<string> => [
  ...optionTypes.flatMap((path) => functionsIn(parseSync(path, readFileSync(join(root, path), "utf8")).program.body)),
  ...besides
]

/** Fails for a function among the options without a case, and for a case of what is no option. */
const checkCoverage = async (): Promise<void> => {
  const text = readFileSync(join(folder, "Cases.js"), "utf8")
  const covered = new Set(
    [...text.matchAll(/covers: \[([^\]]*)\]/g)].flatMap(([, list = ""]) =>
      [...list.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name)
    )
  )
  const all = optionFunctions().filter((name) => !internal.has(name))
  const missing = all.filter((name) => !covered.has(name))
  const unknown = [...covered].filter((name) => !all.includes(name))
  if (missing.length > 0) throw new Error(`test/packed/runtimes/Cases.js has no case for ${missing.join(", ")}`)
  if (unknown.length > 0)
    throw new Error(`test/packed/runtimes/Cases.js covers what is no option: ${unknown.join(", ")}`)
  console.log(`${all.length} functions among the options, ${[...text.matchAll(/covers: /g)].length} cases`)
}

/** A runtime: its program, and how it is started. */
interface Runtime {
  readonly name: string
  readonly program: string
  readonly arguments: (program: string) => ReadonlyArray<string>
}

const plain = (program: string) => [program]
const runtimes: ReadonlyArray<Runtime> = [
  { name: "Node 20.19", program: join(modules, "node-20/bin/node"), arguments: plain },
  { name: "Node 22", program: join(modules, "node-22/bin/node"), arguments: plain },
  { name: "Node 24", program: process.execPath, arguments: plain },
  { name: "Bun", program: join(modules, "@oven/bun-linux-x64/bin/bun"), arguments: (program) => ["run", program] },
  {
    name: "Deno",
    program: join(modules, "@deno/linux-x64-glibc/deno"),
    arguments: (program) => ["run", "--quiet", "--allow-all", "--node-modules-dir=manual", program]
  },
  {
    name: "workerd",
    program: join(modules, "@cloudflare/workerd-linux-64/bin/workerd"),
    arguments: () => ["test", join(output, "worker.capnp")]
  }
]

/** The environment of a person's shell, without what an outer npm or test runner adds. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:npm_|AUTH_|VITEST|NODE_(?:ENV|OPTIONS))/.test(name))
)

const start = ({ arguments: given, name, program }: Runtime): Promise<string | undefined> => {
  if (!existsSync(program)) return Promise.resolve(`${name} is not installed: ${program}`)
  return new Promise((resolve) => {
    const started = performance.now()
    execFile(
      program,
      given(join(output, "program.js")),
      { cwd: folder, env: environment, timeout: 120_000 },
      (error, out, err) => {
        const result = /RESULT (\[.*\])/.exec(`${out}\n${err}`)?.[1]
        const failures: ReadonlyArray<string> =
          result === undefined ? [`no result: ${error?.message ?? ""}\n${out}${err}`] : JSON.parse(result)
        const seconds = ((performance.now() - started) / 1000).toFixed(1)
        console.log(`${name}: ${failures.length === 0 ? "passes" : "FAILS"}, ${seconds} s`)
        resolve(failures.length === 0 ? undefined : `${name}\n  ${failures.join("\n  ")}`)
      }
    )
  })
}

await checkCoverage()
const world = { clientId: "program", clientSecret: "secret-of-the-program-0123456789-abcdefghijk" }
const provider = await startOpenIdProvider({
  clients: [
    {
      client_id: world.clientId,
      client_secret: world.clientSecret,
      application_type: "native",
      redirect_uris: ["http://localhost:3000/auth/callback/idp"]
    }
  ]
})
rmSync(output, { recursive: true, force: true })
mkdirSync(output, { recursive: true })
const common: BuildOptions = {
  bundle: true,
  format: "esm",
  target: "es2022",
  platform: "neutral",
  mainFields: ["module", "main"],
  absWorkingDir: folder,
  define: { WORLD: JSON.stringify({ ...world, issuer: provider.issuer }) },
  logLevel: "warning",
  // The paths of this repository lead to its sources.
  tsconfigRaw: "{}"
}
await Promise.all([
  build({
    ...common,
    entryPoints: ["Program.js"],
    outfile: join(output, "program.js"),
    external: ["node:*", "effect-doorman", "effect-doorman/*", "@simplewebauthn/server"]
  }),
  build({
    ...common,
    entryPoints: ["Worker.js"],
    outfile: join(output, "worker.js"),
    conditions: ["workerd", "import"],
    external: ["node:*", "nodemailer", "libsql"]
  })
])
cpSync(join(folder, "worker.capnp"), join(output, "worker.capnp"))
const failures: Array<string> = []
for (const runtime of runtimes) {
  const failure = await start(runtime)
  if (failure !== undefined) failures.push(failure)
}
await provider.close()
if (failures.length > 0) {
  console.error(failures.join("\n"))
  process.exitCode = 1
}
