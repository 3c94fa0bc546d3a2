/**
 * One application, made by the build tools of applications and run where their results run: a sign-in of each kind works as it
 * does on the package itself.
 *
 * `npm run builds` runs every row; `DOORMAN_BUILDS=ci` the rows of `.ci/run`, one for each builder. At the end there is a table.
 */
import { appendFile, cp, rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { startServer } from "../examples/Example.ts"
import { run } from "../frameworks/Packed.ts"
import { type Results, signInAt, startWorld, type World } from "./Driver.ts"

const matrix = fileURLToPath(new URL("../packed/matrix/", import.meta.url))
const isWhole = process.env["DOORMAN_BUILDS"] !== "ci"

interface Row {
  /** The build tool of the application, and its runtime. */
  readonly name: string
  /** The row of `.ci/run` for its builder. */
  readonly ci?: true
  /** Why the build tool cannot make this row, with or without the package. */
  readonly skip?: string
  /** Makes the application; answers how Node runs it, and where. */
  readonly make: () => Promise<{ readonly command: ReadonlyArray<string>; readonly cwd: string }>
}

/** Puts the application beside the packages of `folder`, with the mails that its runtime can send. */
const copyTo = async (folder: string, isEdge: boolean): Promise<void> => {
  await cp(`${matrix}application`, folder, { recursive: true })
  if (isEdge) await cp(`${matrix}application/mail-over-http.js`, `${folder}/mail.js`)
}

type NextRow = Pick<Row, "ci" | "skip"> & {
  readonly version: string
  readonly bundler: "webpack" | "turbopack"
  readonly runtime: "node" | "edge"
  /** The words of `next` that build; none where only the development server has this bundler. */
  readonly build?: ReadonlyArray<string>
  readonly serve: ReadonlyArray<string>
}

const nextRow = ({ build, bundler, ci, runtime, serve, skip, version }: NextRow): Row => ({
  name: `Next.js ${version}, ${bundler}${build === undefined ? " (development server)" : ""}, ${runtime}`,
  ...(ci === undefined ? {} : { ci }),
  ...(skip === undefined ? {} : { skip }),
  make: async () => {
    const packages = `${matrix}next-${version}`
    const cwd = `${packages}/build-${bundler}-${runtime}`
    const next = `${packages}/node_modules/next/dist/bin/next`
    await rm(cwd, { recursive: true, force: true })
    await cp(`${matrix}next`, cwd, { recursive: true })
    await copyTo(cwd, runtime === "edge")
    if (runtime === "edge")
      for (const route of ["auth/[...doorman]", "me"])
        await appendFile(`${cwd}/app/${route}/route.js`, 'export const runtime = "edge"\n')
    if (build !== undefined) {
      const output = await run(cwd, next, ...build)
      assert.notMatch(output, /warn|can't resolve|not found|critical dependency/i)
    }
    return { command: [next, ...serve, "-H", "localhost"], cwd }
  }
})

/** `next build --webpack` of 16.4.6 ends on a missing client-reference-manifest for each route handler on the edge runtime. */
const limitOf = (version: string, bundler: string, runtime: string): Pick<Row, "skip"> =>
  version === "16" && bundler === "webpack" && runtime === "edge"
    ? { skip: "Next.js 16.4.6 builds no route handler on the edge runtime by webpack, without this package either" }
    : {}

const nextRows = (["node", "edge"] as const).flatMap((runtime): ReadonlyArray<Row> => {
  const start = ["start"]
  return [
    { version: "14.2", bundler: "webpack", build: ["build"], serve: start } as const,
    { version: "14.2", bundler: "turbopack", serve: ["dev", "--turbo"] } as const,
    { version: "15.1", bundler: "webpack", build: ["build"], serve: start } as const,
    { version: "15.1", bundler: "turbopack", serve: ["dev", "--turbopack"] } as const,
    { version: "15.5", bundler: "webpack", build: ["build"], serve: start, ci: true } as const,
    { version: "15.5", bundler: "turbopack", build: ["build", "--turbopack"], serve: start, ci: true } as const,
    { version: "16", bundler: "webpack", build: ["build", "--webpack"], serve: start } as const,
    { version: "16", bundler: "turbopack", build: ["build"], serve: start } as const
  ].map((row) => nextRow({ ...row, runtime, ...limitOf(row.version, row.bundler, runtime) }))
})

type Target = "node" | "worker"

const bundlerRow = (bundler: string, target: Target, minifier: string, ci?: true): Row => ({
  name: `${bundler}, ${target}, ${minifier === "own" ? "minified by itself" : minifier}`,
  ...(ci === undefined ? {} : { ci }),
  make: async () => {
    const cwd = `${matrix}bundlers`
    const folder = `build-${bundler}-${target}-${minifier}`
    await rm(`${cwd}/${folder}`, { recursive: true, force: true })
    await copyTo(`${cwd}/${folder}`, target === "worker")
    await run(cwd, "build.js", folder, bundler, target, minifier)
    return { command: target === "node" ? [`${folder}/made.js`] : ["edge.js", `${folder}/made.js`], cwd }
  }
})

const bundlerRows = [
  ...(["esbuild", "vite", "webpack"] as const).flatMap((bundler) => [
    bundlerRow(bundler, "node", "own", true),
    bundlerRow(bundler, "worker", "own")
  ]),
  ...["swc-1.13", "swc-newest", "terser"].flatMap((minifier) => [
    bundlerRow("esbuild", "node", minifier, true),
    bundlerRow("webpack", "worker", minifier)
  ])
]

const rows = [...nextRows, ...bundlerRows]

let world: World
/** How each row that was run went. */
const outcomes = new Map<string, Results>()

/** A line of the table. */
const line = ({ name, skip }: Row): string => {
  const results = Object.entries(outcomes.get(name) ?? {})
  const cells = results.map(([kind, result]) => `${kind} ${result.split("\n")[0]}`)
  return `${name.padEnd(46)}  ${cells.join(", ") || (skip === undefined ? "not run, or not made" : `skipped: ${skip}`)}\n`
}

beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  await world?.close()
  process.stdout.write(`\n${rows.map(line).join("")}`)
})

describe.concurrent("what build tools make of the application", () => {
  for (const { ci, make, name, skip } of rows) {
    it.skipIf(skip !== undefined || (!isWhole && ci !== true))(name, async () => {
      const { command, cwd } = await make()
      const variables = { ...world.variables, NEXT_TELEMETRY_DISABLED: "1" }
      const { origin, said, stop } = await startServer(command, cwd, variables)
      const results = await signInAt(origin, world)
      await stop()
      outcomes.set(name, results)
      for (const [kind, result] of Object.entries(results)) assert.equal(result, "ok", `${kind}: ${said()}`)
    })
  }
})
