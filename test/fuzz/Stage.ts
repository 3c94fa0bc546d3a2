/**
 * Plays a play at a site, and looks at every answer.
 */
import { site } from "../Visitor.ts"
import { actions } from "./Requests.ts"
import { violation } from "./Invariants.ts"
import { cookieHeader, type Jar, keepCookies, type Play, type Step } from "./Play.ts"
import type { Entry, Sites } from "./Sites.ts"

/** An answer, read to its end. */
export interface Answer {
  readonly response: Response
  readonly body: string
}

/** The result of a play. */
export interface Outcome {
  readonly requests: number
  /** One for each answer: action, status and what the answer is. */
  readonly classes: ReadonlyArray<string>
  readonly statuses: ReadonlyArray<number>
  /** The violation, if any. */
  readonly violation: string | undefined
}

/** The observations of a play so far. */
interface Scene {
  readonly jar: Jar
  csrf: string
  form: string
  away: URL | undefined
  back: URLSearchParams
}

/** The hidden fields of the forms on a page. */
const hiddenFields = (body: string): string =>
  new URLSearchParams(
    [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll("&#39;", "'").replaceAll("&quot;", '"').replaceAll("&amp;", "&")
    ])
  ).toString()

const placeholder = /\*([a-zA-Z]+)(?:\.(\d+))?\*/g

const filledIn = (entry: Entry, { lastLink, provider }: Sites, scene: Scene) => {
  const link = (name: string) => encodeURIComponent(new URL(lastLink() ?? site).searchParams.get(name) ?? "")
  const returned = (name: string) => {
    const { away } = scene
    if (away?.searchParams.has("code_challenge") === true) {
      scene.away = undefined
      scene.back = provider.agree(away.href).searchParams
    }
    return encodeURIComponent(scene.back.get(name) ?? "")
  }
  const values: Record<string, (index: number) => string> = {
    base: () => entry.basePath,
    site: () => encodeURIComponent(site),
    token: () => entry.token,
    anonymous: () => entry.anonymous,
    known: (index) => entry.known[index % entry.known.length] ?? "",
    csrf: () => scene.csrf,
    form: () => scene.form,
    code: () => returned("code"),
    state: () => returned("state"),
    linkTarget: () => link("callbackUrl"),
    linkToken: () => link("token"),
    linkEmail: () => link("email")
  }
  return (text: string): string =>
    text.replace(placeholder, (whole, name: string, index = "0") => values[name]?.(Number(index)) ?? whole)
}

/** The request of a step; none where no browser could send it. */
const requestOf = (step: Step, fill: (text: string) => string, jar: Jar): Request | undefined => {
  const url = `${site}${fill(step.path)}`
  if (!URL.canParse(url)) return undefined
  const headers = new Headers()
  for (const [name, value] of step.headers) headers.append(name, fill(value))
  const cookies = step.cookies === undefined ? "" : cookieHeader(jar, step.cookies)
  if (cookies !== "" && !headers.has("cookie")) headers.set("cookie", cookies)
  const { method } = step
  const bodiless = method === "GET" || method === "HEAD"
  return new Request(url, { method, headers, body: bodiless ? null : fill(step.body ?? "") })
}

const learn = (scene: Scene, { body, response }: Answer): void => {
  keepCookies(scene.jar, response.headers.getSetCookie())
  const token = /"csrfToken":"([0-9a-f]+)"|name="csrfToken" value="([0-9a-f]+)"/.exec(body)
  if (token !== null) scene.csrf = token[1] ?? token[2] ?? ""
  if (body.startsWith("<!")) scene.form = hiddenFields(body)
  const location = response.headers.get("location")
  if (location?.startsWith("https://idp.example/authorize?") === true) scene.away = new URL(location)
}

/** The kind of an answer: what tells it from others without naming values. */
const classOf = ({ path }: Step, { body, response }: Answer): string => {
  const segment = /^\*base\*\/([a-z-]+)/.exec(path)?.[1] ?? ""
  const action = actions.includes(segment) ? segment : "other"
  const location = response.headers.get("location")
  const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? ""
  let what = type
  if (location !== null && URL.canParse(location, site)) {
    const { origin, pathname, searchParams } = new URL(location, site)
    const where = origin === site ? pathname.slice(0, 24).replaceAll(/[^a-z/-]/g, "?") : "elsewhere"
    what = `to ${where} ${searchParams.get("error") ?? ""} ${searchParams.get("code")?.slice(0, 30) ?? ""}`.trim()
  } else if (type === "application/json") what = body.slice(0, 12).replaceAll(/[^a-zA-Z{[":]/g, "")
  else if (type === "text/html") what = `page ${/<h1[^>]*>([^<]{0,40})/.exec(body)?.[1] ?? ""}`
  const names = response.headers
    .getSetCookie()
    .map((line) => line.slice(0, line.indexOf("=")).replaceAll(/\.(?:\d+|flow.*)$/g, ""))
    .filter((name, index, all) => all.indexOf(name) === index)
  return `${action} ${response.status} ${what}${names.length === 0 ? "" : ` sets ${names.toSorted().join(" ")}`}`
}

/** Plays at one site. */
export const play = async (sites: Sites, entry: Entry, { steps }: Play): Promise<Outcome> => {
  const scene: Scene = {
    jar: { current: new Map(), earlier: new Map() },
    csrf: entry.token,
    form: "",
    away: undefined,
    back: new URLSearchParams()
  }
  const fill = filledIn(entry, sites, scene)
  const classes: Array<string> = []
  const statuses: Array<number> = []
  let isHonest = true
  const outcome = (found: string | undefined): Outcome => ({
    requests: statuses.length,
    classes,
    statuses,
    violation: found
  })
  for (const step of steps) {
    const request = requestOf(step, fill, scene.jar)
    if (request === undefined) continue
    if (step.fault !== undefined) isHonest = false
    sites.provider.misbehave(step.fault)
    const rejection: { error?: unknown } = {}
    const response = await entry.answer(request).catch((error: unknown) => void (rejection.error = error))
    if (!(response instanceof Response)) return outcome(`rejected: ${String(rejection.error)}`)
    const answer = { response, body: await response.text() }
    classes.push(classOf(step, answer))
    statuses.push(response.status)
    const alarms = entry.alarms()
    const found =
      violation(entry, request, answer, isHonest) ??
      (entry.fails === "never" && isHonest && alarms.length > 0 ? `an alarm of the operator: ${alarms[0]}` : undefined)
    if (found !== undefined) return outcome(`${request.method} ${request.url.slice(0, 200)}: ${found}`)
    learn(scene, answer)
  }
  return outcome(undefined)
}
