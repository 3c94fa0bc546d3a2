/**
 * An nginx of its own for a test file, in a folder of its own, with one plain `proxy_pass`. npm has none: where the program is missing
 * the tests say so.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

const program = ["/usr/sbin/nginx", "nginx"].find((name) => spawnSync(name, ["-v"]).status === 0)

/** Is the program here? */
export const isNginxHere = program !== undefined

if (!isNginxHere) {
  if (process.env["CI"]) throw new Error("nginx is missing: install nginx-light from the distribution")
  process.stdout.write("nginx is not here, its tests are skipped: install nginx-light from the distribution\n")
}

/** A server that runs. */
export interface NginxServer {
  readonly port: number
  readonly stop: () => Promise<void>
}

/** A port that was free a moment ago: nginx takes no port 0. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts one in front of `http://127.0.0.1:‹target›`. Without a directive `Host` becomes the address of the target. */
export const startNginx = async (target: number, directives = ""): Promise<NginxServer> => {
  const folder = await mkdtemp(join(tmpdir(), "doorman-nginx-"))
  const port = await freePort()
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`
  )
  const settings = `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log; events {}
http { access_log off; ${paths.join(" ")}
  server { listen 127.0.0.1:${port}; location / { ${directives} proxy_pass http://127.0.0.1:${target}; } } }`
  await writeFile(join(folder, "nginx.conf"), settings)
  const server = spawn(program ?? "nginx", [
    "-p",
    folder,
    "-c",
    join(folder, "nginx.conf"),
    "-e",
    join(folder, "error.log")
  ])
  const ended = new Promise((resolve) => server.once("close", resolve))
  while (!existsSync(join(folder, "pid")))
    await Promise.race([
      new Promise((resolve) => setImmediate(resolve)),
      ended.then((code) => Promise.reject(new Error(`nginx ended with ${String(code)}`)))
    ])
  return {
    port,
    stop: async () => {
      server.kill("SIGTERM")
      await ended
      await rm(folder, { recursive: true, force: true })
    }
  }
}
