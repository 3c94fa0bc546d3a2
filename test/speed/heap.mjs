/**
 * Measures what stays on the heap: bytes per request after many requests, each with values never seen before (another origin,
 * another token, another sign-in attempt). The slope is fitted over samples taken after full collections.
 *
 * Options: --ours=<module> --requests=<count> --warm-up=<count>
 */
import { parseArgs } from "node:util"
import { loadImplementation, OURS } from "../../bench/implementation.mjs"
import { seal } from "../../bench/sealedToken.mjs"
import { commonConfig, oauthProviders, sessionCookie, smallClaims } from "../../bench/setting.mjs"
import { csrfValue, csrfToken } from "../../bench/cases/csrf.mjs"

const { values: options } = parseArgs({
  options: {
    ours: { type: "string", default: OURS },
    requests: { type: "string", default: "100000" },
    "warm-up": { type: "string", default: "20000" }
  }
})

const SAMPLES = 10
const implementation = await loadImplementation("ours", options.ours)
const config = { ...commonConfig(), providers: oauthProviders(3), logger: { error() {}, warn() {}, debug() {} } }

/** One request out of a mix; the number makes it different from all others. */
const requestOf = (number) => {
  const base = `https://tenant-${number}.example.com/auth`
  switch (number % 5) {
    case 0:
      return new Request(`${base}/session`)
    case 1:
      return new Request(`${base}/csrf`)
    case 2:
      return new Request(`${base}/session`, {
        headers: { cookie: `${sessionCookie}=${seal(sessionCookie, { ...smallClaims, sub: `user-${number}` })}` }
      })
    case 3:
      return new Request(`${base}/session`, { headers: { cookie: `${sessionCookie}=not-a-token-${number}` } })
    default:
      return new Request(`${base}/signin/p${number % 3}`, {
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          cookie: `__Host-authjs.csrf-token=${csrfValue}`
        },
        body: new URLSearchParams({ csrfToken, callbackUrl: `${base}/after/${number}` }).toString()
      })
  }
}

let number = 0
const run = async (count) => {
  for (const end = number + count; number < end; number++) {
    const response = await implementation.Auth(requestOf(number), config)
    const expected = number % 5 === 4 ? 302 : 200
    if (response.status !== expected) throw new Error(`request ${number} answered ${response.status}`)
  }
}

const used = async () => {
  for (let i = 0; i < 3; i++) {
    globalThis.gc()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return process.memoryUsage().heapUsed
}

/** Slope of the least-squares line. */
const slope = (points) => {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  return over / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
}

await run(Number(options["warm-up"]))
const points = [[number, await used()]]
for (let i = 0; i < SAMPLES; i++) {
  await run(Math.ceil(Number(options.requests) / SAMPLES))
  points.push([number, await used()])
}
process.stdout.write(JSON.stringify({ requests: Number(options.requests), bytesPerRequest: slope(points), points }))
process.exit(0)
