/**
 * A process with one Vitest that runs test files with mutants as its parent says.
 */
import { readFileSync } from "node:fs"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { createVitest } from "vitest/node"

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "")
const [, , codePath = "", workers = "1"] = process.argv
/** @type {Record<string, string>} */
const code = JSON.parse(readFileSync(codePath, "utf8"))

const vitest = await createVitest(
  "test",
  {
    root,
    config: `${root}/vitest.config.ts`,
    watch: false,
    runner: fileURLToPath(new URL("runner.mjs", import.meta.url)),
    reporters: [{}],
    maxWorkers: Number(workers),
    testTimeout: 6000,
    coverage: { enabled: false },
    onConsoleLog: () => false
  },
  {
    plugins: [
      {
        name: "mutants",
        enforce: "pre",
        load: (id) => code[relative(root, id.split("?")[0] ?? "")]
      }
    ]
  }
)

/** @param {any} task @returns {ReadonlyArray<any>} */
const testsIn = (task) => (task.type === "suite" || "filepath" in task ? task.tasks.flatMap(testsIn) : [task])

/** @param {{ readonly files: ReadonlyArray<string>, readonly job: import("./plan.mjs").Job }} work */
const run = async ({ files, job }) => {
  const all = await vitest.globTestSpecifications()
  vitest.provide(/** @type {never} */ ("mutation"), /** @type {never} */ (job))
  vitest.state.filesMap.clear()
  await vitest.runTestSpecifications(all.filter((one) => files.includes(relative(root, one.moduleId))))
  process.send?.(
    vitest.state.getFiles().map((file) => ({
      name: relative(root, file.filepath),
      duration: (file.result?.duration ?? 0) + (file.collectDuration ?? 0),
      state: file.result?.state,
      mutation: Reflect.get(file.meta, "mutation"),
      tests: testsIn(file).map((test) => ({
        id: test.id,
        title: test.name,
        duration: test.result?.duration ?? 0,
        state: test.result?.state
      }))
    }))
  )
}

process.on("message", (work) => void run(/** @type {any} */ (work)))
// Without its parent, neither this process nor what it has started has anything to do.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"))
process.send?.("ready")
