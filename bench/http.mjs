/**
 * A load test over HTTP: reads of a session with a small JWT at 1 to 512 connections. Our handler for `node:http` stands
 * beside @auth/core behind its usual bridge. Each is a process of its own; they take turns in ABBA order,
 * and the ratio is taken inside a round. Prints JSON.
 *
 * Options: --ours=<module> --theirs=<module> --quick
 */
import autocannon from "autocannon"
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { csrfValue } from "./cases/csrf.mjs"
import { here, OURS, THEIRS } from "./implementation.mjs"
import { median, quantile } from "./interleave.mjs"
import { callbackUrlCookie, csrfCookie, origin, sessionCookie, smallClaims } from "./setting.mjs"
import { seal } from "./sealedToken.mjs"

const { values: options } = parseArgs({
  options: {
    ours: { type: "string", default: OURS },
    theirs: { type: "string", default: THEIRS },
    quick: { type: "boolean", default: false }
  }
})

const ladder = options.quick ? [1, 64] : [1, 8, 64, 512]
const rounds = options.quick ? 2 : 7
/** Seconds of a slice. */
const duration = 1
/** Requests before anything is measured: theirs becomes faster for so long. */
const warmup = options.quick ? 2000 : 10_000

const cookie = [
  `${csrfCookie}=${csrfValue}`,
  `${callbackUrlCookie}=${encodeURIComponent(origin)}`,
  `${sessionCookie}=${seal(sessionCookie, smallClaims)}`
].join("; ")

const start = async (name, ...args) => {
  const child = fork(join(here, "server.mjs"), args)
  const [{ port }] = await once(child, "message")
  return { name, child, url: `http://127.0.0.1:${port}/auth/session` }
}

const load = async (server, connections, length) => {
  const result = await autocannon({ url: server.url, connections, headers: { cookie }, ...length })
  const { errors, non2xx, requests, timeouts } = result
  return { perSecond: requests.total / result.duration, errors: errors + non2xx + timeouts }
}

const summary = (slices) => ({
  perSecond: median(slices.map(({ perSecond }) => perSecond)),
  errors: slices.reduce((sum, { errors }) => sum + errors, 0)
})

const ratioOf = (values) => ({ median: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) })

const step = async (servers, connections) => {
  const slices = new Map(servers.map(({ name }) => [name, []]))
  const ratios = []
  for (let round = 0; round < rounds; round++) {
    const perSecond = new Map(servers.map(({ name }) => [name, 0]))
    for (const server of [...servers, ...servers.toReversed()]) {
      const slice = await load(server, connections, { duration })
      slices.get(server.name).push(slice)
      perSecond.set(server.name, perSecond.get(server.name) + slice.perSecond)
    }
    ratios.push(perSecond.get("ours") / perSecond.get("theirs"))
  }
  process.stderr.write(`  ${connections} connections: ${median(ratios).toFixed(2)}x\n`)
  return {
    connections,
    ratio: ratioOf(ratios),
    servers: Object.fromEntries([...slices].map(([name, list]) => [name, summary(list)]))
  }
}

const servers = await Promise.all([start("ours", "handler", options.ours), start("theirs", "bridge", options.theirs)])

/** An answer that differs makes its speed worthless. */
const answers = await Promise.all(
  servers.map(({ url }) => fetch(url, { headers: { cookie } }).then((response) => response.json()))
)
const users = answers.map((session) => JSON.stringify(session?.user))
if (users[0] === undefined || users[0] !== users[1]) throw new Error(`the answers differ: ${users.join(" and ")}`)

try {
  for (const server of servers) await load(server, 8, { amount: warmup })
  const steps = []
  for (const connections of ladder) steps.push(await step(servers, connections))
  process.stdout.write(JSON.stringify(steps))
} finally {
  for (const { child } of servers) child.kill()
}
