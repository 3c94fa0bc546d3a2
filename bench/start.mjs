/**
 * Measures the cost of starting, in fresh processes that take turns: processor time in milliseconds and memory in megabytes until the first
 * answer or the end of an import. Prints JSON with the medians, and with ours / theirs taken inside a round. For an Effect
 * application it is what the library adds to the same application.
 *
 *     node bench/start.mjs [--rounds=9] [--quick]
 *
 * Needs `npm run build` and `npm ci --prefix bench --ignore-scripts`.
 */
import { execFileSync } from "node:child_process"
import { parseArgs } from "node:util"
import { here, specifierOf, THEIRS } from "./implementation.mjs"
import { median } from "./interleave.mjs"

const { values: options } = parseArgs({
  options: { rounds: { type: "string" }, quick: { type: "boolean", default: false } }
})
const rounds = Number(options.rounds ?? (options.quick ? 3 : 9))

const secret = JSON.stringify("a secret of the bench 5fK2mQ9xR7wL3vT8")
const imports = (/** @type {ReadonlyArray<string>} */ ...specifiers) =>
  specifiers.map((specifier, at) => `import * as entry${at} from ${JSON.stringify(specifier)}`).join("\n")

/** Answers one request. @param {string} entry @param {string} preset */
const answer = (entry, preset) => `
${imports(entry, preset)}
const response = await entry0.Auth(new Request("http://localhost/auth/session"), {
  providers: [entry1.default({ clientId: "id", clientSecret: "secret" })], trustHost: true, basePath: "/auth", secret: ${secret}
})
if ((await response.text()) !== "null") throw new Error("not an answer")`

const dist = (/** @type {string} */ file) => specifierOf(new URL(`../dist/${file}`, import.meta.url).pathname)
const effect = (/** @type {string} */ module) => import.meta.resolve(`effect/${module}`)

/** An Effect application that answers one request, on an open route or on one behind the library. @param {boolean} isOurs */
const application = (isOurs) => `
import * as Effect from "${effect("Effect")}"
import * as Layer from "${effect("Layer")}"
import * as FetchHttpClient from "${effect("http/FetchHttpClient")}"
import * as HttpRouter from "${effect("http/HttpRouter")}"
import * as HttpServer from "${effect("http/HttpServer")}"
import * as HttpServerResponse from "${effect("http/HttpServerResponse")}"
${
  isOurs
    ? `import * as Access from "${dist("Access.js")}"
import { Doorman } from "${dist("Doorman.js")}"
import * as Http from "${dist("Http.js")}"
import { GitHub } from "${dist("Provider/GitHub.js")}"
const doorman = Doorman.layer({
  providers: [GitHub({ clientId: "id", clientSecret: "secret" })], origin: "http://localhost", secret: ${secret}
}).pipe(Layer.provide(FetchHttpClient.layer))
const name = Effect.map(Access.Default.CurrentUser, ({ name }) => HttpServerResponse.text(name ?? ""))
const routes = HttpRouter.add("GET", "/", name).pipe(Layer.provide(Http.routes(Access.Default)))
const app = Layer.merge(routes, Http.layer(Access.Default)).pipe(Layer.provide(doorman))`
    : `const app = HttpRouter.add("GET", "/", Effect.succeed(HttpServerResponse.text("hello"))).pipe(
  Layer.provide(FetchHttpClient.layer)
)`
}
const { handler } = HttpRouter.toWebHandler(Layer.provide(app, HttpServer.layerServices), { disableLogger: true })
const response = await handler(new Request("http://localhost/"))
if (response.status !== ${isOurs ? 401 : 200}) throw new Error("not an answer: " + response.status)`

const github = [dist("compat/providers/github.js"), `${THEIRS}/providers/github`]

/** The programs of ours and of theirs. @type {Record<string, readonly [ours: string, theirs: string]>} */
const programs = {
  firstAnswer: [answer(dist("index.js"), github[0]), answer(THEIRS, github[1])],
  effectApplication: [application(true), application(false)]
}

/** @param {string} program @returns {{ readonly cpu: number, readonly memory: number }} */
const run = (program) => {
  const measured = `${program}
const { user, system } = process.cpuUsage()
process.stdout.write("\\n" + JSON.stringify({ cpu: (user + system) / 1000, memory: process.memoryUsage().rss / 1e6 }))
process.exit(0)`
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", measured], {
    cwd: here,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"]
  })
  return JSON.parse(output.trim().split("\n").at(-1) ?? "")
}

/** @param {readonly [string, string]} pair */
const compare = ([ours, theirs]) => {
  const pairs = Array.from({ length: rounds }, (_, round) => {
    if (round % 2 === 0) return [run(ours), run(theirs)]
    const [other, own] = [run(theirs), run(ours)]
    return [own, other]
  })
  const figure = (/** @type {"cpu" | "memory"} */ name) => ({
    ours: median(pairs.map(([own]) => own[name])),
    theirs: median(pairs.map(([, other]) => other[name])),
    ratio: median(pairs.map(([own, other]) => own[name] / other[name])),
    difference: median(pairs.map(([own, other]) => own[name] - other[name]))
  })
  return { cpu: figure("cpu"), memory: figure("memory") }
}

const figures = Object.fromEntries(Object.entries(programs).map(([name, pair]) => [name, compare(pair)]))
process.stdout.write(JSON.stringify(figures))
