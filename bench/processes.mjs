/** The flags of node each measuring script needs. */

/** Enough for interleaved measuring: a minor collection before each slice. */
export const measureFlags = ["--expose-gc"]

/** A young generation that holds a whole batch. */
export const allocationFlags = ["--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"]

/** A full collection on demand. */
export const heapFlags = ["--expose-gc"]
