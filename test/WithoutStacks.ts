/**
 * For test files that make errors by the thousand and read no stack: taking and mapping stacks is a tenth to a half of their time.
 * A test that fails in such a file is named with its message alone.
 */
import { afterAll, beforeAll } from "vitest"

export const withoutStacks = (): void => {
  const { stackTraceLimit } = Error
  beforeAll(() => void (Error.stackTraceLimit = 0))
  afterAll(() => void (Error.stackTraceLimit = stackTraceLimit))
}
