/** A sound server that asks itself for the sign-in page in two ways; prints both answers as a line of JSON. */
import { once } from "node:events"
import { createServer } from "node:http"
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"
import Credentials from "effect-doorman/providers/credentials"

const auth = createAuth({
  secret: "mistakes-made-on-purpose-Vq8rT2xWm5LkPz7",
  origin: "http://localhost:3000",
  env: {},
  providers: [Credentials({ credentials: { name: {} }, authorize: () => null })]
})
const server = createServer(toNodeHandler(auth)).listen(0, "127.0.0.1")
await once(server, "listening")
const site = "http://localhost:3000"
const headers = { accept: "text/html" }
const ways = {
  node: (path) => fetch(`http://127.0.0.1:${server.address().port}${path}`, { headers, redirect: "manual" }),
  web: (path) => auth.handler(new Request(`${site}${path}`, { headers }))
}
const open = async (way, path, steps = 5) => {
  const response = await way(path)
  const location = response.headers.get("location")
  if (location !== null && steps > 0) return open(way, location.replace(site, ""), steps - 1)
  return { status: response.status, body: await response.text() }
}
console.log(JSON.stringify({ node: await open(ways.node, "/auth/signin"), web: await open(ways.web, "/auth/signin") }))
process.exit(0)
