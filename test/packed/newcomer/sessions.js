/** An ordinary server that reads its sessions from headers, node requests and tokens: it installs the package alone, without effect. */
import { createServer } from "node:http"
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"

const auth = createAuth({
  secret: "a-secret-of-a-newcomer-0123456789-abcdefghijk",
  origin: "https://app.example",
  session: { revocation: true, rememberMe: "ask" },
  providers: []
})
const headers = await auth.signIn(new Headers(), { id: "1", name: "Ann" }, { amr: ["pwd"] })
const lines = headers.getSetCookie()
console.log(lines.some((line) => /Expires|Max-Age/.test(line)) ? "outlives the browser" : "ends with the browser")
const cookie = lines.map((line) => line.split(";", 1)[0]).join("; ")

const session = await auth.requireSession(new Headers({ cookie }))
console.log(Object.keys(session).toSorted().join(" "))
console.log(typeof session.id, session.userId, session.authenticatedAt instanceof Date, session.amr.join())

const server = createServer(
  toNodeHandler(auth, async (request, response) => {
    response.end((await auth.getSession(request))?.id === session.id ? "the same session" : "another session")
  })
)
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
const answer = await fetch(`http://127.0.0.1:${server.address().port}/page`, { headers: { cookie } })
console.log(await answer.text())
server.close()
server.closeAllConnections()

const { token, ...issued } = await auth.sessions.issue({ id: "1", name: "Ann" })
console.log((await auth.sessions.verify(token)).id === issued.id, await auth.sessions.get("another"))
const ended = new Promise((resolve) => auth.sessions.changes(issued, resolve, { every: 0.01 }))
await auth.sessions.revokeAll("1")
console.log(await ended, await auth.getSession({ headers: new Headers({ cookie }), method: "POST" }))
await auth.dispose()
