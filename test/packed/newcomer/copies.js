/** The functions of the package beside the application's own copy of `effect`: only plain values and promises cross. */
import * as Effect from "effect/Effect"
import { createAuth, skipCSRFCheck } from "effect-doorman"
import { makeMemory, toPromises } from "effect-doorman/Adapter"
import { capture } from "effect-doorman/Mailer"
import { make as smtp } from "effect-doorman/mail/Smtp"
import Credentials from "effect-doorman/providers/credentials"
import Email from "effect-doorman/providers/email"
import { sqlite } from "effect-doorman/sqlite"

const origin = "http://localhost:3000"
let people = 0

const ask = async (options) => {
  const errors = []
  const auth = createAuth({
    secret: "a-secret-of-a-newcomer-0123456789-abcdefghijk",
    origin,
    skipCSRFCheck,
    adapter: toPromises(makeMemory()),
    providers: [Email({ from: "site@example.com" })],
    logger: { error: (error) => errors.push(`${error.message} ${error.cause?.message ?? ""}`), warn: () => {} },
    ...options
  })
  const post = (path, form) =>
    auth.handler(
      new Request(`${origin}/auth/${path}`, { method: "POST", headers: { origin }, body: new URLSearchParams(form) })
    )
  const response = await post("signin/email", { email: `person${++people}@example.com` })
  return { errors, post, sent: response.headers.get("location")?.includes("verify-request") }
}

const mailbox = capture()
await ask({ mailer: mailbox })
const [mail] = await Effect.runPromise(mailbox.mails)
console.log("capture", mail.to, mail.url.startsWith(`${origin}/auth/callback/email?`))

const mails = []
await ask({ mailer: { send: async (mail) => void mails.push(mail) } })
console.log("promise", typeof mails[0].url, typeof mails[0].text, typeof mails[0].html)

await ask({ mailer: { send: (mail) => void mails.push(mail) } })
console.log("value", mails.length)

const delivered = []
const transport = {
  name: "test",
  version: "1",
  send: (message, done) => {
    delivered.push(message.data.to.address)
    done(null, { accepted: [message.data.to.address], rejected: [] })
  }
}
const bySmtp = await ask({ mailer: smtp({ server: transport }) })
console.log("smtp", delivered.length === 1 ? "sent" : bySmtp.errors.join().includes("nodemailer"))

const effect = await ask({ mailer: { send: () => Effect.void } })
console.log("effect", effect.sent, effect.errors.join().includes("mailer"))

const redacted = await ask({
  providers: [Credentials({ credentials: { password: { type: "password", redacted: true } }, authorize: () => null })]
})
const answer = await redacted.post("callback/credentials", { password: "right" })
console.log("redacted", answer.status, redacted.errors.join().includes("authorize of Auth and createAuth gets strings"))

const callback = await ask({
  providers: [Credentials({ credentials: { name: {} }, authorize: () => Effect.succeed({ id: "1", name: "Ada" }) })]
})
await callback.post("callback/credentials", { name: "ada" })
console.log("callback", callback.errors.join().includes("authorize answered an Effect"))

const store = sqlite(":memory:")
const ada = await store.createUser({ id: "1", name: "Ada", email: "ada@example.com", emailVerified: null })
const change = { key: "value.a:1", before: undefined, after: "1", ttl: 60_000 }
console.log("sqlite", (await store.getUser(ada.id)).name, await store.sharedState.swap(change))
await store.close()

const shape = await ask({ adapter: makeMemory() })
console.log("adapter", shape.errors.join().includes("an adapter of promises"))
