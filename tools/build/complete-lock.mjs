/**
 * Completes package-lock.json with the native packages of other platforms.
 *
 * A registry mirror that does not carry them leaves them out of the lock, and then `npm ci` refuses the lock on every
 * machine. An entry needs no more than its exact version and its platform: npm skips it elsewhere and fetches it there.
 * Run it after `npm install`; it changes nothing when nothing is missing. An argument names another lock file.
 */
import { readFileSync, writeFileSync } from "node:fs"

/**
 * @typedef {{ version?: string, link?: boolean, dev?: boolean, optional?: boolean, os?: Array<string>, cpu?: Array<string>, libc?: Array<string>, optionalDependencies?: Record<string, string> }} Entry
 */

const path = process.argv[2] ?? new URL("../../package-lock.json", import.meta.url)
/** @type {{ packages: Record<string, Entry> }} */
const lock = JSON.parse(readFileSync(path, "utf8"))

const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"]
const processors = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"]

/** @param {string} name @returns {Pick<Entry, "os" | "cpu" | "libc"> | undefined} */
const platformOf = (name) => {
  const words = name.split(/[/-]/)
  const os = systems.find((system) => words.includes(system) || (system === "linux" && words.includes("linuxmusl")))
  const cpu = processors.find((processor) => words.includes(processor))
  if (os === undefined || cpu === undefined) return undefined
  const libc = words.some((word) => word.startsWith("musl"))
    ? "musl"
    : words.some((word) => word.startsWith("gnu")) && os === "linux"
      ? "glibc"
      : undefined
  return { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc: [libc] }) }
}

let added = 0
for (const entry of Object.values({ ...lock.packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    const platform = platformOf(name)
    if (lock.packages[key] !== undefined || platform === undefined || !/^\d/.test(version)) continue
    lock.packages[key] = { version, ...platform, ...(entry.dev === true ? { dev: true } : {}), optional: true }
    added++
  }
}
if (added > 0) {
  const { "": self, ...rest } = lock.packages
  lock.packages = Object.fromEntries([
    ["", self ?? {}],
    ...Object.entries(rest).sort(([a], [b]) => a.localeCompare(b, "en"))
  ])
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
}
console.log(`package-lock.json: ${added} packages of other platforms added`)
