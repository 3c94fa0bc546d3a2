import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { platformNetwork } from "../../src/internal/Network.ts"
import * as Transport from "../../src/oauth/Transport.ts"
import { oauth } from "../oauth/ScriptedProvider.ts"

/** A server that redirects, with the requests that it got. */
const redirecting = Effect.acquireRelease(
  Effect.promise(async () => {
    const requests: Array<{ readonly request: IncomingMessage; readonly body: string }> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        requests.push({ request, body: Buffer.concat(chunks).toString() })
        response.writeHead(302, { location: "/elsewhere" }).end("moved")
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return { requests, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token` }
  }),
  ({ server }) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
)

const deadline = { milliseconds: 10_000, failed: (cause: unknown) => cause, late: () => "late" } as const

describe("platformNetwork", () => {
  it.effect("sends by the fetch of the platform, counts the body itself, and follows no redirect", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* redirecting
      const outgoing = {
        method: "POST",
        url,
        headers: { "content-type": "application/x-www-form-urlencoded", "content-length": "999", "x-own": "1" },
        body: new TextEncoder().encode("code=1")
      }
      const response = yield* platformNetwork.send(outgoing, (answer) => Promise.resolve(answer), deadline)
      assert.isTrue(response instanceof Response && response.status === 302)
      const [sent] = requests
      assert.strictEqual(requests.length, 1)
      assert.strictEqual(sent?.body, "code=1")
      assert.strictEqual(sent?.request.method, "POST")
      const { "content-length": length, "content-type": type, "x-own": own } = sent?.request.headers ?? {}
      assert.deepStrictEqual([length, type, own], ["6", "application/x-www-form-urlencoded", "1"])
    }).pipe(Effect.scoped)
  )

  it.gen("fails with what fetch threw", function* () {
    const failure = yield* Effect.flip(
      platformNetwork.send(
        { method: "GET", url: "http://127.0.0.1:1/", headers: {}, body: undefined },
        (answer) => Promise.resolve(answer),
        deadline
      )
    )
    assert.isTrue(failure instanceof TypeError)
  })

  it.gen("reads nothing of an answer that comes after nothing waits for it, and cancels its body", function* () {
    const ends: Array<string> = []
    const body = new ReadableStream(
      { pull: () => void ends.push("read"), cancel: () => void ends.push("cancelled") },
      { highWaterMark: 0 }
    )
    const answers: Array<(response: Response) => void> = []
    const fetch = () => new Promise<Response>((resolve) => void answers.push(resolve))
    const site = { basePath: "/auth", secrets: [] }
    const { send } = Transport.transportTo({ network: platformNetwork, site }, oauth({ id: "slow", fetch }))
    const url = "https://id.example/token"
    const sending = yield* Effect.forkChild(
      send("token endpoint", { method: "GET", url, headers: {}, body: undefined }),
      {
        startImmediately: true
      }
    )
    yield* Fiber.interrupt(sending)
    for (const answer of answers) answer(new Response(body))
    // A turn of the event loop, in which all promises that depend on the answer go on.
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    assert.deepStrictEqual(ends, ["cancelled"])
  })
})
