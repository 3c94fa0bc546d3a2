/**
 * One address before several servers of this machine, as a balancer or a proxy that ends TLS is.
 */
import { request as forward } from "node:http"
import { listenOnLoopback } from "../../demo/WebServer.ts"

/** A balancer that runs. */
export interface Balancer {
  readonly origin: string
  /** Where requests go: in turn, or all to the one that is named by its place. */
  readonly state: { targets: ReadonlyArray<string>; only: number | undefined }
  readonly close: () => Promise<void>
}

/** Starts one on a free port; it answers 502 until it has targets, origins such as `http://localhost:4711`. */
export const startBalancer = async (): Promise<Balancer> => {
  const server = await listenOnLoopback(0)
  const state: Balancer["state"] = { targets: [], only: undefined }
  let turn = 0
  server.serve((incoming, outgoing) => {
    const { only, targets } = state
    const target = targets[only ?? turn++ % targets.length]
    if (target === undefined) return void outgoing.writeHead(502).end()
    const { headers, method, url } = incoming
    const onward = forward(target + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on("error", () => outgoing.headersSent || outgoing.writeHead(502).end())
    incoming.pipe(onward)
  })
  return { origin: `http://localhost:${server.port}`, state, close: server.close }
}
