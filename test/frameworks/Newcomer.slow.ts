/**
 * Steps of a newcomer on each Node that the README promises: `npm install` in an empty folder, and ten lines. npm itself
 * runs on that Node and refuses packages that do not support it.
 */
import { execFile, execFileSync } from "node:child_process"
import { copyFileSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { folderOf } from "./Packed.ts"

const run = promisify(execFile)

/** The script behind the command `npm`. */
const npm = (): string => {
  const folder = (process.env["PATH"] ?? "").split(delimiter).find((path) => existsSync(join(path, "npm")))
  return realpathSync(join(folder ?? "", "npm"))
}

const nodeOf = (version: string): string =>
  version === "24"
    ? process.execPath
    : join(folderOf("newcomer"), `node_modules/node-${version}-${process.arch}/bin/node`)

/** The environment of a person's shell: proxies and certificates stay, what the runner of tests adds goes. */
const ownEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:npm_|AUTH_|VITEST|TEST$|DEV$|PROD$|MODE$|NODE_(?:ENV|OPTIONS))/.test(name)
    )
  )

/** Output of `assurance.js`: the challenge is that of RFC 9470 section 3. */
const requirements =
  'Ann\nNotSignedIn\nStepUpRequired Bearer error="insufficient_user_authentication", error_description="A new sign-in is required", acr_values="gold"\n'

/** Output of `sessions.js`. */
const sessions: ReadonlyArray<string> = [
  "ends with the browser",
  "acr amr authenticatedAt expires generation id user userId",
  "string 1 true pwd",
  "the same session",
  "true null",
  "undefined null"
]

/** Output of `addresses.js`. */
const addresses: ReadonlyArray<string> = [
  "warn InvalidConfiguration: A sign-in was posted from a page at https://www.app.example, and AUTH_URL (origin) is https://app.example: the cookies of one address do not reach the other",
  "https://app.example/auth/signin?callbackUrl=https%3A%2F%2Fapp.example&error=Signin&code=flow_other_host plain",
  "RequestRefused no address",
  "RequestRefused no address",
  '404 true "Bad request."',
  "SignedIn 203.0.113.7",
  "https://app.example Secure",
  "warn InvalidConfiguration: A request says https (x-forwarded-proto), and its answer is made for http://app.example: cookies are not Secure, and redirect URIs begin with http",
  "warn InvalidConfiguration: A request carries a header of proxies, and no proxy is trusted: its client has no address, and shares the budgets of all clients without one",
  "SignedIn no address",
  "http://app.example plain",
  "warn InvalidConfiguration: AUTH_URL has no path, so the endpoints are at the root: https://app.example/session",
  "own page null"
]

for (const [version, oldest] of [
  ["20", "v20.19.0"],
  ["22", "v22.19.0"],
  ["24", "v24."]
] as const) {
  const node = nodeOf(version)
  // The older ones come from npm for this architecture alone.
  describe.skipIf(!existsSync(node))(`a newcomer with Node ${version}`, () => {
    let folder: string
    const execute = (...args: ReadonlyArray<string>) => {
      const path = [dirname(node), process.env["PATH"]].join(delimiter)
      return run(node, args, { cwd: folder, env: { ...ownEnvironment(), PATH: path } })
    }
    const install = (...packages: ReadonlyArray<string>) =>
      execute(npm(), "install", "--engine-strict", "--prefer-offline", "--no-audit", "--no-fund", ...packages)

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "doorman-newcomer-"))
      writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true }))
      for (const name of ["facade.js", "assurance.js", "addresses.js", "sessions.js", "copies.js", "effect.js"])
        copyFileSync(join(folderOf("newcomer"), name), join(folder, name))
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    it("installs the package alone and answers with ten lines", async () => {
      assert.isTrue(execFileSync(node, ["--version"], { encoding: "utf8" }).startsWith(oldest))
      await install(join(folderOf("newcomer"), ".package/effect-doorman.tgz"))
      assert.isFalse(existsSync(join(folder, "node_modules/effect")))
      assert.equal((await execute("facade.js")).stdout, "200 true Hello stranger\n")
      assert.equal((await execute("assurance.js")).stdout, requirements)
      const printed = (await execute("sessions.js")).stdout.trim().split("\n")
      assert.deepEqual(
        printed.filter((line) => !/^(?:\[auth\]|  fix:)/.test(line)),
        sessions
      )
      assert.deepEqual((await execute("addresses.js")).stdout.trim().split("\n"), addresses)
    }, 180_000)

    it("has Effect 3 for other purposes", async () => {
      await install("effect@^3.0.0")
      assert.equal((await execute("facade.js")).stdout, "200 true Hello stranger\n")
    }, 180_000)

    // The oldest and the newest copy that works; `~4.1.0` stands last, and is what the Effect server runs on.
    it.each(["4.1.0", "~4.1.0"])(
      "gives plain values to an application with a copy of its own, effect@%s",
      async (range) => {
        await install(`effect@${range}`, ...(version === "20" ? ["libsql@^0.5.0"] : []))
        assert.deepStrictEqual(
          (await execute("copies.js")).stdout
            .trim()
            .split("\n")
            .filter((line) => !line.startsWith("[auth]") && !line.startsWith("  ")),
          [
            "capture person1@example.com true",
            "promise string string string",
            "value 2",
            "smtp true",
            "effect false true",
            "redacted 302 true",
            "callback true",
            "sqlite Ada true",
            "adapter true"
          ]
        )
      },
      180_000
    )

    it(
      version === "20" ? "is told that Effect's server needs a newer Node" : "runs an Effect server",
      async () => {
        if (version === "20") {
          const refused = await install("@effect/platform-node@4.1.0").then(
            () => "",
            (error: { readonly stderr?: string }) => String(error.stderr)
          )
          assert.match(refused, /EBADENGINE/)
          assert.notInclude(readFileSync(join(folder, "package.json"), "utf8"), "platform-node")
          return
        }
        await install("@effect/platform-node@4.1.0")
        assert.match((await execute("effect.js")).stdout, /^200 true\n$/m)
      },
      180_000
    )
  })
}
