/**
 * Measures whether the time of an answer tells if an address has a user: interleaved requests for addresses with and
 * without one, on SQLite and on PostgreSQL.
 *
 *     npm run timing -- [requests of each class] [engine] [only]
 *
 * For each pair of classes it prints the accuracy of the best single threshold, for the total time and for the time modulo one
 * millisecond, which a timer lets through: chosen on one half of the samples, judged on the other half. 50 % is chance. A control judges the same times under random labels. Above 53 % the script fails.
 * `engine` is `sqlite` or `postgres`; `only` keeps the pairs whose name contains it. With the default of 10,000 requests a run
 * takes about an hour, with 1,000 six minutes.
 */
import { createHash, randomInt } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { asUserId } from "../../src/models/Id.ts"
import { Auth } from "../../src/Auth.ts"
import type { Options } from "../../src/config/Settings.ts"
import { Email } from "../../src/Provider/Email.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import type { AdapterShape } from "../../src/storage/AdapterShape.ts"
import { startPostgres } from "../../test/sql/PostgresServer.ts"
import { cbor } from "../../test/webauthn/Cbor.ts"
import { forFunctions } from "../../test/ForFunctions.ts"
import { openPostgres, openSqlite } from "../../test/sql/OpenStore.ts"
import { create, type CreationOptions, get, type RequestOptions } from "../../test/webauthn/SoftwareAuthenticator.ts"

const [, , count = "10000", engine = "", only = ""] = process.argv
const requests = Number(count)
if (!Number.isSafeInteger(requests) || requests < 100) {
  console.error("The number of requests of each class is a whole number of at least 100.")
  process.exit(2)
}

/** Highest accuracy that passes. */
const bound = 0.53
const site = "https://app.example"

const hash = (text: string) => createHash("sha256").update(text).digest()
/** Addresses of both classes are spread alike over an index. */
const address = (kind: "known" | "unknown", index: number) =>
  `${hash(`${kind} ${index}`).toString("hex").slice(0, 24)}@mail.example`

/** A request with what it needs made beforehand, so that only the answer is timed. */
type Prepare = (email: string) => Promise<Request>
interface Pair {
  readonly name: string
  readonly prepare: Prepare
}

type Site = (request: Request) => Promise<Response>

const siteOf = (adapter: AdapterShape): Site => {
  const config: Options = {
    secret: hash("secret of the timing").toString("base64"),
    origin: site,
    adapter,
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
    providers: [
      Email(),
      Passkey(),
      { ...Passkey(), id: "first", enableConditionalUI: false, options: { usernameFirst: true } }
    ],
    mailer: { from: "site@app.example", send: () => Effect.void },
    logger: { error: (error) => console.error(error), warn: () => undefined, debug: () => undefined }
  }
  return (request) => Auth(request, forFunctions(config))
}

const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")

const form = (path: string, cookie: string, fields: Record<string, string>) =>
  new Request(`${site}/auth/${path}`, {
    method: "POST",
    headers: { cookie, origin: site, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString()
  })

/** A key that no user has. */
const stranger = () => {
  const user = { id: "", name: "", displayName: "" }
  return create({ challenge: "", rp: { id: "app.example", name: "" }, user, excludeCredentials: [] }, site).credential
}

/** The requests about an address that a signed-out visitor can make. */
const pairsOf = async (at: Site): Promise<ReadonlyArray<Pair>> => {
  const response = await at(new Request(`${site}/auth/csrf`))
  const cookie = cookiesOf(response)
  const { csrfToken } = (await response.json()) as { csrfToken: string }
  const page = (path: string): Request => new Request(`${site}/auth/${path}`, { headers: { accept: "text/html" } })
  const token = "a".repeat(64)
  const optionsFor = async <A>(query: string) => {
    const asked = await at(page(`webauthn-options/${query}`))
    return { cookie: cookiesOf(asked), options: ((await asked.json()) as { options: A }).options }
  }
  const key = stranger()
  return [
    {
      name: "a link: sign-in form",
      prepare: (email) => Promise.resolve(form("signin/email", cookie, { csrfToken, email }))
    },
    {
      name: "a link: wrong token, form",
      prepare: (email) => Promise.resolve(form("callback/email", cookie, { csrfToken, token, email }))
    },
    {
      name: "a passkey: options to register",
      prepare: (email) =>
        Promise.resolve(page(`webauthn-options/passkey?action=register&email=${encodeURIComponent(email)}`))
    },
    {
      name: "a passkey: the registration",
      prepare: async (email) => {
        const query = `passkey?action=register&email=${encodeURIComponent(email)}`
        const { cookie: challenge, options } = await optionsFor<CreationOptions>(query)
        const { data } = create(options, site)
        return form("callback/passkey", challenge, { action: "register", data: JSON.stringify(data) })
      }
    },
    {
      name: "username first: options to sign in",
      prepare: (email) =>
        Promise.resolve(page(`webauthn-options/first?action=authenticate&email=${encodeURIComponent(email)}`))
    },
    {
      name: "username first: a wrong signature",
      prepare: async (email) => {
        const query = `first?action=authenticate&email=${encodeURIComponent(email)}`
        const { cookie: challenge, options } = await optionsFor<RequestOptions>(query)
        const id = options.allowCredentials?.[0]?.id ?? ""
        const data = get({ ...key, id: Buffer.from(id, "base64url") }, options, site)
        return form("callback/first", challenge, { action: "authenticate", data: JSON.stringify(data) })
      }
    }
  ]
}

/** Users with one passkey each. */
const seed = async (adapter: AdapterShape) => {
  const credentialPublicKey = cbor(stranger().publicKey).toString("base64")
  for (let index = 0; index < requests; index++) {
    const user = await Effect.runPromise(
      adapter.createUser({
        id: asUserId(crypto.randomUUID()),
        email: address("known", index),
        emailVerified: new Date()
      })
    )
    const credentialID = hash(`key ${index}`).toString("base64")
    await Effect.runPromise(
      Effect.andThen(
        adapter.linkAccount({ userId: user.id, provider: "first", providerAccountId: credentialID, type: "webauthn" }),
        adapter.createAuthenticator({
          userId: user.id,
          credentialID,
          providerAccountId: credentialID,
          credentialPublicKey,
          counter: 1,
          credentialDeviceType: "multiDevice",
          credentialBackedUp: true,
          transports: "internal"
        })
      )
    )
  }
}

interface Sample {
  readonly time: number
  readonly known: boolean
}

const timed = async (at: Site, prepare: Prepare, email: string): Promise<number> => {
  const request = await prepare(email)
  const start = performance.now()
  const response = await at(request)
  const time = performance.now() - start
  await response.arrayBuffer()
  return time
}

/** One request of each class in turn; which one is first is chance. */
const measure = async (at: Site, { prepare }: Pair): Promise<ReadonlyArray<Sample>> => {
  const samples: Array<Sample> = []
  for (let index = 0; index < requests; index++) {
    const first = randomInt(2) === 1
    for (const known of [first, !first]) {
      const time = await timed(at, prepare, address(known ? "known" : "unknown", index))
      samples.push({ time, known })
    }
  }
  return samples
}

const shuffled = <A>(list: ReadonlyArray<A>): Array<A> => {
  const copy = [...list]
  for (let at = copy.length - 1; at > 0; at--) {
    const other = randomInt(at + 1)
    const [one, two] = [copy[at], copy[other]]
    if (one !== undefined && two !== undefined) [copy[at], copy[other]] = [two, one]
  }
  return copy
}

const share = (samples: ReadonlyArray<Sample>, isKnown: (time: number) => boolean) =>
  samples.filter(({ known, time }) => isKnown(time) === known).length / samples.length

/** The best threshold of one half of the samples, judged on the other half. */
const accuracy = (samples: ReadonlyArray<Sample>): number => {
  const mixed = shuffled(samples)
  const half = Math.floor(mixed.length / 2)
  const training = mixed.slice(0, half).toSorted((one, other) => one.time - other.time)
  const known = training.filter((sample) => sample.known).length
  let best = { right: 0, threshold: 0, isAbove: true }
  // Right answers if everything from this sample on is taken for known, and the opposite.
  let above = known
  for (const sample of training) {
    const below = training.length - above
    if (above > best.right) best = { right: above, threshold: sample.time, isAbove: true }
    if (below > best.right) best = { right: below, threshold: sample.time, isAbove: false }
    above += sample.known ? -1 : 1
  }
  return share(mixed.slice(half), (time) => time >= best.threshold === best.isAbove)
}

const control = (samples: ReadonlyArray<Sample>) => {
  const labels = shuffled(samples.map(({ known }) => known))
  return accuracy(samples.map(({ time }, index) => ({ time, known: labels[index] === true })))
}

const median = (samples: ReadonlyArray<Sample>, of: boolean) => {
  const times = samples.flatMap(({ known, time }) => (known === of ? [time] : [])).toSorted((one, other) => one - other)
  return times[Math.floor(times.length / 2)] ?? 0
}

const percent = (value: number) => `${(value * 100).toFixed(1)} %`.padStart(7)

/** Measures every pair on one store; the number of those above the bound. */
const run = async (name: string, adapter: AdapterShape): Promise<number> => {
  await seed(adapter)
  const at = siteOf(adapter)
  let failures = 0
  for (const pair of await pairsOf(at)) {
    if (!pair.name.includes(only)) continue
    for (let warm = 0; warm < 50; warm++) await timed(at, pair.prepare, `warm-${warm}@mail.example`)
    const samples = await measure(at, pair)
    const found = accuracy(samples)
    const fraction = accuracy(samples.map(({ known, time }) => ({ known, time: time % 1 })))
    const isAbove = found > bound || fraction > bound
    if (isAbove) failures++
    const medians = [true, false].map((known) => median(samples, known).toFixed(3)).join(" / ")
    console.log(
      `${name.padEnd(10)} ${pair.name.padEnd(36)} ${percent(found)}  modulo 1 ms ${percent(fraction)}  control ${percent(control(samples))}  medians ${medians} ms${isAbove ? "  ABOVE" : ""}`
    )
  }
  return failures
}

const onSqlite = async () => {
  const folder = mkdtempSync(join(tmpdir(), "doorman-timing-"))
  const store = await openSqlite({ filename: join(folder, "store.db"), sweep: false })
  try {
    return await run("SQLite", store.adapter)
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

const onPostgres = async () => {
  const server = await startPostgres()
  const store = await openPostgres({ url: await server.database(), sweep: false })
  try {
    return await run("PostgreSQL", store.adapter)
  } finally {
    await store.close()
    await server.stop()
  }
}

console.log(`${requests} requests of each class; accuracy of one threshold, known / unknown`)
const failures = (engine === "postgres" ? 0 : await onSqlite()) + (engine === "sqlite" ? 0 : await onPostgres())
if (failures > 0)
  console.error(`${failures} above ${percent(bound).trim()}: the time of an answer tells who has a user.`)
process.exit(failures > 0 ? 1 : 0)
