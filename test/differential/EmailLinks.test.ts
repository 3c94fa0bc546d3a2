/**
 * Holds sign-in by e-mail links to `docs/compatibility.md`. A file of its own: in one process, a configuration with an
 * e-mail provider may change what is asked of the ones after it.
 */
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { emailLinks } from "./corpus/EmailLinks.ts"
import { deviations } from "./Deviations.ts"
import { emailDeviations } from "./EmailDeviations.ts"
import { altered, ours, peer } from "./Implementation.ts"
import { type Outcome, report, run } from "./Run.ts"
import { storageDeviations } from "./StorageDeviations.ts"

const rows = [...deviations, ...storageDeviations, ...emailDeviations]

// Ours says on the console what a store without further methods cannot do.
beforeAll(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

let played: Promise<Outcome> | undefined
const outcome = (): Promise<Outcome> => (played ??= ours().then((library) => run(emailLinks, peer, library, rows)))

describe("e-mail links beside Auth.js", () => {
  it("every difference is documented", async () => {
    const { unexplained } = await outcome()
    assert.strictEqual(report(unexplained), "")
  }, 60_000)

  it("no row about e-mail links is stale", async () => {
    const { used } = await outcome()
    assert.deepStrictEqual(
      emailDeviations.map(({ id }) => id).filter((id) => !used.has(id)),
      []
    )
  }, 60_000)

  it("plays each scenario under a name of its own", () => {
    assert.strictEqual(new Set(emailLinks.map(({ name }) => name)).size, emailLinks.length)
  })

  it("the rows do not explain a mail to somebody else, or a link to another site", async () => {
    const visits = emailLinks.filter(({ name }) => name === "email-link: https")
    assert.lengthOf(visits, 1)
    const library = await ours()
    const wrong = {
      ...library,
      Auth: (request: Request, config: Record<PropertyKey, unknown>) =>
        library.Auth(request, {
          ...config,
          providers: (config["providers"] as ReadonlyArray<Record<string, unknown>>).map((provider) => {
            const send = provider["sendVerificationRequest"]
            return typeof send === "function"
              ? {
                  ...provider,
                  sendVerificationRequest: (mail: Record<string, unknown>): unknown =>
                    Reflect.apply(send, undefined, [
                      { ...mail, identifier: "eve@example.com", url: String(mail["url"]).replace("app.", "evil.") }
                    ])
                }
              : provider
          })
        })
    }
    const aspects = (await run(visits, peer, wrong, rows)).unexplained.map((difference) => difference.aspect)
    assert.include(aspects, "callback.sendVerificationRequest.identifier")
    assert.include(aspects, "callback.sendVerificationRequest.url")
  })

  it("the rows do not explain another answer to who asks for a link", async () => {
    const visits = emailLinks.filter(({ name }) => name === "email-link: https")
    const elsewhere = altered(await ours(), (response) => {
      const headers = new Headers(response.headers)
      if (headers.get("location")?.includes("verify-request") === true) headers.set("location", "https://app.example/")
      return new Response(response.body, { status: response.status, headers })
    })
    const { unexplained } = await run(visits, peer, elsewhere, rows)
    assert.include(
      unexplained.map((difference) => difference.aspect),
      "location.target"
    )
  })
})
