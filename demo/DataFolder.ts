/**
 * The folder in which the demo keeps what has to survive a restart: the users, unless they are in PostgreSQL, and the
 * secret from which every key is derived. Remove the folder to begin again.
 */
import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** Where the demo keeps its data by default. */
export const usualFolder = fileURLToPath(new URL(".data", import.meta.url))

/** Makes the folder, for its owner alone. */
export const openFolder = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

/**
 * The secret of this installation: made at the first start. The operator of a real application sets its secret.
 */
export const keptSecret = (folder: string): string => {
  const file = join(folder, "secret")
  try {
    // Of two processes that start at once, one writes and both read.
    writeFileSync(file, randomBytes(33).toString("base64url"), { flag: "wx", mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
  }
  return readFileSync(file, "utf8").trim()
}

/** A path relative to the current folder, where it is inside. */
export const typed = (path: string): string => {
  const near = relative(process.cwd(), resolve(path))
  return near.startsWith("..") ? path : near
}
