/** Runs a worker in the edge runtime that Next.js has in its server, with the variables of this process. */
import { readFileSync } from "node:fs"
import { EdgeRuntime, runServer } from "edge-runtime"

const runtime = new EdgeRuntime({
  initialCode: readFileSync(process.argv[2], "utf8"),
  extend: (context) => Object.assign(context, { process: { env: { ...process.env } } })
})
const { url } = await runServer({ runtime, host: "localhost", port: 0 })
console.log(`http://localhost:${new URL(url).port}`)
