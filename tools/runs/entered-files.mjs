/**
 * The files of `src` in which a function runs while a warm instance reads a session, and while it finishes a sign-in with an OpenID
 * provider: what a reader of the code has to open to follow one request. As JSON, with `--list` by name. With `--theirs` the same of
 * `@auth/core`, without its dependencies.
 *
 * V8 counts the calls. The first round warms the instance; the second is counted.
 */
import { Session } from "node:inspector/promises"
import * as Effect from "effect/Effect"
import * as ours from "../../src/index.ts"
import { IdentityProvider } from "../../src/testing/IdentityProvider.ts"

const isTheirs = process.argv.includes("--theirs")
const source = new URL(isTheirs ? "../../node_modules/@auth/core/" : "../../src/", import.meta.url).href
// Its types are other ones, and it takes the same request and configuration.
const { Auth, customFetch } = isTheirs
  ? /** @type {typeof ours} */ (/** @type {unknown} */ (await import("@auth/core")))
  : ours
const idp = IdentityProvider.make()
/** @type {import("../../src/index.ts").AuthConfig} */
const config = {
  providers: [idp.provider({ [customFetch]: idp.fetch })],
  secret: "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz",
  trustHost: true
}
/** @type {Map<string, string>} */
const cookies = new Map()

/** One browser: it keeps cookies. @param {string} path @param {Readonly<Record<string, string>>} [form] */
const visit = async (path, form) => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  const body = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }
  const response = await Auth(
    new Request(new URL(path, "https://app.example/auth/"), { headers: { cookie }, ...body }),
    config
  )
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === "") cookies.delete(name)
    else cookies.set(name, value)
  }
  return response
}

/** The address of the callback, as the provider redirects the browser to it. */
const startSignIn = async () => {
  cookies.clear()
  /** @type {{ readonly csrfToken: string }} */
  const { csrfToken } = await (await visit("csrf")).json()
  const start = await visit("signin/idp", { csrfToken })
  const callback = await Effect.runPromise(idp.authorize(start.headers.get("location") ?? ""))
  return callback.href
}

const inspector = new Session()
inspector.connect()
await inspector.post("Profiler.enable")
await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })

/** The files in which a function was called since the last time. */
const takeFiles = async () => {
  const { result } = await inspector.post("Profiler.takePreciseCoverage")
  return result
    .filter(
      ({ functions, url }) => url.startsWith(source) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    )
    .map(({ url }) => url.slice(source.length))
    .filter((file) => !file.startsWith("testing/"))
    .sort()
}

/** @param {string} path */
const filesOf = async (path) => {
  await takeFiles()
  const response = await visit(path)
  const files = await takeFiles()
  return { files, response }
}

/** @type {ReadonlyArray<string>} */
let callback = []
/** @type {ReadonlyArray<string>} */
let session = []
for (let round = 0; round < 2; round++) {
  const address = await startSignIn()
  const end = await filesOf(address)
  if (!cookies.has("__Secure-authjs.session-token"))
    throw new Error(`no session: ${end.response.headers.get("location")}`)
  const read = await filesOf("session")
  if ((await read.response.text()) === "null") throw new Error("the session is not read")
  callback = end.files
  session = read.files
}
if (process.argv.includes("--list"))
  console.log(`session\n  ${session.join("\n  ")}\ncallback\n  ${callback.join("\n  ")}`)
console.log(JSON.stringify([session.length, callback.length]))
