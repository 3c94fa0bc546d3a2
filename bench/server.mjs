/**
 * A plain `node:http` server in a process of its own, for the measurement over HTTP. It prints its port.
 *
 * Usage: server.mjs hello | hello-web | auth <module>
 */
import { createServer } from "node:http"
import { loadImplementation } from "./implementation.mjs"
import { commonConfig, oauthProviders } from "./setting.mjs"

const [kind, module] = process.argv.slice(2)

/** The same mount for every implementation: a web Request in, a web Response out. */
const mount = (handle) => (incoming, outgoing) => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value))
  const request = new Request(`https://app.example.com${incoming.url}`, { method: incoming.method, headers })
  handle(request).then(
    async (response) => {
      const head = Object.fromEntries(response.headers)
      const cookies = response.headers.getSetCookie()
      if (cookies.length > 0) head["set-cookie"] = cookies
      const body = await response.text()
      outgoing.writeHead(response.status, head)
      outgoing.end(body)
    },
    (error) => {
      outgoing.writeHead(599)
      outgoing.end(String(error))
    }
  )
}

const handlers = {
  hello: async () => (_, outgoing) => {
    outgoing.writeHead(200, { "content-type": "text/plain" })
    outgoing.end("hello")
  },
  "hello-web": async () => mount(async () => new Response("hello")),
  auth: async () => {
    const implementation = await loadImplementation("served", module)
    const config = { ...commonConfig(), providers: oauthProviders(1) }
    return mount((request) => implementation.Auth(request, config))
  }
}

const server = createServer(await handlers[kind]())
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`))
