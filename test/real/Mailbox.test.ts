/**
 * A site that is being developed without a mailer: a person in a real Chromium reads the mailbox of the terminal and signs in. No
 * other reads it: not over a connection of another machine, and not through a real nginx on this machine.
 */
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, request, type RequestListener, type RequestOptions } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { makeMemory, toPromises } from "../../src/Adapter.ts"
import { createAuth } from "../../src/index.ts"
import { toNodeHandler } from "../../src/node.ts"
import { Email } from "../../src/Provider/Email.ts"
import { mailbox } from "../../src/email/DevelopmentMailbox.ts"
import { launchBrowser } from "./Browser.ts"
import { isPeer, testSecret } from "./Implementation.ts"
import { isNginxHere, startNginx } from "./NginxServer.ts"

const lines: Array<string> = []
const running: Array<() => Promise<unknown> | void> = []
beforeEach(() => {
  vi.stubEnv("NODE_ENV", undefined)
  lines.length = 0
  vi.spyOn(console, "info").mockImplementation((line: unknown) => void lines.push(String(line)))
  for (const level of ["warn", "error"] as const) vi.spyOn(console, level).mockImplementation(() => undefined)
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  for (const stop of running.splice(0).reverse()) await stop()
})

let sites = 0

/** A site on a port or a socket of this machine; `changed` is what a framework before it does to a request. */
const startSite = async (
  origin?: string,
  place: string | number = 0,
  changed: (incoming: Parameters<RequestListener>[0]) => void = () => undefined
) => {
  const listener: { handle?: RequestListener } = {}
  const server = createServer((incoming, outgoing) => {
    changed(incoming)
    listener.handle?.(incoming, outgoing)
  })
  server.listen(typeof place === "number" ? { port: place, host: "127.0.0.1" } : { path: place })
  await once(server, "listening")
  running.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const port = typeof place === "number" ? (server.address() as AddressInfo).port : 0
  const site = origin ?? `http://localhost:${port}`
  const auth = createAuth({
    env: { AUTH_URL: `${site}/auth` },
    secret: `${testSecret} ${++sites}`,
    adapter: toPromises(makeMemory()),
    providers: [Email()]
  })
  listener.handle = toNodeHandler(auth, (_, outgoing) => void outgoing.end("front page"))
  return { port, site }
}

const ask = async (options: RequestOptions): Promise<number | undefined> => {
  const sent = request({ ...options, headers: { accept: "text/html", ...options.headers } })
  sent.end()
  const [answer] = await once(sent, "response")
  answer.resume()
  return answer.statusCode
}

/** The mailbox of this process, whose key the terminal shows beside each mail. */
const printed = (): URL => new URL(/http\S+\/mailbox\?key=[0-9a-f]{32}$/.exec(lines.at(-1) ?? "")?.[0] ?? "")

/** Signs in by the mailbox alone. */
const signIn = async (site: string): Promise<void> => {
  const browser = await launchBrowser()
  running.push(browser.close)
  const { complaints, page } = await browser.visitor()
  await page.goto(`${site}/auth/signin`)
  await page.getByLabel("Email").fill("ada@example.com")
  await page.getByRole("button", { name: /Email/ }).click()
  await page.waitForURL(/verify-request/)
  await page.goto(printed().href)
  await page.getByText("ada@example.com").first().waitFor()
  await page.getByRole("link", { name: "Open the link" }).first().click()
  await page.getByText("front page").waitFor()
  const session = await page.evaluate("fetch('/auth/session').then((answer) => answer.json())")
  assert.nestedPropertyVal(session as object, "user.email", "ada@example.com")
  assert.deepStrictEqual(complaints, [])
}

describe.skipIf(isPeer)("the mailbox of a site that is being developed", () => {
  it("is read and used by a person on this machine, and by no connection of another", async () => {
    const { port, site } = await startSite()
    await signIn(site)
    const { search } = printed()
    const path = `/auth/mailbox${search}`
    const host = "localhost"
    assert.strictEqual(await ask({ port, host: "127.0.0.1", path }), 200)
    assert.strictEqual(await ask({ port, host: "127.0.0.1", path: "/auth/mailbox" }), 404)
    // A framework that trusts a proxy says whose request it is.
    const framework = await startSite(site, 0, (incoming) => void Object.assign(incoming, { ip: "203.0.113.7" }))
    assert.strictEqual(await ask({ port: framework.port, host: "127.0.0.1", path, headers: { host } }), 404)
    // A Unix socket has no address: a proxy is before it.
    const folder = await mkdtemp(join(tmpdir(), "doorman-mailbox-"))
    running.push(() => rm(folder, { recursive: true, force: true }))
    const socketPath = join(folder, "socket")
    await startSite(site, socketPath)
    assert.strictEqual(await ask({ socketPath, path, headers: { host } }), 404)
  })

  const forwarding = `proxy_set_header Host $host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Real-IP $remote_addr; proxy_set_header X-Forwarded-Host $host;`
  const rows = [
    { what: "plain proxy_pass", directives: "", configured: undefined, withKey: false },
    { what: "plain proxy_pass and AUTH_URL", directives: "", configured: "https://app.example", withKey: true },
    { what: "the host passed on", directives: "proxy_set_header Host $host;", configured: undefined, withKey: true },
    { what: "forwarding headers", directives: forwarding, configured: undefined, withKey: true }
  ]
  it.skipIf(!isNginxHere).each(rows)(
    "is a wrong path through nginx on this machine: $what",
    async ({ configured, directives, withKey }) => {
      const { port } = await startSite(configured)
      const nginx = await startNginx(port, directives)
      running.push(nginx.stop)
      const path = `/auth/mailbox${withKey ? `?key=${mailbox().key}` : ""}`
      const at = { port: nginx.port, host: "127.0.0.1", path, headers: { host: "app.example" } }
      assert.strictEqual(await ask(at), 404)
    }
  )
})
