/**
 * Installs a folder with this package in it, as it is now: built, packed, and put where the folder's package.json says.
 *
 * Such a folder names `file:.package/effect-doorman.tgz` as an application would name a version, for example as `@auth/core`
 * with an override of the same name. Its lock holds the exact versions and the integrity of everything else; this package
 * stands in it without an integrity, because every build has another one. `npm ci` keeps to that, and needs no network once
 * the cache of npm is filled.
 *
 * `node tools/tests/packed.mjs <folder>...` installs. `--lock` makes the locks of the folders anew, after a change of a
 * package.json. `--unchecked` packs sources whose types are wrong, while work is in progress.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { listFiles } from "../build/package-map.mjs"

/**
 * @typedef {{ readonly name?: string, readonly version?: string, readonly dependencies?: Record<string, string>, readonly devDependencies?: Record<string, string>, readonly peerDependencies?: Record<string, string>, readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }> }} Manifest
 * @typedef {Manifest & { integrity?: string, resolved?: string }} LockEntry
 */

const root = fileURLToPath(new URL("../../", import.meta.url))
const words = process.argv.slice(2)
const unchecked = words.includes("--unchecked")
const locking = words.includes("--lock")
const folders = words.filter((word) => !word.startsWith("--")).map((word) => resolve(word))
const tarball = ".package/effect-doorman.tgz"
/** The inputs of the packed package. */
const ingredients = ["src", "package.json", "tsconfig.base.json", "tsconfig.build.json", "tools/build"]
const papers = ["README.md", "LICENSE"]

/** The variables of an outer `npm run` do not reach the npm that is started here. */
const environment = () => {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) || /^npm_config_(registry|cache|userconfig|globalconfig)$/i.test(name)
  )
  const path = [join(root, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter)
  return { ...Object.fromEntries(kept), PATH: path, NO_COLOR: "1" }
}

/** @param {string} cwd @param {string} command @param {ReadonlyArray<string>} args */
const attempt = (cwd, command, args) => {
  const { error, status, stderr, stdout } = spawnSync(command, args, { cwd, encoding: "utf8", env: environment() })
  const said = `${error ?? ""}${stdout ?? ""}${stderr ?? ""}`.replaceAll(/^npm warn .*nodedir.*\n/gm, "").trim()
  return { ok: status === 0, said, stdout: (stdout ?? "").trim() }
}

/** @param {string} cwd @param {string} command @param {ReadonlyArray<string>} args */
const run = (cwd, command, ...args) => {
  const { ok, said, stdout } = attempt(cwd, command, args)
  if (!ok) throw new Error(`${command} ${args.join(" ")} failed in ${cwd}\n${said}`)
  return stdout
}

/** @template A @param {string} what @param {() => A} work @returns {A} */
const timed = (what, work) => {
  const started = performance.now()
  const result = work()
  console.log(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return result
}

/** @param {string} path @returns {any} */
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"))

/** @param {string} base @param {ReadonlyArray<string>} paths */
const digest = (base, paths) => {
  const hash = createHash("sha256")
  for (const path of paths) {
    const whole = join(base, path)
    const files = statSync(whole).isDirectory() ? listFiles(whole).map((name) => join(path, name)) : [path]
    for (const file of files) {
      if (statSync(join(base, file)).isDirectory()) continue
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(base, file)))
        .update("\0")
    }
  }
  return hash.digest("hex")
}

/** Builds and packs in a folder of its own, so that nobody's `dist` changes meanwhile; the same sources are packed once. */
const pack = () => {
  const shelf = join(root, "node_modules/.cache/effect-doorman")
  const temporary = mkdtempSync(join(tmpdir(), "doorman-packed-"))
  try {
    for (const name of [...ingredients, ...papers]) cpSync(join(root, name), join(temporary, name), { recursive: true })
    const name = digest(temporary, [...ingredients, ...papers]).slice(0, 32)
    const path = join(shelf, `${name}${unchecked ? "-unchecked" : ""}.tgz`)
    if (existsSync(path)) return { path, name }
    symlinkSync(join(root, "node_modules"), join(temporary, "node_modules"))
    const bin = (/** @type {string} */ command) => join(root, "node_modules", command)
    timed("build", () => {
      run(temporary, process.execPath, bin("rolldown/bin/cli.mjs"), "-c", "tools/build/rolldown.config.mjs")
      const types = attempt(temporary, process.execPath, [bin("typescript/bin/tsc"), "-p", "tsconfig.build.json"])
      run(temporary, process.execPath, "tools/build/prune-declarations.mjs")
      run(temporary, process.execPath, "tools/build/effect-declarations.mjs")
      if (!types.ok && !unchecked) throw new Error(`The types of the sources are wrong.\n${types.said}`)
      if (!types.ok) console.log(`unchecked: ${types.said.split("\n").length} lines about types`)
    })
    rmSync(join(temporary, "node_modules"))
    const packed = run(temporary, "npm", "pack", "--silent", "--ignore-scripts").split("\n").at(-1) ?? ""
    mkdirSync(shelf, { recursive: true })
    copyFileSync(join(temporary, packed), `${path}.${process.pid}`)
    renameSync(`${path}.${process.pid}`, path)
    const old = readdirSync(shelf)
      .map((file) => join(shelf, file))
      .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    for (const file of old.slice(8)) rmSync(file, { force: true })
    return { path, name }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** The names by which the folder knows this package. @param {Manifest} manifest */
const namesOf = (manifest) =>
  Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter(([, range]) => range === `file:${tarball}`)
    .map(([name]) => name)

/** Returns the packages that npm installs with this package. @param {Manifest} manifest */
const needs = (manifest) => {
  const peers = Object.entries(manifest.peerDependencies ?? {}).filter(
    ([name]) => manifest.peerDependenciesMeta?.[name]?.optional !== true
  )
  const named = [...Object.entries(manifest.dependencies ?? {}), ...peers].map(([name, range]) => `${name}@${range}`)
  return named.sort().join(" ")
}

/** @param {string} folder */
const lock = (folder) => {
  const path = join(folder, "package-lock.json")
  rmSync(path, { force: true })
  rmSync(join(folder, "node_modules"), { recursive: true, force: true })
  run(folder, "npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund")
  const content = readJson(path)
  /** @type {ReadonlyArray<LockEntry>} */
  const entries = Object.values(content.packages)
  for (const entry of entries) if (entry.resolved === `file:${tarball}`) delete entry.integrity
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
  run(root, process.execPath, "tools/build/complete-lock.mjs", path)
}

/** Every place below a node_modules where a package of this name lies. @param {string} folder @param {string} name */
const placesOf = (folder, name) => {
  /** @type {Array<string>} */
  const found = []
  const pending = [join(folder, "node_modules")]
  for (let modules = pending.pop(); modules !== undefined; modules = pending.pop()) {
    if (!existsSync(modules)) continue
    for (const entry of readdirSync(modules)) {
      if (entry.startsWith(".")) continue
      const packages = entry.startsWith("@")
        ? readdirSync(join(modules, entry)).map((rest) => `${entry}/${rest}`)
        : [entry]
      for (const each of packages) {
        if (each === name && existsSync(join(modules, each, "package.json"))) found.push(join(modules, each))
        pending.push(join(modules, each, "node_modules"))
      }
    }
  }
  return found
}

/** Puts the files of the tarball in the place of those of an earlier one; what lies nested below stays. @param {string} place @param {string} path */
const unpack = (place, path) => {
  for (const entry of readdirSync(place))
    if (entry !== "node_modules") rmSync(join(place, entry), { recursive: true, force: true })
  run(place, "tar", "-xzf", path, "--strip-components=1")
}

/** @param {string} folder @param {{ readonly path: string, readonly name: string }} packed */
const install = (folder, packed) => {
  const manifest = readJson(join(folder, "package.json"))
  const names = namesOf(manifest)
  if (names.length === 0) throw new Error(`${folder}/package.json names no file:${tarball}`)
  mkdirSync(join(folder, dirname(tarball)), { recursive: true })
  copyFileSync(packed.path, join(folder, tarball))
  if (locking) timed(`lock ${folder}`, () => lock(folder))

  const lockText = readFileSync(join(folder, "package-lock.json"), "utf8")
  const own = readJson(join(root, "package.json"))
  for (const name of names) {
    const entry = JSON.parse(lockText).packages[`node_modules/${name}`]
    if (entry === undefined || needs(entry) !== needs(own) || entry.integrity !== undefined)
      throw new Error(
        `${folder}/package-lock.json does not know this package as it is: node tools/tests/packed.mjs --lock ${folder}`
      )
  }
  const stamp = join(folder, "node_modules/.effect-doorman.json")
  const before = existsSync(stamp) ? readJson(stamp) : {}
  const locked = createHash("sha256").update(JSON.stringify(manifest)).update(lockText).digest("hex")
  if (before.locked !== locked) {
    timed(`npm ci in ${folder}`, () =>
      run(folder, "npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error")
    )
  } else if (before.packed !== packed.name) {
    for (const name of names) for (const place of placesOf(folder, name)) unpack(place, packed.path)
  }
  for (const name of new Set([...names, "@auth/core"])) {
    const places = placesOf(folder, name)
    const foreign = places.filter((place) => readJson(join(place, "package.json")).name !== own.name)
    if (foreign.length > 0) throw new Error(`not this package: ${foreign.join(", ")}`)
    if (names.includes(name) && places.length === 0) throw new Error(`${folder} has no ${name}`)
  }
  writeFileSync(stamp, JSON.stringify({ locked, packed: packed.name }))
  console.log(`${folder}: ${names.join(", ")} is ${own.name} ${packed.name.slice(0, 8)}`)
}

if (folders.length === 0) throw new Error("node tools/tests/packed.mjs [--lock] [--unchecked] <folder>...")
const packed = pack()
for (const folder of folders) install(folder, packed)
