/**
 * A site behind proxies and at other addresses, with the installed package alone: prints what a browser at each address gets.
 */
import { createServer, request } from "node:http"
import { text } from "node:stream/consumers"
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"
import Credentials from "effect-doorman/providers/credentials"

const start = (env, more) =>
  new Promise((resolve) => {
    const auth = createAuth({
      env: { AUTH_SECRET: `${crypto.randomUUID()}${crypto.randomUUID()}`, ...env },
      providers: [Credentials({ credentials: { name: {} }, authorize: () => ({ id: "1", name: "Ann" }) })],
      logger: { warn: (code, said) => console.log("warn", (said ?? code).split(/\n| \| /)[0]), debug: () => undefined },
      ...more
    })
    auth.onEvent((event) => console.log(event._tag, event.request?.ip ?? "no address"))
    const server = createServer(toNodeHandler(auth, (_, answer) => void answer.end("own page"))).listen(0, "127.0.0.1")
    server.once("listening", () => resolve({ port: server.address().port, close: () => server.close() }))
  })

const ask = (port, path, headers = {}, body) =>
  new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST"
    request({ port, path, method, headers: { connection: "close", ...headers } }, (answer) =>
      text(answer).then((body) => resolve({ status: answer.statusCode, headers: answer.headers, body }), reject)
    )
      .on("error", reject)
      .end(body)
  })

const signIn = async (port, headers) => {
  const { body, headers: answered } = await ask(port, "/auth/csrf", headers)
  const cookie = answered["set-cookie"].map((line) => line.split(";")[0]).join("; ")
  const type = { "content-type": "application/x-www-form-urlencoded", cookie }
  const form = new URLSearchParams({ csrfToken: JSON.parse(body).csrfToken, name: "ann" }).toString()
  const answer = await ask(port, "/auth/callback/credentials", { ...type, ...headers }, form)
  console.log(answer.headers.location, /; Secure/.test(String(answer.headers["set-cookie"])) ? "Secure" : "plain")
}

const other = await start({ AUTH_URL: "https://app.example/auth" }, { clientAddress: () => "203.0.113.7" })
await signIn(other.port, { host: "www.app.example", origin: "https://www.app.example" })
const page = await ask(other.port, "/auth/login", { accept: "text/html" })
console.log(page.status, page.body.includes("Page not found"), (await ask(other.port, "/auth/login")).body)
other.close()

const forwarded = { host: "app.example", "x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.1, 203.0.113.7" }
const trusted = await start({}, { trustedHosts: ["app.example"], trustedProxies: ["127.0.0.1"] })
await signIn(trusted.port, forwarded)
trusted.close()

const untrusted = await start({}, { trustedHosts: ["app.example"] })
await signIn(untrusted.port, forwarded)
untrusted.close()

const root = await start({ AUTH_URL: "https://app.example" }, { clientAddress: () => "203.0.113.7" })
console.log((await ask(root.port, "/about")).body, (await ask(root.port, "/session")).body)
root.close()
