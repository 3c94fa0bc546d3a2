/**
 * An application with passkeys, mail over SMTP and SQLite. It prints what it learns of its packages, as JSON.
 */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { makeMemory } from "../../src/Adapter.ts"
import { Doorman } from "../../src/Doorman.ts"
import { Auth } from "../../src/index.ts"
import { make as makeSmtp } from "../../src/mail/Smtp.ts"
import { Nodemailer } from "../../src/Provider/Nodemailer.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import { find } from "../../src/sql/SqliteBinding.ts"
import { forFunctions } from "../ForFunctions.ts"
import { forLayer } from "../ForLayer.ts"

const site = "http://localhost:3000"
const lines: Array<string> = []
const config = {
  secret: "0d1b8a6f3c5e7294a0b1c2d3e4f50617",
  origin: site,
  providers: [Passkey({}), Nodemailer({ server: "smtp://localhost:1", from: "a@b.example" })],
  adapter: makeMemory(),
  experimental: { enableWebAuthn: true },
  logger: { error: (error: Error) => void lines.push(error.message), warn: () => undefined, debug: () => undefined }
}

const post = async (path: string, values: Record<string, string>): Promise<Response> => {
  const csrf = await Auth(new Request(`${site}/auth/csrf`), forFunctions(config))
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const cookie = csrf.headers.getSetCookie().map((line) => line.split(";")[0])
  const body = new URLSearchParams({ ...values, csrfToken })
  return Auth(
    new Request(`${site}${path}`, { method: "POST", body, headers: { cookie: cookie.join("; ") } }),
    forFunctions(config)
  )
}

const providers = Object.keys(
  (await (await Auth(new Request(`${site}/auth/providers`), forFunctions(config))).json()) as object
)
const atStart = [...lines]
const mail = await post("/auth/signin/nodemailer", { email: "ann@example.com" })
const keys = await Auth(new Request(`${site}/auth/webauthn-options/passkey`), forFunctions(config))
const page = await (await Auth(new Request(`${site}/auth/error?error=Configuration`), forFunctions(config))).text()
const server = Redacted.make("smtp://localhost:1")
const ofLayer = { ...config, providers: [Passkey({}), Nodemailer({ server, from: "a@b.example" })] }
const layer = Doorman.layer(forLayer({ ...ofLayer, mailer: makeSmtp({ server }) }))
const problems = await Effect.runPromise(
  Effect.gen(function* () {
    const { settings } = yield* Doorman
    return settings.problems().map(({ error }) => ({ field: error.field, message: error.message, fix: error.remedy }))
  }).pipe(Effect.provide(layer.pipe(Layer.provide(FetchHttpClient.layer))))
)
const sqlite = await Effect.runPromise(
  Effect.match(find("libsql"), {
    onSuccess: ({ name }) => ({ tag: name, fix: "" }),
    onFailure: ({ _tag, remedy }) => ({ tag: _tag, fix: remedy })
  })
)
// The search in the background has ended by now.
const later = lines.filter((line) => !atStart.includes(line))
const result = {
  atStart,
  later,
  providers,
  mail: mail.headers.get("location"),
  keys: keys.status,
  page,
  problems,
  sqlite
}
process.stdout.write(JSON.stringify(result))
