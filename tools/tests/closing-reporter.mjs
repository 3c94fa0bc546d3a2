/**
 * Ends a test run with one plain line, `N passed, N failed`, for people and programs that read only the last line.
 */
export default class ClosingReporter {
  /** @param {ReadonlyArray<import("vitest/node").TestModule>} modules @param {ReadonlyArray<unknown>} errors */
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      const broken = module.errors().length
      counts.failed += broken
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state !== "pending") counts[state]++
      }
    }
    const skipped = counts.skipped === 0 ? "" : `, ${counts.skipped} skipped`
    process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`)
  }
}
