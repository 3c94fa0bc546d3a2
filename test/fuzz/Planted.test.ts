/**
 * The fuzzer finds what it looks for: each fault is planted at one site, found, shortened and kept.
 */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { secret } from "../Visitor.ts"
import { corpusFolder, readFailures } from "./Corpus.ts"
import { fuzz, type FuzzOptions } from "./Fuzzer.ts"
import { collector } from "./Garbage.ts"
import type { Entry } from "./Sites.ts"

/** A folder with every fifth play of the corpus: what is planted is found by any. */
const smallCorpus = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"))
  mkdirSync(join(folder, "failures"))
  const plays = readFileSync(join(corpusFolder, "coverage.jsonl"), "utf8").split("\n")
  writeFileSync(join(folder, "coverage.jsonl"), plays.filter((line, at) => line !== "" && at % 5 === 0).join("\n"))
  return folder
}

/** Runs the fuzzer with a corpus of its own and something in the place of the answers of a site. */
const planted = async (answer: (entry: Entry) => Entry["answer"], more: Partial<FuzzOptions> = {}) => {
  const folder = smallCorpus()
  const replaced = (entry: Entry): Entry => ({ ...entry, answer: answer(entry) })
  const { failure } = await fuzz({ requests: 3000, first: 1, folder, replaced, ...more })
  const kept = readFailures(folder)
  rmSync(folder, { recursive: true })
  return { failure, kept }
}

/** The configuration in which faults are planted. The others would only answer plays in which nothing goes wrong. */
const only = (name: string): boolean => name === "tokens"

/** Does something in place of answering, when a field named `code` and a cookie come in. */
const atCallback =
  (instead: (request: Request) => Promise<Response>) =>
  ({ answer, configuration }: Entry): Entry["answer"] =>
  (request) =>
    only(configuration) && request.url.includes("code=") && request.headers.has("cookie")
      ? instead(request)
      : answer(request)

const faults: ReadonlyArray<readonly [name: string, instead: (request: Request) => Promise<Response>, says: RegExp]> = [
  [
    "a defect that is thrown",
    () => Promise.reject(new TypeError("of undefined")),
    /^rejected: TypeError: of undefined/
  ],
  ["a status of 500", () => Promise.resolve(new Response("oh", { status: 500 })), /: 500 oh$/],
  ["a secret in a page", () => Promise.resolve(new Response(`<p>${secret}</p>`)), /: leaks test-secret-/],
  [
    "a stack in a header",
    () => Promise.resolve(new Response("", { headers: { "x-why": "at f (/srv/a.ts:1:2)" } })),
    /: leaks a line/
  ],
  [
    "a redirect to another site",
    () => Promise.resolve(Response.redirect("https://evil.example/")),
    /: leads to https:\/\/evil/
  ],
  [
    "a rejection that nobody handles",
    () => {
      void Promise.reject(new Error("forgotten"))
      return Promise.resolve(new Response(""))
    },
    /^an unhandled rejection: Error: forgotten/
  ]
]

describe("a fault that is planted", { timeout: 120_000 }, () => {
  it.each(faults)("is found, shortened and kept: %s", async (_, instead, says) => {
    const { failure, kept } = await planted(atCallback(instead), { only })
    assert.match(failure?.violation ?? "", says)
    assert.strictEqual(kept.length, 1)
    assert.strictEqual(kept[0]?.repeat, `npm run fuzz -- 1 ${failure?.seed}`)
    assert.deepStrictEqual(kept[0]?.play, failure?.play)
    // The cookie comes from an answer or from the request itself.
    assert.isAtMost(failure?.play.steps.length ?? 9, 2)
    assert.isBelow(JSON.stringify(failure?.play).length, 600)
  })

  it("is found again from the corpus alone, and forgotten once it is repaired", async () => {
    const folder = smallCorpus()
    const replaced = (entry: Entry): Entry => ({
      ...entry,
      answer: atCallback(() => Promise.resolve(new Response("oh", { status: 500 })))(entry)
    })
    await fuzz({ requests: 3000, first: 1, folder, only, replaced })
    const again = await fuzz({ requests: 0, first: 1, folder, only, replaced })
    assert.match(again.failure?.violation ?? "", /: 500 oh$/)
    const repaired = await fuzz({ requests: 0, first: 1, folder, only })
    assert.isUndefined(repaired.failure)
    rmSync(folder, { recursive: true })
  })

  it("is found when it keeps memory", async () => {
    const kept: Array<ReadonlyArray<number>> = []
    const { failure } = await planted(
      ({ answer }) =>
        async (request) => {
          kept.push(Array.from({ length: 3000 }, (_, index) => index / 7))
          return answer(request)
        },
      { requests: 2400, round: 400, gc: collector(), only }
    )
    assert.match(failure?.violation ?? "", /^the heap grew by \d+/)
  })

  it("is none: the same number makes the same plays", async () => {
    const urls: Array<Array<string>> = [[], []]
    for (const list of urls)
      await planted(
        ({ answer }) =>
          async (request) => {
            list.push(`${request.method} ${request.url.replaceAll(/[\w%-]{16,}/g, "")}`)
            return answer(request)
          },
        { requests: 500, first: 77 }
      )
    assert.isAbove(urls[0]?.length ?? 0, 500)
    assert.deepStrictEqual(urls[0], urls[1])
  })
})
