/**
 * Typical mistakes in options: each is one error of at most ten lines, which says in plain words what to change.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "vitest"
import { isFunctionEntry, listFiles, publicSpecifiers, readManifest } from "../../tools/build/package-map.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
/** Below the repository, so that packages are found. */
const folder = mkdtempSync(join(root, "test/.types-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const functions = `import { createAuth } from "effect-doorman"
import { sqlite } from "effect-doorman/sqlite"
import GitHub from "effect-doorman/providers/github"
import * as GitHubModule from "effect-doorman/providers/github"
import Credentials from "effect-doorman/providers/credentials"
import Email from "effect-doorman/providers/email"
import Passkey from "effect-doorman/providers/passkey"
import Resend from "effect-doorman/providers/resend"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
const store = sqlite(":memory:")
const plain = "a secret"
const secret = Redacted.make(plain)
const github = GitHub({ clientId: "id", clientSecret: plain })
const providers = [github]
export { Credentials, Effect, Email, GitHubModule, Passkey, Resend, secret, store, createAuth, providers }
`
const layers = `import * as Adapter from "effect-doorman/Adapter"
import { Doorman } from "effect-doorman/Doorman"
import * as Mailer from "effect-doorman/Mailer"
import { Credentials } from "effect-doorman/Provider/Credentials"
import { Email } from "effect-doorman/Provider/Email"
import * as GitHubModule from "effect-doorman/Provider/GitHub"
import { Passkey } from "effect-doorman/Provider/Passkey"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
const { GitHub } = GitHubModule
class Roles extends Context.Service<Roles, { readonly of: Effect.Effect<boolean> }>()("Roles") {}
const secret = Redacted.make("a secret")
const adapter = Adapter.makeMemory()
const github = GitHub({ clientId: "id", clientSecret: secret })
const providers = [github]
export { Config, Credentials, Doorman, Email, FetchHttpClient, Layer, Mailer, Passkey, Roles, adapter, providers }
`

/** The options of a mistake, with words of the message; no words where they are right. */
type Mistake = readonly [options: string, ...words: ReadonlyArray<string>]

const forFunctions: Record<string, Mistake> = {
  "no mistake": ['providers, adapter: store, session: { strategy: "database" }, callbacks: { signIn: () => true }'],
  "no mistake by mail": ["providers: [GitHubModule.default, Email({})], adapter: store"],
  "a time as a text": ['providers, session: { maxAge: "8 hours" }', "'string' is not assignable to type 'number'"],
  "a switch as a text": ['providers, debug: "yes"', "boolean"],
  "a misspelt option": ["providers, sesion: {}", "Did you mean to write 'session'?"],
  "a misspelt option of sessions": ["providers, session: { maxage: 5 }", "Did you mean to write 'maxAge'?"],
  "a misspelt callback": ["providers, callbacks: { singIn: () => true }", "Did you mean to write 'signIn'?"],
  "a misspelt event": ["providers, events: { signedIn: () => undefined }", "Did you mean to write 'signIn'?"],
  "a misspelt option of a provider": [
    "providers: [GitHubModule.default({ clientSecrt: plain })]",
    "Did you mean to write 'clientSecret'?"
  ],
  "a redacted secret": ["providers, secret", "Redacted", "string"],
  "a redacted secret of a provider": ["providers: [GitHubModule.default({ clientSecret: secret })]", "Redacted"],
  "an adapter that lacks methods": [
    "providers, adapter: { getUser: () => null }",
    "The adapter lacks createUser, getUserByEmail, getUserByAccount",
    "deleteSession"
  ],
  "a database without an adapter": [
    'providers, session: { strategy: "database" }',
    "Sessions in a database need an adapter"
  ],
  "mail without an adapter": ["providers: [github, Email({})]", "Providers of type email need an adapter"],
  "a mail service without an adapter": ["providers: [Resend]", "Providers of type email need an adapter"],
  "passkeys without an adapter": ["providers: [Passkey({})]", "Providers of type webauthn need an adapter"],
  "a module for a provider": ["providers: [GitHubModule]", "typeof import", "Provider"],
  "a provider for the list": ["providers: github", "readonly Provider[]"],
  "no providers": ["", "Property 'providers' is missing"],
  "a callback that answers a number": ["providers, callbacks: { signIn: () => 5 }", "Type 'number' is not assignable"],
  "a callback that answers an Effect": [
    "providers, callbacks: { signIn: () => Effect.succeed(true) }",
    "Type 'Effect<boolean, never, never>' is not assignable"
  ],
  "an event that answers an Effect": ["providers, events: { signIn: () => Effect.void }", "Effect<void, never, never>"],
  "a provider that answers an Effect": [
    "providers: [Email({ sendVerificationRequest: () => Effect.void })], adapter: store",
    "Type 'Effect<void, never, never>' is not assignable to type 'Plain'"
  ],
  "an own provider that answers an Effect": [
    'providers: [{ id: "own", name: "Own", type: "oidc", profile: () => Effect.succeed({ id: "1" }) }]',
    "Type 'Effect<{ id: string; }, never, never>' is not assignable"
  ],
  "a profile that answers an Effect": [
    'providers: [GitHubModule.default({ profile: () => Effect.succeed({ id: "1" }) })]',
    "Type 'Effect<{ id: string; }, never, never>' is not assignable"
  ],
  "an endpoint that answers an Effect": [
    "providers: [GitHubModule.default({ token: { request: () => Effect.succeed({ tokens: {} }) } })]",
    "Type 'Effect<{ tokens: {}; }, never, never>' is not assignable"
  ],
  "a form that answers an Effect": [
    "providers: [Credentials({ credentials: { name: {} }, authorize: () => Effect.succeed(null) })]",
    "Type 'Effect<null, never, never>' is not assignable"
  ],
  "an owner of a key that is an Effect": [
    "providers: [Passkey({ getUserInfo: () => Effect.succeed(null) })], adapter: store",
    "Type 'Effect<null, never, never>' is not assignable"
  ],
  "a promise of an adapter": ["providers, adapter: Promise.resolve(store)", "Promise<SqlStore>", "lacks createUser"],
  "an adapter that is not called": ["providers, adapter: sqlite", "lacks createUser"],
  "a mailer that answers an Effect": ["providers, mailer: { send: () => Effect.void }", "Effect<void, never, never>"],
  "a redacted field": [
    "providers: [Credentials({ credentials: { pin: { redacted: true } }, authorize: () => null })]",
    "pin: a field is redacted in a layer alone"
  ],
  "a form that answers a text": [
    'providers: [Credentials({ credentials: { name: {} }, authorize: () => "ann" })]',
    "Type 'string' is not assignable"
  ],
  "a profile that is a number": ["providers: [GitHubModule.default({ profile: () => 5 })]", "Type 'number'"]
}

const forLayers: Record<string, Mistake> = {
  "no mistake": ['providers, secret, adapter, session: { strategy: "database" }, callbacks: { signIn: () => true }'],
  "no mistake by mail": ["providers: [GitHub, Email({})], secret, adapter"],
  "a time in seconds": ["providers, secret, session: { maxAge: 3600 }", "'number' is not assignable to type 'Time"],
  "a switch as a text": ['providers, secret, debug: "yes"', "boolean"],
  "a misspelt option": ["providers, secret, sesion: {}", "Did you mean to write 'session'?"],
  "a misspelt option of sessions": [
    'providers, secret, session: { maxage: "1 hour" }',
    "Did you mean to write 'maxAge'?"
  ],
  "a misspelt callback": ["providers, secret, callbacks: { singIn: () => true }", "Did you mean to write 'signIn'?"],
  "a misspelt event": ["providers, secret, events: { signedIn: () => undefined }", "Did you mean to write 'signIn'?"],
  "a misspelt option of a provider": [
    "providers: [GitHub({ clientSecrt: secret })], secret",
    "There is no such option. Did you mean clientSecret?"
  ],
  "a plain secret": ['providers, secret: "a secret"', "Redacted"],
  "a plain secret of tokens": ['providers, secret, jwt: { secret: "a secret" }', "Redacted"],
  "a plain secret of a provider": [
    'providers: [GitHub({ clientSecret: "a secret" })], secret',
    "clientSecret: a secret is Redacted in a layer"
  ],
  "a plain password": [
    'providers: [Credentials({ credentials: { pin: { type: "password" } }, authorize: () => null })], secret',
    "pin: a password is redacted in a layer"
  ],
  "a Config": ['providers, secret: Config.Redacted("SECRET")', "Config<Redacted<string>>"],
  "an adapter that lacks methods": [
    "providers, secret, adapter: { getUser: () => Promise.resolve(null) }",
    "The adapter lacks createUser, getUserByEmail, getUserByAccount",
    "deleteSession"
  ],
  "an adapter of Effects that lacks methods": [
    "providers, secret, adapter: Adapter.make({ getUser: adapter.getUser })",
    "The adapter lacks createUser, getUserByEmail, getUserByAccount"
  ],
  "a database without an adapter": [
    'providers, secret, session: { strategy: "database" }',
    "Sessions in a database need an adapter"
  ],
  "mail without an adapter": ["providers: [github, Email], secret", "Providers of type email need an adapter"],
  "passkeys without an adapter": ["providers: [Passkey({})], secret", "Providers of type webauthn need an adapter"],
  "a module for a provider": ["providers: [GitHubModule], secret", "typeof import", "LayerProvider"],
  "a provider for the list": ["providers: github, secret", "readonly LayerProvider"],
  "no providers": ["secret", "Property 'providers' is missing"],
  "a callback that answers a number": ["providers, secret, callbacks: { signIn: () => 5 }", "Type 'number'"],
  "a callback whose Effect answers a number": [
    "providers, secret, callbacks: { signIn: () => Effect.succeed(5) }",
    "Type 'number' is not assignable to type 'string | boolean'"
  ],
  "a promise of an adapter": ["providers, secret, adapter: Promise.resolve(adapter)", "lacks createUser"],
  "a layer for an adapter": ["providers, secret, adapter: Adapter.layerMemory", "lacks createUser"],
  "a mailer that answers a promise": ["providers, secret, mailer: { send: () => Promise.resolve() }", "Promise<void>"],
  "a form that answers a text": [
    'providers: [Credentials({ credentials: { name: {} }, authorize: () => "ann" })], secret',
    "Type 'string' is not assignable"
  ],
  "a profile that is a number": ["providers: [GitHub({ profile: () => 5 })], secret", "Type 'number'"]
}

const programs: ReadonlyArray<readonly [name: string, program: string, words: ReadonlyArray<string>]> = [
  ...Object.entries(forFunctions).map(
    ([name, [options, ...words]]) => [`createAuth: ${name}`, `${functions}createAuth({ ${options} })\n`, words] as const
  ),
  ...Object.entries(forLayers).map(
    ([name, [options, ...words]]) => [`layer: ${name}`, `${layers}Doorman.layer({ ${options} })\n`, words] as const
  ),
  [
    "layer: a service that is not provided",
    `${layers}const needing = Doorman.layer({ providers, secret, callbacks: { signIn: () => Roles.use((roles) => roles.of) } })
export const complete: Layer.Layer<Doorman, unknown> = Layer.provide(needing, FetchHttpClient.layer)\n`,
    ["Type 'Roles' is not assignable to type 'never'"]
  ]
]

/** The lines that the compiler writes about each program. */
const messages = (): ReadonlyArray<ReadonlyArray<string>> => {
  const about: ReadonlyArray<Array<string>> = programs.map(() => [])
  programs.forEach(([, program], at) => writeFileSync(join(folder, `mistake${at}.ts`), program))
  const compilerOptions = { noEmit: true, noUnusedLocals: false, rootDir: root }
  const project = { extends: "../../tsconfig.json", compilerOptions, include: ["*.ts"] }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project))
  const compiler = join(root, "node_modules/typescript/bin/tsc")
  const args = [compiler, "--singleThreaded", "--pretty", "false", "-p", folder]
  let written: string
  try {
    written = execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" })
  } catch (cause) {
    written = String(Reflect.get(Object(cause), "stdout"))
  }
  let current: Array<string> | undefined
  for (const line of written.split("\n")) {
    const [, at] = /^mistake(\d+)\.ts\(/.exec(line) ?? []
    if (at !== undefined) current = about[Number(at)]
    else if (!line.startsWith(" ")) current = undefined
    if (line !== "") current?.push(line)
  }
  return about
}

describe("a mistake in the options", () => {
  const about = messages()
  it.each(programs.map(([name, , words], at) => [name, words, about[at] ?? []] as const))("%s", (_, words, lines) => {
    const text = lines.join("\n")
    assert.strictEqual(lines.filter((line) => !line.startsWith(" ")).length, words.length === 0 ? 0 : 1, text)
    assert.isAtMost(lines.length, 10, text)
    for (const word of words) assert.include(text, word)
  })
})

it("the search for types of Effect in FunctionCrossing.ts begins at every entry of functions", () => {
  const search = readFileSync(join(root, "test/types/FunctionCrossing.ts"), "utf8")
  const modules = listFiles(join(root, "src")).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? [])
  const entries = [...publicSpecifiers(readManifest(root), modules).values()].filter(isFunctionEntry)
  const own = entries.filter((module) => !module.startsWith("compat/providers/"))
  assert.include(own, "server/RedisStore")
  assert.deepStrictEqual(
    own.filter((module) => !search.includes(`/src/${module}.ts"`)),
    []
  )
})
