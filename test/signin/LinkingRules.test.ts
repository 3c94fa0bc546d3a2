import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import {
  because,
  decide,
  type Decision,
  layer,
  LinkingPolicy,
  rules,
  type Situation
} from "../../src/signin/LinkingRules.ts"

const facts = {
  by: ["redirect", "mailbox", "key"],
  account: ["unknown", "own", "foreign"],
  session: ["none", "same", "other", "ended"],
  address: ["free", "proven", "unproven"],
  proof: ["proven", "claimed", "denied"],
  trusting: [true, false],
  isOwnAddress: [true, false]
} as const

const situations: ReadonlyArray<Situation> = facts.by.flatMap((by) =>
  facts.account.flatMap((account) =>
    facts.session.flatMap((session) =>
      facts.address.flatMap((address) =>
        facts.proof.flatMap((proof) =>
          facts.trusting.flatMap((trusting) =>
            facts.isOwnAddress.map((isOwnAddress) => ({ by, account, session, address, proof, trusting, isOwnAddress }))
          )
        )
      )
    )
  )
)

/** The same rules a second time, as questions in another order; written without looking at the table. */
const expected = (it: Situation): Decision => {
  const isSignedIn = it.session === "same" || it.session === "other"
  if (it.by === "mailbox") {
    if (it.address === "free") return "create"
    if (it.address === "proven") return "enterByAddress"
    return isSignedIn && it.isOwnAddress ? "proveAddress" : "ask"
  }
  if (it.account === "own") return "keep"
  if (it.account === "foreign") return isSignedIn ? "refuse" : "enter"
  if (it.session === "same") return "link"
  if (it.session !== "none") return "refuse"
  if (it.address === "free") return "create"
  if (it.by === "key" || it.proof === "denied") return "refuse"
  if (it.trusting) return "linkByAddress"
  return it.address === "unproven" && it.proof === "proven" ? "ask" : "refuse"
}

describe("who may become whom", () => {
  for (const by of facts.by) {
    for (const account of facts.account) {
      for (const session of facts.session) {
        for (const address of facts.address) {
          const some = situations.filter(
            (one) => one.by === by && one.account === account && one.session === session && one.address === address
          )
          it(`${by}, ${account} account, session ${session}, address ${address}`, () => {
            assert.strictEqual(some.length, 12)
            for (const one of some) assert.strictEqual(decide(one), expected(one), JSON.stringify(one))
          })
        }
      }
    }
  }

  it("gives the reason of the rule, unless a policy decided in another way", () => {
    for (const one of situations) {
      const decision = decide(one)
      const reason = because(one, decision)
      assert.isTrue(
        rules.some((rule) => rule.decision === decision && rule.because === reason),
        JSON.stringify(one)
      )
      const other = decision === "refuse" ? "create" : "refuse"
      assert.strictEqual(because(one, other), "The application's own policy decided so.")
    }
  })

  it.gen("the table decides where the application has no policy, which hears what the table says", function* () {
    const free = situations.find((one) => decide(one) === "create")
    assert.isDefined(free)
    assert.strictEqual((yield* LinkingPolicy)(free), "create")
    const heard: Array<unknown> = []
    const policy = layer((situation, usual) => {
      heard.push(situation, usual)
      return "refuse"
    })
    assert.strictEqual((yield* LinkingPolicy.pipe(Effect.provide(policy)))(free), "refuse")
    assert.deepStrictEqual(heard, [free, "create"])
  })

  it("every row decides something", () => {
    const deciding = new Set(
      situations.map((one) =>
        rules.findIndex((rule) =>
          Object.entries(rule.when).every(([fact, values]) =>
            (values as ReadonlyArray<unknown>).includes(Reflect.get(one, fact))
          )
        )
      )
    )
    assert.deepStrictEqual(
      [...deciding].sort((a, b) => a - b),
      [...rules.keys()]
    )
  })

  it("H233, H235 an address that the provider does not vouch for never leads to its user", () => {
    for (const one of situations) {
      if (one.by !== "redirect" || one.proof !== "denied" || one.session !== "none") continue
      assert.notInclude(["linkByAddress", "enterByAddress", "ask"], decide(one))
    }
  })

  it("H230 a provider that is not trusted with addresses never leads to the user of an address", () => {
    for (const one of situations) {
      if (one.by !== "redirect" || one.trusting) continue
      assert.notInclude(["linkByAddress", "enterByAddress"], decide(one))
    }
  })

  it("an unproven address signs in only its user, or a provider that the application trusts", () => {
    for (const one of situations) {
      if (one.address !== "unproven" || one.account === "own" || one.trusting) continue
      assert.notInclude(["linkByAddress", "enterByAddress"], decide(one))
      if (decide(one) === "proveAddress") assert.isTrue(one.by === "mailbox" && one.isOwnAddress)
    }
  })

  it("a person who proves an address without a session is never kept out by a user who did not", () => {
    for (const one of situations) {
      const proves = one.by === "mailbox" || (one.by === "redirect" && one.proof === "proven")
      if (!proves || one.address !== "unproven" || one.session !== "none" || one.account === "own") continue
      assert.notStrictEqual(decide(one), "refuse", JSON.stringify(one))
    }
  })

  it("the table of the documentation is this table", () => {
    const page = readFileSync(new URL("../../docs/accounts.md", import.meta.url), "utf8")
    const words = (values: ReadonlyArray<unknown> | undefined) =>
      values === undefined
        ? "any"
        : values.map((value) => (value === true ? "yes" : value === false ? "no" : value)).join(", ")
    const rows = rules.map(
      ({ because, decision, when: wanted }) =>
        `| ${words(wanted.by)} | ${words(wanted.account)} | ${words(wanted.session)} | ${words(wanted.address)} | ${words(wanted.proof)} | ${words(wanted.trusting)} | ${words(wanted.isOwnAddress)} | \`${decision}\` | ${because} |`
    )
    for (const row of rows) assert.include(page, row)
  })
})
