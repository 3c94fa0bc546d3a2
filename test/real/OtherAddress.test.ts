/**
 * People who open a site at another address than `AUTH_URL`, in a real Chromium: a right password leads to the configured address, says
 * why, and works there. And a site behind a proxy that rewrites `Host`, where it must not.
 */
import { createServer as createHttpServer, type RequestListener } from "node:http"
import { createServer as createHttpsServer } from "node:https"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it, vi } from "vitest"
import { createAuth } from "../../src/index.ts"
import { toNodeHandler } from "../../src/node.ts"
import { password } from "../Visitor.ts"
import { certificate } from "../webauthn/Certificates.ts"
import { launchBrowser, type TestBrowser } from "./Browser.ts"
import { isPeer, testSecret } from "./Implementation.ts"
import { isNginxHere, startNginx } from "./NginxServer.ts"

let browser: TestBrowser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const lines: Array<string> = []
const running: Array<() => Promise<unknown> | void> = []
beforeEach(() => {
  lines.length = 0
  vi.spyOn(console, "warn").mockImplementation((line: unknown) => void lines.push(String(line)))
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  for (const stop of running.splice(0)) await stop()
})

const ours = certificate("Server")
const tls = { cert: ours.pem, key: ours.privateKey.export({ format: "pem", type: "pkcs8" }) }

/** A port that speaks http and https: a connection of TLS begins with the byte 22 (RFC 8446 section 5.1). */
const listen = async (handler: RequestListener): Promise<number> => {
  const plain = createHttpServer(handler)
  const secure = createHttpsServer(tls, handler)
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.once("data", (bytes) => {
      socket.pause()
      socket.unshift(bytes)
      const chosen = bytes[0] === 22 ? secure : plain
      chosen.emit("connection", socket)
      process.nextTick(() => socket.resume())
    })
    socket.on("error", () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  running.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

let sites = 0

/** A site at two ports, whose `AUTH_URL` is made of the first. */
const startSite = async (siteOf: (port: number, other: number) => string, more: object = {}) => {
  let handler: RequestListener = () => undefined
  const here: RequestListener = (incoming, outgoing) => handler(incoming, outgoing)
  const [port, other] = [await listen(here), await listen(here)]
  const site = siteOf(port, other)
  const auth = createAuth({
    env: { AUTH_URL: `${site}/auth` },
    secret: `${testSecret} ${++sites}`,
    providers: [password()],
    ...more
  } as Parameters<typeof createAuth>[0])
  handler = toNodeHandler(auth, (_, outgoing) => void outgoing.end("front page"))
  return { site, port, other }
}

const signIn = async (page: Page): Promise<void> => {
  await page.getByLabel("Name").fill("ann")
  await page.getByLabel("Password", { exact: true }).fill("pw")
  await page.getByRole("button", { name: /Password/ }).click()
}

const notice = "You started signing in at another address of this site."

describe.skipIf(isPeer)("a person at another address than AUTH_URL", () => {
  const rows: ReadonlyArray<
    readonly [
      what: string,
      site: (port: number, other: number) => string,
      shown: (port: number, other: number) => string,
      stage?: string
    ]
  > = [
    ["another port", (port) => `http://localhost:${port}`, (_, other) => `http://localhost:${other}`],
    ["127.0.0.1 against localhost", (port) => `http://localhost:${port}`, (port) => `http://127.0.0.1:${port}`],
    ["http against https", (port) => `https://localhost:${port}`, (port) => `http://localhost:${port}`],
    [
      "www against apex in production",
      (port) => `https://app.localhost:${port}`,
      (port) => `https://www.app.localhost:${port}`,
      "production"
    ]
  ]
  for (const [what, siteOf, shownOf, stage] of rows) {
    it(`is led to the configured one and signs in there: ${what}`, async () => {
      if (stage !== undefined) vi.stubEnv("NODE_ENV", stage)
      const { other, port, site } = await startSite(siteOf)
      const shown = shownOf(port, other)
      const { complaints, context, page } = await browser.visitor({ ignoreHTTPSErrors: true })
      await page.goto(`${shown}/auth/signin`)
      const hint = await page.getByText(/The request for this page named/).allTextContents()
      assert.strictEqual(hint.length, stage === "production" ? 0 : 1)
      if (hint[0] !== undefined) for (const part of [site, shown]) assert.include(hint[0], part)
      await signIn(page)
      await page.getByText(notice).waitFor()
      assert.strictEqual(new URL(page.url()).origin, site)
      await signIn(page)
      await page.getByText("front page").waitFor()
      assert.strictEqual(new URL(page.url()).origin, site)
      const session = await page.evaluate("fetch('/auth/session').then((answer) => answer.json())")
      assert.deepInclude(session as object, { user: { name: "ann", email: "ann@example.com" } })
      const told = lines.filter((line) => line.includes("A sign-in was posted from a page at"))
      assert.lengthOf(told, 1)
      for (const part of [site, shown]) assert.include(told[0] ?? "", part)
      assert.deepStrictEqual(complaints, [])
      await context.close()
    })
  }
})

describe.skipIf(isPeer || !isNginxHere)("a site behind a plain proxy_pass of nginx, which rewrites Host", () => {
  it("signs in at the configured address, without a redirect of any GET", async () => {
    let front = 0
    const here = await listen((incoming, outgoing) => handler(incoming, outgoing))
    const nginx = await startNginx(here)
    running.push(nginx.stop)
    front = nginx.port
    const site = `http://localhost:${front}`
    const auth = createAuth({
      env: { AUTH_URL: `${site}/auth` },
      secret: `${testSecret} ${++sites}`,
      providers: [password()]
    } as Parameters<typeof createAuth>[0])
    const handler = toNodeHandler(auth, (_, outgoing) => void outgoing.end("front page"))
    const { complaints, context, page } = await browser.visitor()
    const redirects: Array<string> = []
    page.on("response", (answer) => {
      if (answer.status() >= 300 && answer.status() < 400) redirects.push(answer.request().method())
    })
    await page.goto(`${site}/auth/signin`)
    await signIn(page)
    await page.getByText("front page").waitFor()
    assert.strictEqual(page.url(), `${site}/`)
    assert.deepStrictEqual(redirects, ["POST"])
    assert.deepStrictEqual(
      lines.filter((line) => line.includes("posted from a page")),
      []
    )
    assert.deepStrictEqual(complaints, [])
    await context.close()
  })
})
