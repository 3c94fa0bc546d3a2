/**
 * A server of `node:http` in a process of its own, for the load test. It sends its port.
 *
 * Usage: server.mjs bridge <module> | handler <module>
 */
import { createServer } from "node:http"
import { loadImplementation, specifierOf } from "./implementation.mjs"
import { commonConfig, oauthProviders, origin } from "./setting.mjs"

const [kind, module] = process.argv.slice(2)

/** The usual bridge of @auth/core: a web Request in, a web Response out. */
const bridge = (handle) => (incoming, outgoing) => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value))
  const request = new Request(`${origin}${incoming.url}`, { method: incoming.method, headers })
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

const config = () => ({ ...commonConfig(), providers: oauthProviders(1) })

const handlers = {
  bridge: async () => {
    const { Auth } = await loadImplementation("served", module)
    const options = config()
    return bridge((request) => Auth(request, options))
  },
  // The result of an action.
  handler: async () => {
    const { createAuth } = await import(specifierOf(module))
    const { toNodeHandler } = await import(specifierOf(module.replace(/index\.js$/, "node.js")))
    return toNodeHandler(createAuth({ ...config(), origin, env: {} }))
  }
}

process.on("disconnect", () => process.exit())

const server = createServer(await handlers[kind]())
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }))
