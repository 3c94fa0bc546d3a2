import { assert, describe, it } from "vitest"
import { deviceLabel } from "../../src/storage/DeviceLabel.ts"

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)"

/** Headers as browsers and programs send them. */
const cases: ReadonlyArray<readonly [string | undefined, string]> = [
  ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"],
  ["Firefox on Windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0"],
  ["Chrome on macOS", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/140.0.0.0 Safari/537.36`],
  ["Chrome on Android", `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`],
  [
    "Edge on Windows",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`
  ],
  [
    "Opera on Windows",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0`
  ],
  [
    "Safari on iPhone",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1"
  ],
  [
    "Safari on macOS",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15"
  ],
  ["curl", "curl/8.14.1"],
  ["okhttp", "okhttp/4.12.0"],
  ["Android", "Mozilla/5.0 (Linux; Android 15)"],
  [undefined, ""],
  [undefined, "<script>alert(1)</script>"],
  [undefined, "Mozilla/5.0"]
]

describe("deviceLabel", () => {
  for (const [label, header] of cases) {
    it(`is ${label ?? "nothing"} for ${header.slice(0, 60)}`, () => assert.strictEqual(deviceLabel(header), label))
  }

  it("takes no more time for a long header", () => {
    const started = performance.now()
    for (const text of ["Safari".repeat(30_000), "a".repeat(250_000), "Version/1 ".repeat(25_000)]) deviceLabel(text)
    assert.isBelow(performance.now() - started, 500)
  })
})
