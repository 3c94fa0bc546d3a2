/**
 * A real Chromium for the tests: an installed one where there is one, else the one from the npm package
 * `@sparticuz/chromium`. It reaches this machine and nothing else: every other request is refused and written down.
 */
import { createReadStream, createWriteStream, existsSync } from "node:fs"
import { lstat, mkdir, mkdtemp, rename, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createBrotliDecompress } from "node:zlib"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { chromium as playwright } from "playwright-core"

/** Where a Chromium or Chrome is usually installed; CHROMIUM_PATH comes first. */
const installed = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"
]

/** One browser for a whole test file. */
export interface TestBrowser {
  /** A new visitor: own cookies, nothing remembered. */
  readonly visitor: (options?: BrowserContextOptions) => Promise<Visitor>
  readonly close: () => Promise<void>
}

/** One visitor with one open tab; more tabs come from `context.newPage()`. */
export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** Requests to other machines that were refused. */
  readonly strangers: ReadonlyArray<string>
  /** Complaints of the pages: console errors (policy violations among them) and uncaught exceptions. */
  readonly complaints: ReadonlyArray<string>
  /** Forgets the complaints so far, where a test provokes some on purpose. */
  readonly forgive: () => void
}

const isLoopback = (url: string): boolean => {
  const { hostname, protocol } = new URL(url)
  return (
    protocol === "data:" ||
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "127.0.0.1" ||
    hostname === "[::1]"
  )
}

/** Starts Chromium; fails with a readable message when there is none, so that a missing browser never looks like a passed test. */
export const launchBrowser = async (): Promise<TestBrowser> => {
  const browser = await launch().catch((error: unknown) => {
    throw new Error(
      "No Chromium could be started, so the browser tests did not run. Install chromium, or set CHROMIUM_PATH, " +
        `or install the development dependencies so that @sparticuz/chromium is there. (${String(error)})`,
      { cause: error }
    )
  })
  return {
    visitor: async (options = {}) => {
      const context = await browser.newContext(options)
      // Every step happens on this machine: what takes longer than this will not come.
      context.setDefaultTimeout(60_000)
      const strangers: Array<string> = []
      const complaints: Array<string> = []
      await context.route(
        (url) => !isLoopback(url.href),
        (route) => {
          strangers.push(route.request().url())
          return route.abort()
        }
      )
      context.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text())
      })
      context.on("weberror", (error) => complaints.push(String(error.error())))
      return { context, page: await context.newPage(), strangers, complaints, forgive: () => void complaints.splice(0) }
    },
    close: () => browser.close()
  }
}

const launch = async (): Promise<Browser> => playwright.launch(await launchOptions())

const launchOptions = async () => {
  const found = installed.find((path) => path !== undefined && path !== "" && existsSync(path))
  if (found !== undefined) return { executablePath: found }
  // The package's own arguments are for a cramped function host: they switch off the very web security that is tested here.
  return { executablePath: await unpackChromium(), args: ["--no-sandbox", "--disable-gpu"] }
}

/** Starts a Chromium of its own that keeps its cookies in a folder, as that of a person does. */
export const launchProfile = async (folder: string): Promise<BrowserContext> =>
  playwright.launchPersistentContext(folder, await launchOptions())

/** A folder of this user's own: another user of the machine neither owns its files nor can put one there. */
const ownFolder = async (): Promise<string> => {
  const folder = join(tmpdir(), `doorman-chromium-${process.getuid?.() ?? "user"}`)
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined)
  const found = await lstat(folder).catch(() => undefined)
  const isOwn = found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid())
  return isOwn && (process.platform === "win32" || (found.mode & 0o077) === 0)
    ? folder
    : mkdtemp(join(tmpdir(), "doorman-chromium-"))
}

/**
 * The browser of the package, unpacked once for each user and version. The package itself unpacks into one folder for all
 * users, which only the first of them can run, and names the file before it is whole, which two test files at once would not
 * survive.
 */
const unpackChromium = async (): Promise<string> => {
  const packed = join(createRequire(import.meta.url).resolve("@sparticuz/chromium"), "../../bin/chromium.br")
  const { size, mtimeMs } = await lstat(packed)
  const folder = await ownFolder()
  const path = join(folder, `chromium-${size}-${Math.floor(mtimeMs)}`)
  if (existsSync(path)) return path
  const part = `${path}.${process.pid}`
  try {
    await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(part, { mode: 0o700 }))
    await rename(part, path)
  } finally {
    await rm(part, { force: true })
  }
  return path
}
