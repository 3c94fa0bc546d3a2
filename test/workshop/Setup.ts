/**
 * Fails a test file in which a promise was rejected and nobody looked.
 *
 * The runner ends such a run with an error too; this names the file and the reason, and does not depend on the runner.
 */
import { afterAll } from "vitest"
import "./Gen.ts"
import { forgetAll } from "../../src/internal/OncePerProcess.ts"

// Test files that share a process each begin with a log in which no line was written yet.
forgetAll()

const rejections: Array<unknown> = []

const collect = (reason: unknown): void => void rejections.push(reason)

process.on("unhandledRejection", collect)

afterAll(async () => {
  await new Promise((resolve) => setImmediate(resolve))
  process.off("unhandledRejection", collect)
  if (rejections.length > 0)
    throw new AggregateError(rejections, `${rejections.length} promises were rejected unhandled`)
})
