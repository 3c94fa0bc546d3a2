/**
 * Fails a test file in which a promise was rejected and nobody looked.
 *
 * The runner ends such a run with an error too; this names the file and the reason, and does not depend on the runner.
 */
import { afterAll } from "vitest"

const rejections: Array<unknown> = []

process.on("unhandledRejection", (reason) => void rejections.push(reason))

afterAll(async () => {
  await new Promise((resolve) => setImmediate(resolve))
  if (rejections.length > 0)
    throw new AggregateError(rejections, `${rejections.length} promises were rejected unhandled`)
})
