/**
 * The versions of next-auth that applications have, with this package as npm installs it in place of `@auth/core`: what
 * they make of a configuration with a mistake, and a sign-in with one that has none. `test/packed/next-auth` plays the visits.
 */
import { assert, beforeAll, describe, it } from "vitest"
import { folderOf, run, timed } from "./Packed.ts"

interface Line {
  readonly kind: "visit" | "journey" | "actions"
  readonly version: number
  readonly [member: string]: unknown
}

const versions = [19, 21, 25, 29, 31, 32]

let lines: ReadonlyArray<Line> = []

beforeAll(async () => {
  const said = await timed("next-auth: visits", run(folderOf("next-auth"), "program.js"))
  lines = said
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line)
})

const of = (kind: Line["kind"], version: number): ReadonlyArray<Line> =>
  lines.filter((line) => line.kind === kind && line.version === version)

for (const version of versions) {
  describe(`next-auth 5.0.0-beta.${version}`, () => {
    it("a signed-out visitor is never let in, for any mistake of the configuration", () => {
      const visits = of("visit", version).filter(({ visitor }) => visitor !== "signed in")
      assert.isAbove(visits.length, 1000)
      assert.deepEqual(
        visits.filter(({ outcome }) => outcome === "in"),
        []
      )
    })

    it("a signed-in visitor is let in by the same questions", () => {
      const visits = of("visit", version).filter(({ visitor }) => visitor === "signed in")
      assert.lengthOf(visits, 8)
      assert.deepEqual([...new Set(visits.map(({ outcome }) => outcome))], ["in"])
    })

    it("signs in and out, by route handlers and by server actions", () => {
      const [journey] = of("journey", version)
      assert.deepInclude(journey, {
        status: 302,
        name: "Bob",
        target: "https://app.example/there",
        cookies: 1,
        wrong: "CredentialsSignin",
        updated: "Robert",
        left: "https://app.example/bye",
        cleared: true
      })
    })

    it("server actions of a refused configuration lead to the error page", () => {
      const [actions] = of("actions", version)
      const page = /^https:\/\/app\.example\/api\/auth\/error\?error=Configuration/
      assert.match(String(actions?.["signIn"]), page)
      assert.match(String(actions?.["signOut"]), page)
      assert.isNull(actions?.["updated"])
    })
  })
}
