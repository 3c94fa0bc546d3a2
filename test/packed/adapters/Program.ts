/** Servers that do not come from npm: found where they are installed, started on a free port, and gone with the test. */
import { type SpawnOptions, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createServer } from "node:net"
import { delimiter, join } from "node:path"

/** The path of a program, where one of these names is installed. */
export const installed = (...names: ReadonlyArray<string>): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"]
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path))

/** Says what is not tested here. It is no failure under `CI` either: no package of npm brings it along. */
export const absent = (what: string, why: string): void => void process.stdout.write(`${what} is not tested: ${why}\n`)

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject(address)))
    })
  })

export interface Running {
  readonly port: number
  readonly stop: () => Promise<void>
}

/** Starts a server. A port that was free a moment ago may be somebody else's by now: then the next one is tried. */
export const start = async (
  program: string,
  argumentsOf: (port: number) => ReadonlyArray<string>,
  { options = {}, ready, taken }: { readonly options?: SpawnOptions; readonly ready: RegExp; readonly taken: RegExp },
  left = 5
): Promise<Running> => {
  const port = await freePort()
  const server = spawn(program, argumentsOf(port), { ...options, stdio: ["ignore", "pipe", "pipe"] })
  const abandon = () => void server.kill("SIGKILL")
  process.once("exit", abandon)
  const closed = new Promise<void>((resolve) => server.once("close", () => resolve()))
  let log = ""
  const isUp = await new Promise<boolean>((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr])
      stream?.on("data", (chunk) => {
        log = (log + String(chunk)).slice(-4000)
        if (ready.test(log)) resolve(true)
      })
    server.once("error", reject)
    server.once("close", () => (left > 0 && taken.test(log) ? resolve(false) : reject(new Error(`${program}: ${log}`))))
  })
  if (!isUp) {
    process.removeListener("exit", abandon)
    return start(program, argumentsOf, { options, ready, taken }, left - 1)
  }
  return {
    port,
    stop: async () => {
      server.kill("SIGTERM")
      await closed
      process.removeListener("exit", abandon)
    }
  }
}
