/**
 * The application of next-auth, arranged as older ones: bundled by webpack, and guarded by `middleware.ts`, which runs
 * on the edge runtime of Next.js. Nothing of Node is there.
 */
import { cp, rm, writeFile } from "node:fs/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { CookieJarClient, formFor } from "../real/CookieJarClient.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import { startProvider } from "./Application.ts"
import { me } from "./Flows.ts"
import type { Packed } from "./Packed.ts"
import { folderOf, run, start, timed } from "./Packed.ts"

/** Without `unstable_allowDynamic`: the package that verifies passkeys has code that Next.js refuses here, and is not reached. */
const middleware = `
export { auth as middleware } from "@/auth"
export const config = { matcher: ["/private/:path*"] }
`

let provider: OpenIdProvider
let app: Packed

beforeAll(async () => {
  // Beside the packages of the application, where names lead to them.
  const folder = `${folderOf("next")}/edge`
  const next = `${folderOf("next")}/node_modules/next/dist/bin/next`
  await rm(folder, { recursive: true, force: true })
  for (const name of ["app", "auth.ts", "wrong-password.ts", "next.config.ts", "tsconfig.json", "package.json"])
    await cp(`${folderOf("next")}/${name}`, `${folder}/${name}`, { recursive: true })
  await writeFile(`${folder}/middleware.ts`, middleware)
  await timed("next build --webpack", run(folder, next, "build", "--webpack"))
  provider = await startProvider()
  const paths = { me: "/api/me", basePath: "/api/auth" }
  app = await start("next", [next, "start", "-H", "localhost"], provider, paths, "/edge")
})
afterAll(async () => {
  await Promise.all([app?.close(), provider?.close()])
})

describe("next-auth, bundled by webpack, on the edge runtime", () => {
  it("lets no signed-out visitor pass, and brings visitors back", async () => {
    const client = new CookieJarClient()
    assert.equal((await client.fetch(`${app.origin}/private`)).status, 307)
    const page = await client.visit(`${app.origin}/private`)
    assert.equal(page.url.pathname, "/api/auth/signin")
    const back = await client.submit(page, formFor(page, "idp"))
    assert.equal(back.url.href, `${app.origin}/private`)
    assert.include(back.body.replaceAll("<!-- -->", ""), "Private page of alice of the test")
    assert.match(back.headers.getSetCookie().join("\n"), /^authjs\.session-token=/m)
    assert.deepNestedInclude(await me(client, app), { "user.email": "alice@provider.example" })
  })
})
