/**
 * Measures what an application pays in bytes: the sources bundled, minified and gzipped, against scripts/size-budget.json.
 *
 * Also fails when the entry loads any of Effect at once: the engine belongs behind the first request.
 */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

const root = fileURLToPath(new URL("../", import.meta.url))

/** @type {import("esbuild").Plugin} */
const leaveDynamicImports = {
  name: "leave-dynamic-imports",
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined
    )
  }
}

/** @type {import("esbuild").Plugin} */
const leaveDependencies = {
  name: "leave-dependencies",
  setup(build) {
    build.onResolve({ filter: /^[^.]/ }, ({ path }) => ({ path, external: true }))
  }
}

/** Packages that an application brings when it wants what needs them. */
const { peerDependenciesMeta } = JSON.parse(readFileSync(`${root}package.json`, "utf8"))
const optional = Object.keys(peerDependenciesMeta).filter((name) => name !== "effect")

/** Modules that are loaded when somebody first uses a link, a key or a store; a bundler puts them beside the rest. */
const onDemand =
  /\/(SignInWithEmail|SignInWithWebAuthn|WebAuthnOptions|SendEmail|webauthn\/Ceremonies|ResolveUser|ProblemDetails|LogoutRequests|ProviderLogout|ProviderSession)\.ts$/

/** @type {import("esbuild").Plugin} */
const leaveOnDemand = {
  name: "leave-on-demand",
  setup(build) {
    build.onResolve({ filter: onDemand }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined
    )
  }
}

/**
 * @param {string} contents
 * @param {ReadonlyArray<import("esbuild").Plugin>} [plugins]
 */
const measure = async (contents, plugins = []) => {
  const result = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    minify: true,
    metafile: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["import"],
    external: ["node:*", ...optional],
    legalComments: "none",
    logLevel: "silent",
    plugins: [...plugins]
  })
  const code = result.outputFiles[0]?.contents ?? new Uint8Array()
  const output = Object.values(result.metafile.outputs)[0]
  const inputs = Object.entries(output?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([name]) => name)
  return { bytes: gzipSync(code, { level: 9 }).length, inputs }
}

/** @type {Record<string, { readonly title: string, readonly bytes: number }>} */
const budget = JSON.parse(readFileSync(new URL("size-budget.json", import.meta.url), "utf8"))
const auth = `export { Auth } from "./src/index.ts"`
/** A contract that servers and clients share, as the documentation writes it. */
const contract = `
import * as Access from "./src/Access.ts"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
class Site extends Access.Service()("site", { user: Schema.Struct({ id: Schema.String }) }) {}
const notes = HttpApiEndpoint.get("list", "/notes", { success: Schema.Array(Schema.String) })
export const Api = HttpApi.make("api").add(HttpApiGroup.make("notes").add(notes).middleware(Site.RequireSession))`
const [everything, whole, own, pages, entry, token, withProvider, shared] = await Promise.all([
  measure(auth),
  measure(auth, [leaveOnDemand]),
  measure(auth, [leaveDependencies, leaveOnDemand]),
  measure(`export * from "./src/pages/BuiltInPages.ts"`, [leaveDependencies]),
  measure(auth, [leaveDynamicImports]),
  measure(`export { getToken } from "./src/compat/Token.ts"`),
  measure(`${auth}; export * as GitHub from "./src/Provider/GitHub.ts"`, [leaveOnDemand]),
  measure(contract, [leaveDependencies])
])
/** @type {Record<string, number>} */
const sizes = {
  auth: whole.bytes,
  onDemand: everything.bytes - whole.bytes,
  own: own.bytes,
  pages: pages.bytes,
  entry: entry.bytes,
  getToken: token.bytes,
  provider: withProvider.bytes - whole.bytes,
  contract: shared.bytes
}

let failed = false
for (const [name, { bytes: limit, title }] of Object.entries(budget)) {
  const bytes = sizes[name] ?? Number.NaN
  const ok = bytes <= limit
  failed ||= !ok
  console.log(
    `${ok ? "ok      " : "TOO BIG "} ${title.padEnd(40)} ${String(bytes).padStart(7)} of ${String(limit).padStart(6)} bytes`
  )
}
for (const [name, { inputs }] of Object.entries({ entry, getToken: token })) {
  const effect = inputs.filter((input) => input.includes("node_modules/effect/"))
  if (effect.length === 0) continue
  failed = true
  console.log(`${name} loads ${effect.length} modules of Effect at once, the first is ${effect[0]}`)
}
if (process.argv.includes("--list")) console.log(whole.inputs.join("\n"))
if (failed) process.exitCode = 1
