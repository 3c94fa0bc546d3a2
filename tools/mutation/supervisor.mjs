/**
 * Starts workers, gives them work, and ends those that hang.
 */
import { fork } from "node:child_process"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** @typedef {import("./plan.mjs").Detection} Detection */
/** @typedef {import("./plan.mjs").Job} Job */

/** Times that a test may fail without a mutant, after one, before it is left out. */
const mostFailures = 2

/** Milliseconds that an attempt at a mutant may take at least, however fast the tests are without one. */
const shortestLimit = 8000

/**
 * Milliseconds after which an attempt is ended from outside: a loop that never yields stops every timer in its process.
 *
 * @param {import("./plan.mjs").FileCoverage} normal @param {number} shortest
 */
const limitOf = ({ tests }, shortest) =>
  shortest + 5 * Math.max(0, ...Object.values(tests).map(({ duration }) => duration))

/**
 * The mutant of an attempt that has run for longer than the limit. The runner writes the mutant into the file when an attempt
 * starts, and nothing when it ends.
 *
 * @param {string} path @param {number} limit milliseconds
 */
const hangingMutant = (path, limit) => {
  if (!existsSync(path) || Date.now() - statSync(path).mtimeMs <= limit) return undefined
  return readFileSync(path, "utf8") || undefined
}

/**
 * @param {{ readonly codePath: string, readonly attempt: string, readonly workers: number, readonly worker?: string,
 *   readonly shortest?: number }} options
 */
export const start = ({
  attempt,
  codePath,
  shortest = shortestLimit,
  worker = fileURLToPath(new URL("worker.mjs", import.meta.url)),
  workers
}) => {
  /** @type {Promise<import("node:child_process").ChildProcess> | undefined} */
  let running

  const launch = (count = 1) =>
    new Promise((resolve, reject) => {
      const child = fork(worker, [codePath, String(count)], {
        detached: true,
        stdio: ["ignore", "ignore", "inherit", "ipc"]
      })
      child.once("message", () => resolve(child))
      child.once("error", reject)
    })

  /** Ends a worker with everything that it has started. */
  const kill = (/** @type {import("node:child_process").ChildProcess} */ child) => {
    running = undefined
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL")
  }

  /**
   * The files of a run, or nothing when it, or an attempt in it, took longer than it may.
   *
   * @param {Job} job @param {ReadonlyArray<string>} files @param {number} limit milliseconds @param {number} count
   * @param {number} [attemptLimit] milliseconds
   * @returns {Promise<ReadonlyArray<any> | undefined>}
   */
  const run = async (job, files, limit, count = 1, attemptLimit = Infinity) => {
    running ??= launch(count)
    const child = await running
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(undefined), limit)
      const watch = setInterval(() => {
        if (hangingMutant(attempt, attemptLimit) !== undefined) end(undefined)
      }, 250)
      const end = (/** @type {ReadonlyArray<any> | undefined} */ result) => {
        clearTimeout(timer)
        clearInterval(watch)
        child.removeAllListeners()
        if (result === undefined) kill(child)
        resolve(result)
      }
      child.once("message", (/** @type {any} */ result) => end(result))
      child.once("exit", () => end(undefined))
      child.send({ job, files })
    })
  }

  return {
    /** Test files without a mutant. @param {ReadonlyArray<string>} files */
    cover: async (files) => {
      const all = []
      for (let at = 0; at < files.length; at += 16) {
        const chunk = await run({ kind: "coverage" }, files.slice(at, at + 16), 1_200_000, workers)
        if (chunk === undefined) throw new Error(`these tests did not end: ${files.slice(at, at + 16).join(", ")}`)
        all.push(...chunk)
        console.log(`coverage of ${all.length} of ${files.length} test files`)
      }
      if (running !== undefined) kill(await running)
      return all
    },

    /**
     * One test file with one mutant after the other; adds what was detected, answers what is unsure.
     *
     * @param {string} file
     * @param {ReadonlyMap<string, ReadonlyArray<readonly [string, number]>>} tests
     * @param {Map<string, Detection>} detected
     * @param {import("./plan.mjs").FileCoverage} [normal]
     */
    switch: async (file, tests, detected, normal = { duration: 0, static: {}, tests: {} }) => {
      /** @type {Set<string>} */
      const unsure = new Set()
      /** Failures without a mutant, by test. @type {Map<string, number>} */
      const failures = new Map()
      /** @type {Set<string>} */
      const unsureLater = new Set()
      for (;;) {
        const left = [...tests]
          .filter(([id]) => (failures.get(id) ?? 0) < mostFailures)
          .map(
            ([id, mutants]) =>
              /** @type {const} */ ([id, mutants.filter(([one]) => !detected.has(one) && !unsure.has(one))])
          )
          .filter(([, mutants]) => mutants.length > 0)
        if (left.length === 0) return new Set([...unsure, ...unsureLater])
        const attempts = left.flatMap(([, mutants]) => mutants).length
        writeFileSync(attempt, "")
        const limit = 60_000 + 10 * normal.duration + attempts * 500
        const job = /** @type {const} */ ({ kind: "switch", attempt, tests: Object.fromEntries(left) })
        const files = await run(job, [file], limit, 1, limitOf(normal, shortest))
        if (files === undefined) {
          // The process hangs or died: the mutant of the attempt did it, or nothing is known of this file.
          const last = readFileSync(attempt, "utf8")
          if (last === "")
            return new Set([...unsure, ...unsureLater, ...left.flatMap(([, all]) => all.map(([one]) => one))])
          detected.set(last, { how: "timeout", by: file })
          continue
        }
        /** @type {import("./plan.mjs").Verdicts | undefined} */
        const verdicts = files[0]?.mutation
        for (const [id, detection] of Object.entries(verdicts?.detected ?? {})) detected.set(id, detection)
        for (const id of verdicts?.unsure ?? []) unsure.add(id)
        if (verdicts?.polluted === undefined) return new Set([...unsure, ...unsureLater])
        // A test that does not bear repetition says nothing here: its mutants meet the whole file later.
        const count = (failures.get(verdicts.polluted) ?? 0) + 1
        failures.set(verdicts.polluted, count)
        if (count === mostFailures) for (const [id] of tests.get(verdicts.polluted) ?? []) unsureLater.add(id)
      }
    },

    /**
     * One test file with a mutant that is there from the start.
     *
     * @param {string} file @param {string} mutant @param {import("./plan.mjs").FileCoverage | undefined} normal
     * @returns {Promise<Detection | undefined>}
     */
    whole: async (file, mutant, { duration, tests } = { duration: 0, static: {}, tests: {} }) => {
      const files = await run({ kind: "whole", mutant }, [file], 20_000 + 5 * duration)
      if (files === undefined) return { how: "timeout", by: file }
      const passing = new Set(
        files[0]?.tests
          .filter((/** @type {any} */ { state }) => state === "pass")
          .map((/** @type {any} */ { id }) => id)
      )
      return Object.keys(tests).some((id) => !passing.has(id)) ? { how: "killed", by: file } : undefined
    },

    end: async () => {
      if (running !== undefined) kill(await running)
    }
  }
}
