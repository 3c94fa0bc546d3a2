/** The built application behind a server of its own, as the documentation of adapter-node has it: it knows its address. */
import { createServer } from "node:http"

const server = createServer()
server.listen(Number(process.env.PORT), "localhost", async () => {
  const origin = `http://localhost:${server.address().port}`
  process.env.ORIGIN = origin
  const { handler } = await import(`./${process.argv[2] ?? "build"}/handler.js`)
  server.on("request", handler)
  console.log(origin)
})
