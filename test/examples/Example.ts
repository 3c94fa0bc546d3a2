/**
 * An example as a process of its own, as `node examples/node/server.ts` runs it, but with the sources behind the name of the
 * package: nothing has to be built.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { CookieJarClient, Visit } from "../real/CookieJarClient.ts"
import { formFor } from "../real/CookieJarClient.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import { startOpenIdProvider } from "../real/OpenIdProvider.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Runs TypeScript: this Node, or on an older one the Node that the lock file brings along. */
const node = process.features.typescript === undefined ? `${root}node_modules/.bin/node` : process.execPath

/** An example that runs. */
export interface Example {
  /** Where it says that it is. */
  readonly origin: string
  /** What it printed. */
  readonly said: () => string
  /** Asks it to end, and tells how it did. */
  readonly stop: () => Promise<number | null>
}

const secret = "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz"

/** Starts an example on a free port; resolves when it has printed its address. Of this process's environment it sees the path. */
export const startExample = (script: string, environment: Readonly<Record<string, string>> = {}): Promise<Example> =>
  startServer(
    ["--no-warnings", "--import", "./tools/tests/docs-source-hooks.mjs", `examples/${script}`],
    root,
    environment
  )

/** Runs Node in a folder with these arguments, as a server. */
export const startServer = async (
  command: ReadonlyArray<string>,
  cwd: string,
  environment: Readonly<Record<string, string>>
): Promise<Example> => {
  const env = { PATH: process.env["PATH"], PORT: "0", AUTH_SECRET: secret, ...environment }
  const child = spawn(node, command, { cwd, env })
  const abandon = (): void => void child.kill("SIGKILL")
  process.once("exit", abandon)
  let said = ""
  const ended = once(child, "exit").then(([code]: ReadonlyArray<unknown>) => {
    process.removeListener("exit", abandon)
    return typeof code === "number" ? code : null
  })
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        said += String(chunk)
        const found = /\bhttp:\/\/(?:localhost|127\.0\.0\.1):\d+$/m.exec(said)
        if (found !== null) resolve(found[0])
      })
    }
    child.once("error", reject)
    void ended.then(() => reject(new Error(`${command.join(" ")} ended: ${said}`)))
  })
  return {
    origin,
    said: () => said,
    stop: async () => {
      child.kill("SIGTERM")
      return ended
    }
  }
}

/** A provider that knows the examples, on whatever port of this machine they run (RFC 8252 section 7.3). */
export const startProvider = (): Promise<OpenIdProvider> =>
  startOpenIdProvider({
    clients: [
      {
        client_id: "example",
        client_secret: secret,
        application_type: "native",
        redirect_uris: ["http://localhost/auth/callback/idp"]
      }
    ]
  })

/** The variables by which an example knows its provider. */
export const knowing = ({ issuer }: OpenIdProvider): Readonly<Record<string, string>> => ({
  AUTH_IDP_ISSUER: issuer,
  AUTH_IDP_ID: "example",
  AUTH_IDP_SECRET: secret
})

/** Opens the private page as a stranger, and signs in on the way. */
export const signInOnTheWay = async (client: CookieJarClient, origin: string): Promise<Visit> => {
  const page = await client.visit(`${origin}/private`)
  return client.submit(page, formFor(page, "idp"))
}

/** Signs out by the page that asks. */
export const signOut = async (client: CookieJarClient, origin: string): Promise<Visit> => {
  const page = await client.visit(`${origin}/auth/signout`)
  const [form] = page.forms
  if (form === undefined) throw new Error(`No form on the sign-out page (${page.status})`)
  return client.submit(page, form)
}

/** What the session endpoint says. */
export const sessionOf = async (client: CookieJarClient, origin: string): Promise<unknown> =>
  JSON.parse((await client.fetch(`${origin}/auth/session`)).body)
