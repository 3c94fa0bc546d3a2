/** Starts a script of the benchmark in a process of its own and hands back the JSON it printed. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { here } from "./implementation.mjs"

/** Runs `script` under the given node binary; what it writes to stderr is passed on as progress. */
export const runScript = (node, script, args = [], flags = []) =>
  new Promise((resolve, reject) => {
    const child = execFile(
      node,
      [...flags, join(here, script), ...args],
      { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NODE_OPTIONS: "" } },
      (error, stdout) => {
        if (error !== null) return reject(error)
        try {
          resolve(JSON.parse(stdout))
        } catch {
          reject(new Error(`${script} printed no JSON: ${stdout.slice(0, 500)}`))
        }
      }
    )
    child.stderr.pipe(process.stderr)
  })
