/**
 * Requests per second over HTTP: session reads with a small JWT, against servers in processes of their own, in ABBA
 * order, beside two anchors (a bare answer, and a bare answer through Request and Response). Prints JSON.
 *
 * Options: --ours=<module> --theirs=<module> --quick
 */
import autocannon from "autocannon"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { csrfValue } from "./cases/csrf.mjs"
import { here, OURS, THEIRS } from "./implementation.mjs"
import { median, quantile } from "./interleave.mjs"
import { callbackUrlCookie, csrfCookie, origin, sessionCookie, smallClaims } from "./setting.mjs"
import { seal } from "./tokenFloor.mjs"

const { values: options } = parseArgs({
  options: {
    ours: { type: "string", default: OURS },
    theirs: { type: "string", default: THEIRS },
    quick: { type: "boolean", default: false }
  }
})

const rounds = options.quick ? 2 : 7
/** Seconds per slice. */
const duration = 1

const start = async (name, ...args) => {
  const child = spawn(process.execPath, [join(here, "server.mjs"), ...args], { stdio: ["ignore", "pipe", "inherit"] })
  const [chunk] = await once(child.stdout, "data")
  return { name, child, url: `http://127.0.0.1:${String(chunk).trim()}/auth/session`, requests: [], latencies: [] }
}

const cookie = [
  `${csrfCookie}=${csrfValue}`,
  `${callbackUrlCookie}=${encodeURIComponent(origin)}`,
  `${sessionCookie}=${seal(sessionCookie, smallClaims)}`
].join("; ")

/** Requests per second of one slice; an answer other than 2xx makes the row worthless, so it ends it. */
const slice = async (server, seconds) => {
  const result = await autocannon({ url: server.url, connections: 8, duration: seconds, headers: { cookie } })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${server.name}: ${result.non2xx} answers were not 2xx, ${result.errors} errors`)
  return { perSecond: result.requests.total / result.duration, p50: result.latency.p50, p99: result.latency.p99 }
}

const servers = await Promise.all([
  start("ours", "auth", options.ours),
  start("theirs", "auth", options.theirs),
  start("hello", "hello"),
  start("hello-web", "hello-web")
])

try {
  for (const server of servers) await slice(server, 1)
  const [ours, theirs, ...anchors] = servers
  const ratios = []
  for (let i = 0; i < rounds; i++) {
    const round = new Map(servers.map((server) => [server, 0]))
    for (const server of [ours, theirs, theirs, ours, ...anchors]) {
      const result = await slice(server, duration)
      round.set(server, round.get(server) + result.perSecond)
      server.requests.push(result.perSecond)
      server.latencies.push(result)
    }
    ratios.push(round.get(ours) / round.get(theirs))
  }
  process.stdout.write(
    JSON.stringify({
      ratio: { median: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) },
      servers: Object.fromEntries(
        servers.map((server) => [
          server.name,
          {
            requestsPerSecond: median(server.requests),
            p50: median(server.latencies.map((entry) => entry.p50)),
            p99: median(server.latencies.map((entry) => entry.p99))
          }
        ])
      )
    })
  )
} finally {
  for (const server of servers) server.child.kill()
}
