/**
 * Finds out whether an optional package is installed.
 *
 * @since 0.1.0
 */
import { textOf } from "../internal/ThrownValue.ts"

/** The packages that only some configurations need. */
export type OptionalPackage = "@simplewebauthn/server" | "nodemailer"

type Answer = "installed" | "missing" | "unknown"

/** Asks the runtime where a package is. Nothing is loaded. Runtimes and bundlers that cannot say are `unknown`. */
const lookUp = (name: string): Answer => {
  try {
    return typeof import.meta.resolve === "function" && import.meta.resolve(name) !== "" ? "installed" : "unknown"
  } catch (cause) {
    return textOf(cause, "code") === "ERR_MODULE_NOT_FOUND" && isOwnFile() ? "missing" : "unknown"
  }
}

/** With the name in a variable, bundlers do not take the file along. */
const manifest: string = "effect-doorman/package.json"

/** Is this the file that was installed? A bundle may hold packages that the runtime does not find beside the bundle. */
const isOwnFile = (): boolean => {
  try {
    return import.meta.url.startsWith(new URL(".", import.meta.resolve(manifest)).href)
  } catch {
    return false
  }
}

/** Does the runtime say that the package is not installed? */
export const isMissing = (name: OptionalPackage): boolean => lookUp(name) === "missing"

/** Is the package installed? Where the runtime does not say, loading it decides. */
export const isInstalled = async (name: OptionalPackage, load: () => Promise<unknown>): Promise<boolean> =>
  lookUp(name) === "installed" ||
  load().then(
    () => true,
    () => false
  )
