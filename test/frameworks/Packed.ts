/**
 * Applications below `test/packed`: built and started as programs of their own, with this package as npm installs it in
 * place of `@auth/core`. `tools/tests/packed.mjs` installs them.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { startServer } from "../examples/Example.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import type { Paths, Running } from "./Application.ts"
import { applicationAt, environment } from "./Application.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Where an application lies; `DOORMAN_APPLICATIONS` names a folder of others, for example with another `@auth/core`. */
export const folderOf = (name: string): string => {
  const folder = `${process.env["DOORMAN_APPLICATIONS"] ?? `${root}test/packed`}/${name}`
  if (!existsSync(`${folder}/node_modules`))
    throw new Error(
      `${folder} is not installed: npm run test:frameworks does that (node tools/tests/packed.mjs ${folder})`
    )
  return folder
}

/** Runs a program in a folder, with nothing of AUTH_* in its environment; a failure shows what it printed. */
export const run = (cwd: string, ...args: ReadonlyArray<string>): Promise<string> => runWith({}, cwd, ...args)

/** The command with variables of its own. */
export const runWith = async (
  variables: Readonly<Record<string, string>>,
  cwd: string,
  ...args: ReadonlyArray<string>
): Promise<string> => {
  const { HOME, PATH } = process.env
  const env = { HOME, PATH, NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1", ...variables }
  return promisify(execFile)(process.execPath, args, { cwd, env, maxBuffer: 16 * 1024 * 1024 }).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout?: string; readonly stderr?: string }) => {
      throw new Error(`${args.join(" ")} failed in ${cwd}: ${error.stdout ?? ""}${error.stderr ?? ""}`, {
        cause: error
      })
    }
  )
}

/** Prints how long something took. */
export const timed = async <A>(what: string, work: Promise<A>): Promise<A> => {
  const started = performance.now()
  const result = await work
  process.stdout.write(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  return result
}

/** An application that runs. */
export interface Packed extends Running {
  /** The output. */
  readonly said: () => string
}

/** Starts an application that knows the provider; one that lies `below` another uses the packages of that. */
export const start = async (
  name: string,
  command: ReadonlyArray<string>,
  provider: OpenIdProvider,
  paths: Paths,
  below = ""
): Promise<Packed> => {
  const variables = { ...environment(provider), AUTH_TRUST_HOST: "true", NEXT_TELEMETRY_DISABLED: "1" }
  const { origin, said, stop } = await startServer(command, folderOf(name) + below, variables)
  return { ...applicationAt(origin, paths), said, close: async () => void (await stop()) }
}
