/** A sound server that asks itself for the sign-in page and the session; prints both answers as a line of JSON. */
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
const ask = async (path) => {
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { headers: { accept: "text/html" } })
  return { status: response.status, body: await response.text() }
}
const node = await ask("/auth/signin")
const web = await auth.handler(new Request("http://localhost:3000/auth/signin", { headers: { accept: "text/html" } }))
console.log(JSON.stringify({ node, web: { status: web.status, body: await web.text() } }))
process.exit(0)
