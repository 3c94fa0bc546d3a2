/** A server whose providers need packages that are not installed asks itself for its error page; prints the page. */
import { createAuth } from "effect-doorman"
import Nodemailer from "effect-doorman/providers/nodemailer"
import Passkey from "effect-doorman/providers/passkey"
import { everything } from "./capture.js"

const auth = createAuth({
  secret: "mistakes-made-on-purpose-Vq8rT2xWm5LkPz7",
  origin: "http://localhost:3000",
  env: {},
  adapter: everything(),
  session: { strategy: "jwt" },
  experimental: { enableWebAuthn: true },
  providers: [Passkey, Nodemailer({ server: "smtp://127.0.0.1:9", from: "a@site.example" })]
})
const page = new Request("http://localhost:3000/auth/error?error=Configuration", { headers: { accept: "text/html" } })
console.log(await (await auth.handler(page)).text())
