/**
 * The examples for Express 4, Fastify, Koa and Nest: built with the packed library, started, and used. They have packages of
 * their own, so they are no part of `npm test`: `npm run test:frameworks` runs them.
 */
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe } from "vitest"
import { run, timed } from "../frameworks/Packed.ts"
import type { OpenIdProvider } from "../real/OpenIdProvider.ts"
import type { Example } from "./Example.ts"
import { knowing, startProvider, startServer } from "./Example.ts"
import { examine, pinned } from "./HostRules.ts"
import { behave } from "./ServerExample.ts"

const folder = fileURLToPath(new URL("../../examples/frameworks", import.meta.url))

let provider: OpenIdProvider

beforeAll(async () => {
  await timed("tsc", run(folder, `${folder}/node_modules/typescript/bin/tsc`))
  provider = await startProvider()
})
afterAll(() => provider.close())

for (const name of ["express-4", "fastify", "koa", "nest"]) {
  const start = (environment: Readonly<Record<string, string>>): Promise<Example> =>
    startServer([`dist/${name}.js`], folder, environment)

  behave(`examples/frameworks/${name}.ts`, start, () => provider)

  describe(`examples/frameworks/${name}.ts and the hosts of requests`, () => {
    let example: Example
    beforeAll(async () => {
      example = await start({ ...knowing(provider), AUTH_URL: `${pinned}/auth` })
    })
    afterAll(() => example.stop())
    examine(
      () => Number(new URL(example.origin).port),
      () => provider
    )
  })
}
