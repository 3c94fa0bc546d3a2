/**
 * Random visits from the whole range with storage, with a mailbox and without one: what differs is documented. A file of its
 * own: in one process, a configuration with an email provider may change what is asked of the ones after it.
 *
 * `DOORMAN_DIFF_RUNS` sets how many are played (25 of each kind, and 150 in `npm run test:full`), `DOORMAN_DIFF_SEED` where their numbers begin (1).
 */
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { repetitions } from "../Repetitions.ts"
import { deviations } from "./Deviations.ts"
import { emailDeviations } from "./EmailDeviations.ts"
import { type Implementation, ours, peer } from "./Implementation.ts"
import { report, runTogether, tell } from "./Run.ts"
import { storageDeviations } from "./StorageDeviations.ts"
import { generateWideStored } from "./WideStorageGenerator.ts"

const runs = Number(process.env["DOORMAN_DIFF_RUNS"] ?? repetitions(25, 150))
const first = Number(process.env["DOORMAN_DIFF_SEED"] ?? 1)
const rows = [...deviations, ...storageDeviations, ...emailDeviations]

const visits = (mail: boolean, count: number, from: number) =>
  Array.from({ length: count }, (_, index) => generateWideStored(from + index, { mail }))

// Ours says on the console what a store without further methods cannot do.
beforeAll(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined))
afterAll(() => vi.restoreAllMocks())

describe("random visits of every kind, with storage, beside Auth.js", () => {
  for (const mail of [false, true]) {
    it(
      `${runs} visits ${mail ? "with" : "without"} a mailbox, from number ${first} on, differ only as documented`,
      async () => {
        const { requests, unexplained } = await runTogether(visits(mail, runs, first), peer, await ours(), rows)
        assert.strictEqual(report(unexplained), "")
        assert.isAbove(requests, runs * 2)
        tell(requests, `visits of every kind, with storage${mail ? " and a mailbox" : ""}`)
      },
      Math.max(30_000, runs * 200)
    )
  }

  it("find no difference between an implementation and itself", async () => {
    const { unexplained } = await runTogether(visits(true, 40, 1), peer, { ...peer, name: "again" }, [])
    assert.strictEqual(report(unexplained), "")
  }, 30_000)

  it("the rows do not explain a store that keeps another address", async () => {
    const library = await ours()
    const known = new WeakMap<object, Record<PropertyKey, unknown>>()
    const wrong: Implementation = {
      ...library,
      Auth: (request, config) => {
        const adapter = config["adapter"] as Record<string, (...args: ReadonlyArray<unknown>) => Promise<unknown>>
        const { createUser } = adapter
        const given = known.get(config) ?? {
          ...config,
          adapter: { ...adapter, createUser: (user: object) => createUser?.({ ...user, email: "eve@example.com" }) }
        }
        known.set(config, given)
        return library.Auth(request, given)
      }
    }
    const { unexplained } = await runTogether(visits(true, 40, 1), peer, wrong, rows)
    assert.include(
      unexplained.map((difference) => difference.aspect),
      "store.createUser.email"
    )
  }, 30_000)
})
