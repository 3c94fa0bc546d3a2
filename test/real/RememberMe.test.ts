/** A session that ends with the browser, and one that does not, in a real Chromium that is closed and opened again. */
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createAuth } from "../../src/index.ts"
import { toNodeHandler } from "../../src/node.ts"
import { password } from "../Visitor.ts"
import { launchProfile } from "./Browser.ts"
import { forFunctions } from "../ForFunctions.ts"
import { testSecret } from "./Implementation.ts"

const server = createServer()
let site = ""
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const auth = createAuth(
    forFunctions({
      secret: testSecret,
      origin: site,
      env: {},
      // Each read renews the session.
      session: { rememberMe: "ask", updateAge: 0 },
      providers: [password(undefined, { credentials: { username: {}, password: { type: "password" } } })]
    })
  )
  server.on(
    "request",
    toNodeHandler(auth, (_, response) => void response.end("home"))
  )
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe("A browser that is closed and opened again", () => {
  it.each([true, false])(
    "has its session where the box was checked, through renewals: %s",
    async (isRemembered) => {
      const folder = await mkdtemp(join(tmpdir(), "doorman-profile-"))
      const first = await launchProfile(folder)
      const page = await first.newPage()
      await page.goto(`${site}/auth/signin`)
      await page.getByLabel("Username").fill("ann")
      await page.getByLabel("Password").fill("pw")
      if (isRemembered) await page.getByLabel("Remember me on this device").check()
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.waitForURL(`${site}/`)
      for (let renewal = 0; renewal < 3; renewal++) {
        const renewed = await page.goto(`${site}/auth/session`)
        assert.include(await renewed?.text(), "ann")
        assert.include((await renewed?.headerValue("set-cookie")) ?? "", "authjs.session-token=")
      }
      await first.close()

      const second = await launchProfile(folder)
      const again = await second.newPage()
      const session = await (await again.goto(`${site}/auth/session`))?.text()
      const names = (await second.cookies(site)).map(({ name }) => name)
      await second.close()
      await rm(folder, { recursive: true, force: true })
      assert.strictEqual(names.includes("authjs.session-token"), isRemembered)
      assert.strictEqual(session?.includes("ann"), isRemembered, session)
    },
    60_000
  )
})
