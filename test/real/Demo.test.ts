/**
 * The demo as a newcomer meets it: one command, an address, or a helpful refusal.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { afterEach, assert, describe, it } from "vitest"
import { displayName } from "../../demo/AuthConfig.ts"
import type { WebServer } from "../../demo/WebServer.ts"
import { listenOnLoopback, nodeListener } from "../../demo/WebServer.ts"

const script = fileURLToPath(new URL("../../demo/server.ts", import.meta.url))

const closing: Array<() => unknown> = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Runs the demo; `said` grows while it talks. */
const run = (environment: Record<string, string>) => {
  const child = spawn(process.execPath, [script], { env: { PATH: process.env["PATH"], ...environment } })
  closing.push(() => child.kill("SIGKILL"))
  const output = { said: "" }
  const heard = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output.said += String(chunk)
      for (const listener of heard) listener()
    })
  }
  const exit = once(child, "exit").then(([code]: ReadonlyArray<unknown>) => code)
  /** Resolves with the first address that matches. */
  const address = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(output.said)
        if (found !== null) resolve(found[0])
      }
      heard.add(look)
      look()
      void exit.then(() => reject(new Error(`the demo ended: ${output.said}`)))
    })
  return { child, output, exit, address }
}

const takenPort = async (): Promise<number> => {
  const server = await listenOnLoopback(0)
  closing.push(server.close)
  return server.port
}

describe("npm start", () => {
  it("prints where to go, answers there, and stops when told", async () => {
    const { child, output, exit, address } = run({ PORT: "0", PROVIDER_PORT: "0" })
    const home = await address(/http:\/\/localhost:\d+/)
    const page = await (await fetch(home)).text()
    assert.include(page, "Nobody is signed in here.")
    assert.equal((await fetch(`${home}/auth/session`)).status, 200)
    child.kill("SIGTERM")
    assert.equal(await exit, 0)
    assert.notMatch(output.said, /WARNING|NOTICE|Error/)
  })

  for (const name of ["PORT", "PROVIDER_PORT"]) {
    it(`refuses a taken ${name} and says how to choose another`, async () => {
      const port = await takenPort()
      const { output, exit } = run({ PORT: "0", PROVIDER_PORT: "0", [name]: String(port) })
      assert.equal(await exit, 1)
      assert.include(output.said, `Port ${port} is already in use`)
      assert.include(output.said, `${name}=`)
      assert.notInclude(output.said, "    at ", "a stack trace is no help")
    })
  }

  it("refuses one port for both servers", async () => {
    const { output, exit } = run({ PORT: "3001" })
    assert.equal(await exit, 1)
    assert.include(output.said, "cannot share port 3001")
  })

  it("refuses a port that is no number", async () => {
    const { output, exit } = run({ PORT: "http" })
    assert.equal(await exit, 1)
    assert.include(output.said, "PORT must be a port number")
  })
})

describe("the converter between node:http and web requests", () => {
  const serve = async (
    handler: (request: Request) => Promise<Response> | Response,
    bodyLimit?: number
  ): Promise<WebServer> => {
    const server = await listenOnLoopback(0)
    closing.push(server.close)
    server.serve(nodeListener(handler, new URL("https://app.example"), bodyLimit))
    return server
  }

  it("H040 takes the address from the configuration and not from the Host header", async () => {
    const server = await serve((request) => new Response(request.url))
    const answer = await fetch(`http://127.0.0.1:${server.port}/a?b=c`, {
      headers: { "x-forwarded-host": "evil.example" }
    })
    assert.equal(await answer.text(), "https://app.example/a?b=c")
  })

  it("H039 takes a path that begins with two slashes for a path", async () => {
    const server = await serve((request) => new Response(request.url))
    const answer = await fetch(`http://127.0.0.1:${server.port}//evil.example/x`)
    assert.equal(await answer.text(), "https://app.example//evil.example/x")
  })

  it("keeps several cookies several", async () => {
    const server = await serve(
      () =>
        new Response("", {
          headers: [
            ["set-cookie", "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT"],
            ["set-cookie", "b=2"]
          ]
        })
    )
    const answer = await fetch(`http://127.0.0.1:${server.port}/`)
    assert.deepEqual(answer.headers.getSetCookie(), ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"])
  })

  it("H181 caps bodies, announced or streamed", async () => {
    const server = await serve(async (request) => new Response(String((await request.text()).length)), 1000)
    const post = (body: string | ReadableStream<Uint8Array>) => {
      const init = { method: "POST", body, duplex: "half" }
      return fetch(`http://127.0.0.1:${server.port}/`, init)
    }
    assert.equal(await (await post("x".repeat(1000))).text(), "1000")
    assert.equal((await post("x".repeat(1001))).status, 413)
    const streamed = new ReadableStream({
      start: (controller) => {
        for (let chunk = 0; chunk < 20; chunk++) controller.enqueue(new TextEncoder().encode("x".repeat(100)))
        controller.close()
      }
    })
    assert.equal((await post(streamed)).status, 413)
  })

  it("answers 400 to a target that is no path", async () => {
    const server = await serve(() => new Response("reached"))
    const { Socket } = await import("node:net")
    const socket = new Socket().connect(server.port, "127.0.0.1")
    closing.push(() => socket.destroy())
    socket.write("GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
    const chunks: Array<Buffer> = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    assert.match(String(Buffer.concat(chunks)), /^HTTP\/1\.1 400 /)
  })
})

describe("display names", () => {
  it("H067 are trimmed, short, and text", () => {
    assert.equal(displayName("  Ada "), "Ada")
    for (const bad of ["", "   ", "x".repeat(41), "a\u0000b", "a\u202eb", 7, null, undefined, {}, ["Ada"]]) {
      assert.isUndefined(displayName(bad))
    }
  })
})
