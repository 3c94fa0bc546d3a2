/**
 * A scenario: a configuration, cookies the browser already holds, and the requests it makes one after the other.
 * {@link play} plays it against one implementation (or, for the crossing tests, against one implementation per step) and
 * returns what was seen of every step. Time stands still during a step and moves only where the scenario says so.
 */
import { isAuthError } from "../../src/Errors.ts"
import { levelOf } from "../../src/internal/FailureFacts.ts"
import { type Config, type Implementation } from "./Implementation.ts"
import { FakeProvider, type Fault } from "./FakeProvider.ts"
import { type CookieState, givenCookies, readCsrf } from "./GivenCookies.ts"
import { type Seed, Store, writes } from "./Store.ts"
import {
  type Context,
  describeError,
  normalise,
  normaliseText,
  type Observation,
  seeAnswer,
  type SeenCall
} from "./Observation.ts"

/** The secret of every scenario that does not say otherwise. */
export const secret = "test-secret-0123456789-abcdefghijklmnopqrstuvwxyz"
/** A second, unrelated secret. */
export const otherSecret = "other-secret-9876543210-zyxwvutsrqponmlkjihgfedcba"

/** Where the application lives unless a scenario says otherwise. */
export const defaultOrigin = "http://localhost:3000"

/** The instant every scenario starts at. */
export const start = Date.parse("2030-01-01T00:00:00.000Z")

/** The tools a configuration is built with. */
export interface Kit {
  readonly implementation: Implementation
  readonly idp: FakeProvider
  /** The store of this side. */
  readonly store: Store
  /** The mails that were sent, newest last. */
  readonly mails: Array<Mail>
  /** Wraps a user function so that its calls are seen. */
  readonly spy: <F extends (...args: ReadonlyArray<never>) => unknown>(name: string, f: F) => F
}

/** A mail, as the email provider of a scenario is given it. */
export interface Mail {
  readonly identifier: string
  readonly url: string
}

/** One request. */
export interface Step {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly text?: string
  readonly contentType?: string
  /** Which CSRF token goes into the form or the JSON object; `held` is the one of the browser's cookie. */
  readonly csrf?: "held" | "wrong"
  /** Cookies sent in addition to, or instead of, those of the jar. */
  readonly cookie?: string
}

/** The input of a computed step. */
export interface Past {
  readonly idp: FakeProvider
  readonly store: Store
  readonly mails: ReadonlyArray<Mail>
  readonly origin: string
  readonly cookies: Map<string, string>
  readonly locations: ReadonlyArray<string | undefined>
  readonly jsons: ReadonlyArray<unknown>
}

/** A step, fixed or computed from what came before; `seconds` lets time pass before it. */
export interface PlannedStep {
  readonly seconds?: number
  readonly make: Step | ((past: Past) => Step)
}

/** A scenario of the corpus. */
export interface Scenario {
  readonly group: string
  readonly name: string
  readonly origin: string
  readonly given: ReadonlyArray<CookieState>
  readonly faults: ReadonlyArray<Fault>
  readonly openid: boolean
  /** Cookies that the browser holds, as they are, besides `given`. */
  readonly held: ReadonlyArray<readonly [string, string]>
  readonly seed: Seed
  /** Traits of the configuration, by name: rows may stand for one of these wherever it occurs. */
  readonly traits: ReadonlyArray<string>
  /** Environment variables that complete the configuration, as framework packages do it, instead of the usual secret. */
  readonly environment?: Readonly<Record<string, string>>
  /** The process serves the public: `NODE_ENV` is `production`. */
  readonly production?: boolean
  /** The application makes its configuration anew for every request. */
  readonly perRequest?: boolean
  readonly config: (kit: Kit) => Config
  readonly steps: ReadonlyArray<PlannedStep>
}

/** The observation of one step, with its request. */
export interface Seen {
  readonly method: string
  readonly url: string
  /** Header fields, without the cookies. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** When it was sent, in milliseconds. */
  readonly now: number
  readonly by: string
  readonly observation: Observation
}

const cookieHeader = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("; ")

const requestOf = (step: Step, origin: string, jar: ReadonlyMap<string, string>): Request => {
  const headers = new Headers(step.headers)
  const sent = [cookieHeader(jar), step.cookie ?? ""].filter((part) => part !== "").join("; ")
  if (sent !== "") headers.set("cookie", sent)
  const token = step.csrf === "held" ? readCsrf(jar) : step.csrf === "wrong" ? "f".repeat(64) : undefined
  const extra = token === undefined ? {} : { csrfToken: token }
  let body: string | undefined = step.text
  if (step.json !== undefined) {
    body = JSON.stringify(
      typeof step.json === "object" && step.json !== null && !Array.isArray(step.json)
        ? { ...step.json, ...extra }
        : step.json
    )
    headers.set("content-type", step.contentType ?? "application/json")
  } else if (step.form !== undefined || token !== undefined) {
    body = new URLSearchParams({ ...step.form, ...extra }).toString()
    headers.set("content-type", step.contentType ?? "application/x-www-form-urlencoded")
  } else if (step.contentType !== undefined) {
    headers.set("content-type", step.contentType)
  }
  const method = step.method ?? "GET"
  return new Request(new URL(step.path, origin), {
    method,
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body })
  })
}

/** Failures that are refused by their status alone. */
const refusedByStatus: ReadonlySet<string> = new Set([
  "InvalidCallbackUrl",
  "InvalidEmail",
  "InvalidProvider",
  "MalformedRequest",
  "MethodNotAllowed",
  "PayloadTooLarge",
  "RequestTimeout",
  "UnknownAction",
  "UnprovenAddress",
  "UnsupportedMediaType"
])

/** A failure of a visitor as ours tells it, unless it is one of those that are refused by their status alone. */
const mistakeOf = (metadata: unknown): unknown => {
  const error: unknown = typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, "error") : undefined
  return isAuthError(error) &&
    levelOf(error) === "Info" &&
    !refusedByStatus.has(error._tag) &&
    error._tag !== "TooManyAttempts"
    ? error
    : undefined
}

/** The calls of an implementation during its answer. */
type Done = Pick<
  Observation,
  | "calls"
  | "events"
  | "logs"
  | "alarms"
  | "advice"
  | "debugged"
  | "outbound"
  | "reads"
  | "writes"
  | "sequence"
  | "person"
  | "before"
  | "stored"
>

interface Clock {
  readonly set: (milliseconds: number) => void
}

/** Plays a scenario; `by` names the implementation that answers each step. */
export const play = async (
  scenario: Scenario,
  by: (step: number) => Implementation,
  clock: Clock
): Promise<ReadonlyArray<Seen>> => {
  const before = process.env["NODE_ENV"] ?? "test"
  if (scenario.production === true) process.env["NODE_ENV"] = "production"
  try {
    return await playSteps(scenario, by, clock)
  } finally {
    process.env["NODE_ENV"] = before
  }
}

const numbers = new Map<string, number>()

/**
 * The secrets of a scenario, of its own: what a site remembers in the process, such as attempts at passwords, belongs to its
 * secret.
 */
const ownSecrets = (scenario: Scenario, secrets: unknown): unknown => {
  const number = numbers.get(scenario.name) ?? numbers.size
  numbers.set(scenario.name, number)
  const own = (one: unknown): unknown => (one === secret || one === otherSecret ? `${one} ${number}` : one)
  return Array.isArray(secrets) ? secrets.map(own) : own(secrets)
}

const playSteps = async (
  scenario: Scenario,
  by: (step: number) => Implementation,
  clock: Clock
): Promise<ReadonlyArray<Seen>> => {
  clock.set(start)
  const idp = new FakeProvider(scenario.faults)
  if (scenario.openid) idp.asOpenId()
  const jar = new Map<string, string>(scenario.held)
  const store = new Store(scenario.seed)
  const mails: Array<Mail> = []
  let secrets: string | ReadonlyArray<string> = secret
  const context: () => Context = () => ({ secret: secrets, host: idp.host, csrfToken: () => readCsrf(jar) })
  let calls: Array<SeenCall> = []
  let events: Array<SeenCall> = []
  let logs: Array<string> = []
  let alarms: Array<string> = []
  let advice: Array<string> = []
  let debugged = false
  let reads: Array<SeenCall> = []
  let written: Array<SeenCall> = []
  let sequence: Array<string> = []
  store.onCall = (name, args) => {
    const call = { name, args: normalise(args.length === 1 ? args[0] : args, context()) }
    if (writes.has(name)) {
      written.push(call)
      sequence.push(name)
    } else reads.push(call)
  }
  const spyInto =
    (list: () => Array<SeenCall>) =>
    <F extends (...args: ReadonlyArray<never>) => unknown>(name: string, f: F): F =>
      // a wrapper with the parameters of what it wraps
      ((...args: ReadonlyArray<never>) => {
        list().push({ name, args: normalise(args.length === 1 ? args[0] : args, context()) })
        sequence.push(`told ${name}`)
        return f(...args)
      }) as unknown as F
  const eventSpy = spyInto(() => events)
  const configure = (implementation: Implementation): Config => {
    const made = scenario.config({ implementation, idp, store, mails, spy: spyInto(() => calls) })
    const given = (made["events"] ?? {}) as Record<string, (message: never) => unknown>
    const config: Config = {
      ...(scenario.environment === undefined ? { trustHost: true, secret, basePath: "/auth" } : {}),
      logger: {
        error: (error: unknown) => {
          logs.push(`error ${describeError(error)}`)
          alarms.push(describeError(error))
        },
        // A line that is written once a process belongs to no request.
        warn: (code: unknown) => {
          if (code === "session-cookie-unopened") return
          if (code === "advice" || /^[A-Z]/.test(String(code))) advice.push(String(code))
          else logs.push(`warn ${String(code)}`)
        },
        debug: (_message: string, metadata?: unknown) => {
          debugged = true
          const mistake = mistakeOf(metadata)
          if (mistake !== undefined) logs.push(`error ${describeError(mistake)}`)
        }
      },
      ...made,
      events: Object.fromEntries(
        ["signIn", "signOut", "session", "createUser", "updateUser", "linkAccount"].map((name) => [
          name,
          eventSpy(name, given[name] ?? (() => undefined))
        ])
      )
    }
    if (scenario.environment !== undefined) implementation.setEnvDefaults(scenario.environment, config, true)
    if (config["secret"] !== undefined) config["secret"] = ownSecrets(scenario, config["secret"])
    return config
  }
  const configs = new Map<Implementation, Config>()
  const configOf = (implementation: Implementation): Config => {
    const known = configs.get(implementation)
    if (known !== undefined && scenario.perRequest !== true) return known
    const made = configure(implementation)
    configs.set(implementation, made)
    return made
  }
  const first = configOf(by(0))
  if (typeof first["secret"] === "string" || Array.isArray(first["secret"])) secrets = first["secret"]
  for (const state of scenario.given) {
    for (const [name, value] of await givenCookies(state, { secret: secrets, origin: scenario.origin, config: first }))
      jar.set(name, value)
  }
  const locations: Array<string | undefined> = []
  const jsons: Array<unknown> = []
  const seen: Array<Seen> = []
  let now = start
  for (const [index, planned] of scenario.steps.entries()) {
    now += (planned.seconds ?? 0) * 1000
    clock.set(now)
    calls = []
    events = []
    logs = []
    alarms = []
    advice = []
    debugged = false
    reads = []
    written = []
    sequence = []
    const before = normalise(store.rows, context()) as Observation["before"]
    idp.outbound.length = 0
    const implementation = by(index)
    const step =
      typeof planned.make === "function"
        ? planned.make({ idp, store, mails, origin: scenario.origin, cookies: jar, locations, jsons })
        : planned.make
    const request = requestOf(step, scenario.origin, jar)
    const url = request.url
    const method = request.method
    const headers = Object.fromEntries([...request.headers].filter(([name]) => name !== "cookie"))
    const body = await request.clone().text()
    const keep = (cookies: ReadonlyArray<{ readonly name: string; readonly value: string }>): void => {
      for (const cookie of cookies) {
        if (cookie.value === "") jar.delete(cookie.name)
        else jar.set(cookie.name, cookie.value)
      }
    }
    let observation: Observation
    const did = (): Done => ({
      calls,
      events,
      logs,
      alarms,
      advice,
      debugged,
      reads,
      writes: written,
      sequence,
      person: idp.person,
      before,
      stored: normalise(store.rows, context()) as Observation["stored"],
      outbound: idp.outbound.map((sent) => ({
        ...sent,
        url: normaliseText(sent.url, context()),
        form: Object.fromEntries(
          Object.entries(sent.form).map(([name, value]) => [
            name,
            name === "code_verifier" ? "<verifier>" : normaliseText(value, context())
          ])
        )
      }))
    })
    try {
      const answer = await seeAnswer(
        await implementation.Auth(request, configOf(implementation)),
        new Request(url),
        context(),
        keep
      )
      locations.push(answer.location ?? urlOf(answer.json))
      jsons.push(answer.json)
      observation = { ...answer.seen, ...did() }
    } catch (error) {
      locations.push(undefined)
      jsons.push(undefined)
      observation = {
        kind: "thrown",
        thrown: describeError(error),
        status: undefined,
        headers: {},
        location: undefined,
        cookies: [],
        body: undefined,
        page: undefined,
        ...did()
      }
    }
    seen.push({ method, url, headers, body, now, by: implementation.name, observation })
  }
  return seen
}

const urlOf = (json: unknown): string | undefined => {
  const url: unknown = typeof json === "object" && json !== null ? Reflect.get(json, "url") : undefined
  return typeof url === "string" ? url : undefined
}
