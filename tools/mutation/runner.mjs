/**
 * Runs tests with mutants: the runner of a test file, inside Vitest.
 *
 * `coverage` notes which mutants each test reaches. `switch` runs each test again and again in one process, each time with
 * another mutant switched on. `whole` runs the file once with one mutant switched on before anything is loaded.
 */
import { writeFileSync } from "node:fs"
import { inject, TestRunner } from "vitest"

/** @typedef {import("./plan.mjs").Job} Job */
/** @typedef {{ activeMutant?: string, currentTestId?: string, hitCount?: number, hitLimit?: number, mutantCoverage?: any }} Switches */

/** @type {Job} */
const job = inject(/** @type {never} */ ("mutation"))
/** @type {Switches} */
const switches = {}
Reflect.set(globalThis, "__stryker__", switches)
if (job.kind === "whole") switches.activeMutant = job.mutant

/** The results of the mutants of this file. @type {import("./plan.mjs").Verdicts} */
const verdicts = { detected: {}, unsure: [], polluted: undefined }

/** @param {string} id */
const isDecided = (id) => id in verdicts.detected || verdicts.unsure.includes(id)

export default class MutationRunner extends TestRunner {
  /** @type {Array<string>} */
  queue = []
  /** The mutant of the attempt; `control` is an attempt without any, after a failure. @type {string | undefined} */
  current
  /** @type {string | undefined} */
  suspect
  /** Hits after which a mutant runs for ever. @type {Readonly<Record<string, number>>} */
  limits = {}

  /** @param {any} test */
  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test)
    if (job.kind !== "switch") return
    const wanted = (job.tests[test.id] ?? []).filter(([id]) => !isDecided(id))
    if (wanted.length === 0 || verdicts.polluted !== undefined || !["run", "queued"].includes(test.mode)) {
      test.mode = "skip"
      return
    }
    this.queue = wanted.map(([id]) => id)
    this.limits = Object.fromEntries(wanted)
    // A failure is followed by an attempt without a mutant.
    test.repeats = 2 * wanted.length - 1
  }

  /** @param {any} test @param {any} options */
  onBeforeTryTask(test, options) {
    super.onBeforeTryTask(test, options)
    if (job.kind === "coverage") switches.currentTestId = test.id
    if (job.kind !== "switch") return
    this.current = this.suspect === undefined && verdicts.polluted === undefined ? this.queue.shift() : undefined
    switches.activeMutant = this.current
    switches.hitCount = 0
    switches.hitLimit = this.current === undefined ? undefined : this.limits[this.current]
    if (this.current !== undefined) writeFileSync(job.attempt, this.current)
  }

  /** @param {any} test */
  async runTask(test) {
    // Nothing is left to do for this test.
    if (job.kind === "switch" && this.current === undefined && this.suspect === undefined) return
    await TestRunner.getTestFn(test)()
  }

  /** @param {any} test @param {any} options */
  async onAfterRetryTask(test, options) {
    await super.onAfterRetryTask(test, options)
    switches.currentTestId = undefined
    if (job.kind !== "switch") return
    if (this.current !== undefined) writeFileSync(job.attempt, "")
    switches.activeMutant = undefined
    const hasFailed = (test.result.state === "fail") !== (test.fails === true)
    const why = test.result.errors?.at(-1)?.message ?? ""
    const limited = (switches.hitCount ?? 0) > (switches.hitLimit ?? Infinity)
    test.result.errors = undefined
    if (this.suspect !== undefined) {
      // The test fails without a mutant too: what it said of the mutant is worth nothing.
      if (hasFailed) {
        delete verdicts.detected[this.suspect]
        verdicts.unsure.push(this.suspect)
        verdicts.polluted = test.id
      }
      this.suspect = undefined
    } else if (this.current !== undefined && (hasFailed || limited)) {
      verdicts.detected[this.current] = {
        how: limited || /timed out in/.test(why) ? "timeout" : "killed",
        by: test.name
      }
      this.suspect = this.current
    }
    this.current = undefined
  }

  /** @param {any} suite */
  async onAfterRunSuite(suite) {
    await super.onAfterRunSuite(suite)
    if (!("filepath" in suite)) return
    suite.meta.mutation = job.kind === "coverage" ? (switches.mutantCoverage ?? { static: {}, perTest: {} }) : verdicts
  }
}
