/**
 * Applications run as on Auth.js: the configurations of {@link shapes} are played side by side, and no difference is one that
 * a person or a test of the application would notice.
 */
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { deviations } from "../differential/Deviations.ts"
import { emailDeviations } from "../differential/EmailDeviations.ts"
import { altered, ours, peer } from "../differential/Implementation.ts"
import { type Outcome, report, run } from "../differential/Run.ts"
import { storageDeviations } from "../differential/StorageDeviations.ts"
import { shapes } from "./Shapes.ts"

/**
 * The rows of `docs/compatibility.md` that a person does not notice, nor a test of an application: headers and cookies that
 * are there besides, and what is better protected or better told. No other row explains a difference here.
 */
const unnoticed: ReadonlySet<string> = new Set([
  "headers/no-store",
  "headers/vary",
  "headers/nosniff",
  "headers/referrer-policy",
  "headers/request-id",
  "pages/security-headers",
  "pages/charset",
  "pages/design",
  "pages/callback-url-field",
  "csrf/bound-to-session",
  "csrf/cookie-with-token",
  "callback-url/post-only",
  "custom-pages/absolute",
  "configuration/one-part",
  "flow/cookie",
  "flow/one-record",
  "sign-out/every-variant",
  "flow/opaque-state",
  "flow/state-always",
  "flow/nonce-always",
  "flow/pkce-always",
  "callback/discovery-remembered",
  "callback/profile-fetch",
  "credentials/declared-fields",
  "userinfo/account-id",
  "logs/debug",
  "logs/client-mistakes",
  "logs/visitors",
  "logs/warnings",
  "storage/lookups",
  "storage/events-afterwards",
  "session/library-claim",
  "session/browser-cookie",
  "stored-session/cookie-with-row",
  "stored-session/token-hidden",
  "email-link/cookie",
  "email-link/address",
  "email-link/mailer-request",
  "email-link/stored-first"
])

const rows = [...deviations, ...storageDeviations, ...emailDeviations].filter(({ id }) => unnoticed.has(id))

beforeAll(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

let played: Promise<Outcome> | undefined
const outcome = (): Promise<Outcome> => (played ??= ours().then((library) => run(shapes, peer, library, rows)))

describe("an application with", () => {
  // Before the others: Auth.js remembers for good that it has seen an email provider.
  it("a difference that a person notices is found", async () => {
    const elsewhere = altered(await ours(), (response) =>
      response.headers.has("location") ? Response.redirect("https://planted.example/") : response
    )
    const { unexplained } = await run(shapes.slice(0, 1), peer, elsewhere, rows)
    assert.include(
      unexplained.map(({ aspect }) => aspect),
      "location.target"
    )
  })

  for (const { group } of shapes) {
    it(
      group,
      async () => {
        const { unexplained } = await outcome()
        assert.strictEqual(report(unexplained.filter((difference) => difference.group === group)), "")
      },
      60_000
    )
  }

  it("what is allowed to differ does", async () => {
    const { used } = await outcome()
    assert.deepStrictEqual(
      [...unnoticed].filter((id) => !used.has(id)),
      []
    )
  }, 240_000)
})
