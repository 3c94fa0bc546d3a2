/** The application on Node. */
import { createServer } from "node:http"
import { toNodeHandler } from "effect-doorman/node"
import { auth, me } from "./auth.js"

const handler = toNodeHandler(auth, async (request, response) => {
  const answer = await me(
    new Request(`http://localhost${request.url}`, { headers: { cookie: request.headers.cookie ?? "" } })
  )
  response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
})

const server = createServer(handler).listen(0, "localhost", () => {
  console.log(`http://localhost:${server.address().port}`)
})
