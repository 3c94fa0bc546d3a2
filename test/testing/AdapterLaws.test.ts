import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Adapter, make, layerMemory, makeMemory } from "../../src/Adapter.ts"
import * as AdapterLaws from "../../src/testing/AdapterLaws.ts"
import { brokenAdapters } from "./BrokenAdapters.ts"
import { carelessAdapters } from "./CarelessAdapters.ts"

const planted = [brokenAdapters, carelessAdapters]
  .flatMap((adapters) => Object.entries(adapters))
  .flatMap(([breaks, faults]) => Object.entries(faults).map(([name, fault]) => ({ breaks, name, fault })))

describe("Laws of storage", () => {
  it("have names of their own, demands and needs", () => {
    const names = AdapterLaws.laws.map((law) => law.name)
    assert.strictEqual(new Set(names).size, names.length)
    for (const law of AdapterLaws.laws) {
      assert.match(law.demands, /\.$/)
      assert.isAbove(law.needs.length, 0)
    }
  })

  describe("in memory", () => {
    for (const law of AdapterLaws.laws) it.effect(law.name, () => Effect.provide(law.check, layerMemory))

    it.effect(
      "H238, H241, H248, H254, H256 are kept again and again on one store, with promises and with Effect",
      () => {
        const store = makeMemory()
        return Effect.gen(function* () {
          for (let round = 0; round < 3; round++) {
            const findings = yield* AdapterLaws.check(store)
            assert.deepStrictEqual(AdapterLaws.format(findings), `${AdapterLaws.laws.length} kept, 0 broken, 0 skipped`)
          }
          for (const law of AdapterLaws.laws.slice(0, 5))
            yield* Effect.promise(() => AdapterLaws.run(law, () => Promise.resolve(store)))
        })
      }
    )
  })

  describe("find the fault in an adapter that", () => {
    for (const { breaks, fault, name } of planted) {
      it.gen(name, function* () {
        const store = makeMemory()
        const caught: Array<string> = []
        for (const finding of yield* AdapterLaws.check({ ...store, ...fault(store) }))
          if (finding.outcome._tag === "broken") caught.push(finding.law.name)
        assert.include(caught, breaks)
      })
    }
  })

  it("have each a planted fault that they find", () => {
    const finding = new Set(planted.map(({ breaks }) => breaks))
    assert.sameMembers(
      [...finding],
      AdapterLaws.laws.map((law) => law.name)
    )
  })

  it.gen("say nothing about methods that a store does not have", function* () {
    const findings = yield* AdapterLaws.check({ getUser: () => null })
    for (const { law, outcome } of findings) {
      assert.strictEqual(outcome._tag, "skipped")
      assert.isAbove(AdapterLaws.missing(law, { getUser: () => null }).length, 0)
    }
    assert.match(AdapterLaws.format(findings), /^skipped: .*\n[^]*0 kept, 0 broken, \d+ skipped$/)
  })

  it("reject with the law and the reason, for runners that know promises", async () => {
    const law = AdapterLaws.laws.find((one) => one.name === "deleteUser of an unknown user changes nothing")
    if (law === undefined) return assert.fail("there is no such law")
    const broken = { ...makeMemory(), deleteUser: () => Effect.die("a defect") }
    const thrown = await AdapterLaws.run(law, () => broken).then(
      () => undefined,
      (cause: unknown) => cause
    )
    if (!(thrown instanceof AdapterLaws.LawBroken)) return assert.fail("it is not broken")
    assert.strictEqual(thrown.law, law.name)
    assert.strictEqual(thrown.message, "deleteUser of an unknown user changes nothing: a call died")
    const unmade = await AdapterLaws.run(law, () => Promise.reject(new Error("no"))).then(() => undefined, String)
    assert.include(unmade, "the store could not be made")
    const kept = await AdapterLaws.run(law, makeMemory)
    assert.deepStrictEqual([kept, AdapterLaws.skipReason(kept)], [{ _tag: "kept" }, undefined])
    const skipped = await AdapterLaws.run(law, () => make({ createUser: makeMemory().createUser }))
    assert.deepStrictEqual(skipped, { _tag: "skipped", missing: law.needs.filter((name) => name !== "createUser") })
    assert.strictEqual(AdapterLaws.skipReason(skipped), "the store has no getUser, deleteUser")
    assert.isFunction(Adapter.of)
  })
})
