/**
 * Remembers what this process has already written to the log. It decides only whether a line is written again.
 *
 * @since 0.1.0
 */
const lines = new Set<string>()

/** Most lines that are remembered; the oldest go first. */
const capacity = 1000

/** Is it the first time for this line? `key` holds no value of a request and no secret. */
export const isFirstTime = (key: string): boolean => {
  if (lines.has(key)) return false
  lines.add(key)
  const [oldest] = lines.size > capacity ? lines : []
  if (oldest !== undefined) lines.delete(oldest)
  return true
}

/** Forgets everything, for tests. @internal */
export const forgetAll = (): void => lines.clear()
