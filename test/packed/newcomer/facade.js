/** Ten lines for an ordinary server, as the README has them; the server then asks itself for the sign-in page and a page. */
import { once } from "node:events"
import { createServer } from "node:http"
import { createAuth } from "effect-doorman"
import { toNodeHandler } from "effect-doorman/node"
import GitHub from "effect-doorman/providers/github"

const auth = createAuth({
  secret: "a-secret-of-a-newcomer-0123456789-abcdefghijk",
  origin: "http://localhost:3000",
  providers: [GitHub({ clientId: "id", clientSecret: "secret-of-the-client-0123456789" })]
})
const application = toNodeHandler(auth, async (request, response) => {
  const headers = new Headers()
  const session = await auth.getSession(request, headers)
  response.setHeaders(headers).end(`Hello ${session?.user?.name ?? "stranger"}`)
})
const server = createServer(application).listen(0, "127.0.0.1")
await once(server, "listening")
const site = `http://127.0.0.1:${server.address().port}`
const signIn = await fetch(`${site}/auth/signin`)
const page = await fetch(site)
console.log(signIn.status, (await signIn.text()).includes("GitHub"), await page.text())
server.close()
server.closeAllConnections()
