/**
 * Makes each mistake of `table.js` with a server of its own, and prints what a browser and the log said as a line of JSON:
 * `{ mistake, status, headers, body, log, thrown }`. Names as arguments choose rows.
 */
import { createServer } from "node:http"
import { format } from "node:util"
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"
import { browser } from "./browser.js"
import { startIssuer } from "./issuer.js"
import { table } from "./table.js"

const print = process.stdout.write.bind(process.stdout)
let log = []
for (const level of ["error", "warn", "info", "debug", "log"]) console[level] = (...words) => log.push(format(...words))

const setEnvironment = (variables) => {
  for (const name of Object.keys(process.env))
    if (/^(?:NEXT)?AUTH_|^NODE_ENV$|^VERCEL|^CF_/.test(name)) delete process.env[name]
  Object.assign(process.env, variables)
}

const play = async (row, closing) => {
  const idp = row.issuer === undefined ? undefined : await startIssuer(...[row.issuer].flat())
  if (idp !== undefined) closing.push(idp.close)
  let handler
  const server = createServer((request, response) => handler(request, response))
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(() => server.close().closeAllConnections())
  const { port } = server.address()
  const site = `http://localhost:${port}`
  const world = { site, port, idp: idp?.origin }
  setEnvironment(row.env?.(world) ?? {})
  const auth = row.options === undefined ? undefined : createAuth(row.options(world))
  world.auth = auth
  handler = row.serve === undefined ? toNodeHandler(auth, row.other?.(world)) : await row.serve(world)
  const visitor = browser(site, row.headers?.(world))
  const response = await (row.play === undefined ? visitor.open(row.path ?? "/auth/signin") : row.play(visitor, world))
  return {
    status: response.status,
    url: response.url,
    headers: Object.fromEntries(response.headers),
    body: await response.text()
  }
}

const chosen = process.argv.slice(2)
for (const [mistake, row] of Object.entries(table)) {
  if (row.run !== undefined || (chosen.length > 0 && !chosen.some((part) => mistake.includes(part)))) continue
  log = []
  const closing = []
  const answer = await Promise.race([
    play(row, closing).catch((error) => ({ thrown: format(error) })),
    new Promise((resolve) => setTimeout(resolve, 8_000, { thrown: "no answer within 8 seconds" }))
  ])
  // An entry may follow its answer by a turn.
  await new Promise((resolve) => setTimeout(resolve, 5))
  for (const close of closing) close()
  print(`${JSON.stringify({ mistake, ...answer, log })}\n`)
}
process.exit(0)
