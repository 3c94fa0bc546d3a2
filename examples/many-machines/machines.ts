/**
 * Processes of `server.ts` behind a round-robin proxy. A process that is killed is replaced by a new one on another port.
 */
import { spawn, type ChildProcess } from "node:child_process"
import { Agent, createServer, request as forward } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"

interface Machine {
  readonly child: ChildProcess
  readonly port: number
}

export interface Machines {
  /** The address of the proxy. */
  readonly origin: string
  /** Kills one process, without warning, and starts another one in its place. */
  readonly kill: () => Promise<void>
  /** The output of the processes, without their address. */
  readonly output: () => string
  readonly close: () => void
}

const program = fileURLToPath(new URL("server.ts", import.meta.url))

/** Starts `count` processes with this environment, and the proxy. `nodeOptions` are options of Node itself. */
export const startMachines = async (
  count: number,
  environment: Readonly<Record<string, string>>,
  nodeOptions: ReadonlyArray<string>
): Promise<Machines> => {
  const machines: Array<Machine> = []
  let [output, turn, isClosing] = ["", 0, false]

  const proxy = createServer((incoming, outgoing) => {
    const target = machines[turn++ % machines.length]
    if (target === undefined) return void outgoing.writeHead(502).end()
    const { headers, method, url } = incoming
    // Each request has a connection of its own, so that a process that is gone refuses it at once.
    const options = { port: target.port, host: "127.0.0.1", path: url, method, headers, agent: new Agent() }
    const onward = forward(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on("error", () => outgoing.destroy())
      answer.pipe(outgoing)
    })
    onward.on("error", () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const origin = `http://localhost:${(proxy.address() as AddressInfo).port}`

  const start = (): Promise<Machine> =>
    new Promise((resolve, reject) => {
      const env = { ...environment, PATH: process.env["PATH"], AUTH_URL: `${origin}/auth`, PORT: "0" }
      const child = spawn(process.execPath, ["--no-warnings", ...nodeOptions, program], { env })
      let said = ""
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk) => {
          said += String(chunk)
          const address = /^http:\/\/localhost:(\d+)$/m.exec(said)
          if (address !== null) resolve({ child, port: Number(address[1]) })
          if (!/^http:\/\/localhost:\d+\n$/.test(String(chunk))) output += String(chunk)
        })
      }
      child.once("exit", () => reject(new Error(`a machine ended: ${said}`)))
    })

  machines.push(await start())
  machines.push(...(await Promise.all(Array.from({ length: count - 1 }, start))))
  let next = 0
  return {
    origin,
    kill: async () => {
      const [machine] = machines.splice(next++ % machines.length, 1)
      machine?.child.kill("SIGKILL")
      const replacement = await start()
      if (isClosing) replacement.child.kill("SIGKILL")
      else machines.push(replacement)
    },
    output: () => output,
    close: () => {
      isClosing = true
      for (const { child } of machines) child.kill("SIGKILL")
      proxy.close().closeAllConnections()
    }
  }
}
