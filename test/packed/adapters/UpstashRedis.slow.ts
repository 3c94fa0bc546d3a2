/** `@auth/upstash-redis-adapter` on a Redis, behind as much of Upstash's interface over HTTP as its client uses. */
import { UpstashRedisAdapter } from "@auth/upstash-redis-adapter"
import { Redis } from "@upstash/redis"
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { describe } from "vitest"
import { flowsOn } from "../../adapters/Flows.ts"
import type { Before, Row, Table } from "../../adapters/Site.ts"
import { library } from "./Library.ts"
import { absent, installed, start } from "./Program.ts"

type Reply = string | number | null | Error | ReadonlyArray<Reply>

/** Reads one reply (RESP 2) from a place in the text; `undefined` while it is not all there. */
const read = (text: Buffer, from: number): { readonly reply: Reply; readonly next: number } | undefined => {
  const end = text.indexOf("\r\n", from)
  if (end < 0) return undefined
  const line = text.toString("utf8", from + 1, end)
  const next = end + 2
  switch (String.fromCharCode(text[from] ?? 0)) {
    case "+":
      return { reply: line, next }
    case "-":
      return { reply: new Error(line), next }
    case ":":
      return { reply: Number(line), next }
    case "$": {
      const length = Number(line)
      if (length < 0) return { reply: null, next }
      return text.length < next + length + 2
        ? undefined
        : { reply: text.toString("utf8", next, next + length), next: next + length + 2 }
    }
    default: {
      const replies: Array<Reply> = []
      let at = next
      for (let left = Number(line); left > 0; left--) {
        const one = read(text, at)
        if (one === undefined) return undefined
        replies.push(one.reply)
        at = one.next
      }
      return { reply: replies, next: at }
    }
  }
}

/** A connection; commands are answered in their order. */
const connected = async (port: number) => {
  const socket = connect(port, "127.0.0.1")
  await once(socket, "connect")
  const waiting: Array<(reply: Reply) => void> = []
  let rest = Buffer.alloc(0)
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let one = read(rest, 0); one !== undefined; one = read(rest, 0)) {
      rest = rest.subarray(one.next)
      waiting.shift()?.(one.reply)
    }
  })
  return {
    send: (...words: ReadonlyArray<unknown>) =>
      new Promise<Reply>((resolve) => {
        waiting.push(resolve)
        const parts = words.map((word) => `$${Buffer.byteLength(String(word))}\r\n${String(word)}\r\n`)
        socket.write(`*${parts.length}\r\n${parts.join("")}`)
      }),
    close: () => void socket.destroy()
  }
}

const prefixes: Readonly<Record<Exclude<Table, "key">, RegExp>> = {
  user: /^user:(?!account:|email:|session:|token:)/,
  account: /^user:account:(?!by-user-id:)/,
  session: /^user:session:(?!by-user-id:)/,
  token: /^user:token:/
}

const open = async (program: string) => {
  const redis = await start(program, (port) => ["--port", String(port), "--bind", "127.0.0.1", "--save", ""], {
    ready: /Ready to accept connections/,
    taken: /Address already in use/
  })
  const { close, send } = await connected(redis.port)
  const answer = async (words: ReadonlyArray<unknown>) => {
    const reply = await send(...words)
    return reply instanceof Error ? { error: reply.message } : { result: reply }
  }
  const door = createServer(async (request, response) => {
    let text = ""
    for await (const chunk of request) text += String(chunk)
    const body = JSON.parse(text) as ReadonlyArray<unknown>
    const several = body as ReadonlyArray<ReadonlyArray<unknown>>
    const found = await (request.url === "/pipeline" ? Promise.all(several.map(answer)) : answer(body))
    response.setHeader("content-type", "application/json").end(JSON.stringify(found))
  })
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve))
  const { port } = door.address() as AddressInfo
  const client = new Redis({
    url: `http://127.0.0.1:${port}`,
    token: "token",
    responseEncoding: false,
    enableTelemetry: false
  })
  const put = (key: string, value: unknown) =>
    send("set", key, typeof value === "string" ? value : JSON.stringify(value))
  return {
    adapter: UpstashRedisAdapter(client),
    rows: async (table: Table): Promise<ReadonlyArray<Row>> => {
      if (table === "key") return []
      const keys = ((await send("keys", "user:*")) as ReadonlyArray<string>).filter((key) => prefixes[table].test(key))
      return Promise.all(keys.map(async (key) => JSON.parse(String(await send("get", key))) as Row))
    },
    writeBefore: async ({ email, expires, name, provider, providerAccountId, sessionToken }: Before) => {
      const userId = `user-of-${sessionToken}`
      const id = `${provider}:${providerAccountId}`
      await put(`user:${userId}`, { id: userId, name, email, emailVerified: null })
      await put(`user:email:${email}`, userId)
      await put(`user:account:${id}`, { id, userId, type: "oidc", provider, providerAccountId })
      await put(`user:account:by-user-id:${userId}`, `user:account:${id}`)
      await put(`user:session:${sessionToken}`, { sessionToken, userId, expires })
      await put(`user:session:by-user-id:${userId}`, `user:session:${sessionToken}`)
    },
    close: async () => {
      door.closeAllConnections()
      await new Promise((resolve) => door.close(resolve))
      close()
      await redis.stop()
    }
  }
}

const program = installed("redis-server")
if (program === undefined) absent("@auth/upstash-redis-adapter", "there is no redis-server, and none in npm")

describe.skipIf(program === undefined)("@auth/upstash-redis-adapter", () => {
  flowsOn({ name: "on Redis", keepsKeys: false, keepsAddresses: true, open: () => open(program ?? "") }, library)
})
