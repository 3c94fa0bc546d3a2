/**
 * Says which Node the package needs, before a file of it fails with an error that does not.
 *
 * @since 0.1.0
 */

/** Throws on a Node that is too old. Bun and Deno name the version of Node that they stand for. */
export const requireNode = (): void => {
  const version = typeof process === "undefined" ? undefined : process.versions?.node
  const [major = 0, minor = 0] = (version ?? "99.0").split(".").map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`effect-doorman needs Node 20.19 or newer; this is Node ${version}. Install a newer Node.`)
}
