/**
 * Lets processes that tests start keep what Node compiled: the next one with these modules starts in half the time.
 */
import module from "node:module"
import { fileURLToPath } from "node:url"

module.enableCompileCache?.(fileURLToPath(new URL("../../node_modules/.cache/compile", import.meta.url)))
// Node writes it when a process ends, and a test may kill this one.
setTimeout(() => module.flushCompileCache?.(), 1000).unref()
