/**
 * Tests the newest published versions of `jose`, of `oauth4webapi` and of the framework packages: `npm run newest`, from the
 * network.
 *
 * The protocol tests run on the two libraries in place of those of the lock. The applications of test/packed are installed without
 * their locks, each dependency in its newest version, with the packed package in them, and go through their flows.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))
const libraries = ["jose", "oauth4webapi"]
/** The framework packages, and what comes with each. Other packages keep their versions. */
const frameworks = {
  express: ["@auth/express", "express"],
  hono: ["@hono/auth-js", "hono", "@hono/node-server"],
  sveltekit: ["@auth/sveltekit", "@sveltejs/kit", "@sveltejs/adapter-node"],
  next: ["next-auth@beta", "next"],
  "next-auth": ["next-auth@beta"]
}
/** @type {Array<string>} */
const failed = []

/** @param {string} what @param {string} command @param {ReadonlyArray<string>} args @param {{ readonly cwd?: string, readonly env?: Readonly<Record<string, string>> }} [options] */
const attempt = (what, command, args, { cwd = root, env = {} } = {}) => {
  const { status } = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" })
  if (status !== 0) failed.push(what)
  return status === 0
}

/** @param {string} folder @param {ReadonlyArray<string>} packages */
const install = (folder, packages) =>
  attempt(
    `npm install ${packages.join(" ")}`,
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...packages],
    { cwd: folder }
  ) && attempt(`npm ls ${packages.join(" ")}`, "npm", ["ls", "--depth=0"], { cwd: folder })

/** @param {string} name */
const latest = (name) => (/.@/.test(name) ? name : `${name}@latest`)

const folder = mkdtempSync(join(tmpdir(), "doorman-newest-"))
try {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "newest", private: true }))
  if (install(folder, libraries.map(latest)))
    attempt("protocol tests", "npx", ["vitest", "run", "--config", "vitest.newest.config.ts"], {
      env: { DOORMAN_LIBRARIES: folder }
    })
  for (const [name, packages] of Object.entries(frameworks)) {
    const place = join(root, "test/packed", name)
    cpSync(place, join(folder, name), {
      recursive: true,
      filter: (path) => !/[\\/](?:node_modules|\.next|\.svelte-kit|build|edge)$|package-lock\.json$/.test(path)
    })
    install(join(folder, name), packages.map(latest))
  }
  const slow = ["Express", "Hono", "SvelteKit", "Next", "NextAuth"].map((name) => `test/frameworks/${name}.slow.ts`)
  attempt("framework packages", "npx", ["vitest", "run", "--config", "vitest.frameworks.config.ts", ...slow], {
    env: { DOORMAN_APPLICATIONS: folder }
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(failed.length === 0 ? "newest: all pass" : `newest: failed: ${failed.join(", ")}`)
if (failed.length > 0) process.exitCode = 1
