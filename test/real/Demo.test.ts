/**
 * The demo as a newcomer meets it: one command, an address, or a helpful refusal.
 */
import { readdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "vitest"
import { displayName } from "../../demo/AuthConfig.ts"
import type { WebServer } from "../../demo/WebServer.ts"
import { listenOnLoopback, nodeListener } from "../../demo/WebServer.ts"
import { homeAddress, makeFolder, runDemo } from "./DemoProcess.ts"

const closing: Array<() => unknown> = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const dataFolder = async (): Promise<string> => {
  const folder = await makeFolder()
  closing.push(folder.remove)
  return folder.path
}

const run = async (environment: Readonly<Record<string, string>>) => {
  const demo = runDemo({ DEMO_DATA: await dataFolder(), ...environment })
  closing.push(demo.kill)
  return demo
}

const takenPort = async (): Promise<number> => {
  const server = await listenOnLoopback(0)
  closing.push(server.close)
  return server.port
}

describe("npm start", () => {
  it("prints where to go, answers there, and stops when told", async () => {
    const { child, output, exit, address } = await run({ PORT: "0", PROVIDER_PORT: "0" })
    const home = await address(homeAddress)
    const page = await (await fetch(home)).text()
    assert.include(page, "You are signed out.")
    assert.equal((await fetch(`${home}/auth/session`)).status, 200)
    child.kill("SIGTERM")
    assert.equal(await exit, 0)
    assert.notMatch(output.said, /WARNING|NOTICE|Error/)
  })

  for (const name of ["PORT", "PROVIDER_PORT"]) {
    it(`refuses a taken ${name} and says how to choose another`, async () => {
      const port = await takenPort()
      const { output, exit } = await run({ PORT: "0", PROVIDER_PORT: "0", [name]: String(port) })
      assert.equal(await exit, 1)
      assert.include(output.said, `Port ${port} is already in use`)
      assert.include(output.said, `${name}=`)
      assert.notInclude(output.said, "    at ", "a stack trace is no help")
    })
  }

  it("keeps users and secret in a folder that no other account reads", async () => {
    const folder = await dataFolder()
    const { output, address } = await run({ PORT: "0", PROVIDER_PORT: "0", DEMO_DATA: join(folder, "kept") })
    await address(homeAddress)
    assert.include(output.said, join(folder, "kept", "doorman.sqlite"))
    assert.includeMembers(await readdir(join(folder, "kept")), ["doorman.sqlite", "secret"])
    assert.equal((await stat(join(folder, "kept"))).mode & 0o077, 0)
  })

  it("says why there is no database, and never its password", async () => {
    const nobody = await takenPort()
    const { output, exit } = await run({
      PORT: "0",
      PROVIDER_PORT: "0",
      DATABASE_URL: `postgres://doorman:hunter2@127.0.0.1:${nobody}/users`
    })
    assert.equal(await exit, 1)
    assert.include(output.said, `PostgreSQL at 127.0.0.1:${nobody}/users could not be opened`)
    assert.notInclude(output.said, "hunter2")
    assert.notInclude(output.said, "    at ", "a stack trace is no help")
  })

  it("refuses a database that is none of its kinds", async () => {
    const { output, exit } = await run({ DATABASE_URL: "mysql://doorman:hunter2@127.0.0.1/users" })
    assert.equal(await exit, 1)
    assert.include(output.said, "DATABASE_URL must be an address of PostgreSQL")
    assert.notInclude(output.said, "hunter2")
  })

  it("says why a file cannot be opened", async () => {
    const folder = await dataFolder()
    await writeFile(join(folder, "doorman.sqlite"), "this is no database, and it is long enough to look like one")
    const { output, exit } = await run({ PORT: "0", PROVIDER_PORT: "0", DEMO_DATA: folder })
    assert.equal(await exit, 1)
    assert.include(output.said, "doorman.sqlite could not be opened")
    assert.notInclude(output.said, "    at ", "a stack trace is no help")
  })

  it("refuses one port for both servers", async () => {
    const { output, exit } = await run({ PORT: "3001" })
    assert.equal(await exit, 1)
    assert.include(output.said, "cannot share port 3001")
  })

  it("refuses a port that is no number", async () => {
    const { output, exit } = await run({ PORT: "http" })
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

  it.each([
    ["http://evil.example/there", /^HTTP\/1\.1 200 .*https?:\/\/[\w.:]+\/there/s],
    ["http://ada@evil.example/", /^HTTP\/1\.1 400 /],
    ["*.evil.example/", /^HTTP\/1\.1 400 /]
  ])("the target %s names no other host", async (target, expected) => {
    const server = await serve((request) => new Response(request.url))
    const { Socket } = await import("node:net")
    const socket = new Socket().connect(server.port, "127.0.0.1")
    closing.push(() => socket.destroy())
    socket.write(`GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)
    const chunks: Array<Buffer> = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    assert.match(String(Buffer.concat(chunks)), expected)
    assert.notInclude(String(Buffer.concat(chunks)), "evil.example")
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
