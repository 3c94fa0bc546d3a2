/**
 * The demo as a process of its own, as `npm start` runs it.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(new URL("../../demo/server.ts", import.meta.url))
const compileCache = new URL("../../tools/tests/compile-cache.mjs", import.meta.url).href

/** A folder for the demo's data, and its removal. */
export const makeFolder = async (): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), "doorman-demo-"))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Runs the demo; `output.said` grows while it talks. Nothing of this process's environment reaches it but the path. */
export const runDemo = (environment: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, ["--import", compileCache, script], {
    env: { PATH: process.env["PATH"], ...environment }
  })
  const output = { said: "" }
  const heard = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output.said += String(chunk)
      for (const listener of heard) listener()
    })
  }
  const exit = once(child, "exit").then(([code]: ReadonlyArray<unknown>) => code)
  /** Resolves with the first address that matches. */
  const address = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(output.said)
        if (found !== null) resolve(found[0])
      }
      heard.add(look)
      look()
      void exit.then(() => reject(new Error(`the demo ended: ${output.said}`)))
    })
  /** Ends it without a word of warning, as a machine that loses its power does. */
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL")
    await exit
  }
  return { child, output, exit, address, kill }
}

/** A demo that runs. */
export type DemoProcess = ReturnType<typeof runDemo>

/** The address of the application. */
export const homeAddress = /http:\/\/localhost:\d+/

/** The address of the OpenID provider. */
export const providerAddress = /http:\/\/127\.0\.0\.1:\d+/
