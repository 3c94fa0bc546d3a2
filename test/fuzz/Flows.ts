/**
 * Whole sign-ins of one browser, tampered with at each step: what answers set is sent on, changed or not.
 */
import { type ProviderFault, providerFaults } from "./FaultyProvider.ts"
import type { CookieChange, Step } from "./Play.ts"
import { encodedText, type Generator, header, looseStep, names } from "./Requests.ts"

const formType = ["content-type", "application/x-www-form-urlencoded"] as const

const get = (path: string): Step => ({ method: "GET", path, headers: [], cookies: [] })

const post = (path: string, body: string): Step => ({ method: "POST", path, headers: [formType], cookies: [], body })

const csrf = get("*base*/csrf")
const session = get("*base*/session")
/** The parameters with which the provider sends the browser back. */
const returning = "code=*code*&state=*state*"
const back = get(`*base*/callback/oidc?${returning}`)
const link = get("*base*/callback/email?callbackUrl=*linkTarget*&token=*linkToken*&email=*linkEmail*")
const out = post("*base*/signout", "csrfToken=*csrf*")

const withPassword = (random: Generator): ReadonlyArray<Step> => [
  csrf,
  post("*base*/callback/credentials", `csrfToken=*csrf*&username=u${random.next(1000)}&password=pw`),
  session
]

const withProvider = (random: Generator): ReadonlyArray<Step> => [
  csrf,
  post("*base*/signin/oidc", `csrfToken=*csrf*&callbackUrl=${random.pick(["", "%2Fdash", "*site*%2Fx"])}`),
  random.next(6) === 0 ? post("*base*/callback/oidc", returning) : back
]

const withLink = (random: Generator): ReadonlyArray<Step> => [
  csrf,
  post("*base*/signin/email", `csrfToken=*csrf*&email=u${random.next(1000)}%40example.com`),
  link,
  post("*base*/callback/email", "*form*")
]

const ceremony = (random: Generator): ReadonlyArray<Step> => [
  get(`*base*/webauthn-options/passkey?action=${random.pick(["register", "authenticate", ""])}&email=u1%40example.com`),
  csrf,
  post(
    "*base*/callback/passkey",
    `csrfToken=*csrf*&action=${random.pick(["register", "authenticate"])}&data=${encodeURIComponent(
      JSON.stringify({
        id: "AQID",
        rawId: random.pick(["AQID", "", 1, "*token*"]),
        type: "public-key",
        clientExtensionResults: {},
        response: random.pick<object>([
          {},
          { clientDataJSON: "e30", attestationObject: "oA", authenticatorData: "AA", signature: "AA" },
          { clientDataJSON: "////", attestationObject: "A".repeat(2000) }
        ])
      })
    )}`
  )
]

const starts = [withPassword, withProvider, withProvider, withProvider, withLink, withLink, ceremony]

const afterwards = (random: Generator): ReadonlyArray<Step> =>
  random.pick([
    [session],
    [session, out, session],
    [csrf, post("*base*/session", "csrfToken=*csrf*"), session],
    [back],
    [link, post("*base*/callback/email", "*form*")],
    [get("*base*/signout"), post("*base*/signout", "*form*")],
    [get("*base*/signin?callbackUrl=%2Fdash&error=OAuthSignin")]
  ])

const otherNames = [
  "__Host-authjs.session-token",
  "__Host-authjs.session-token",
  "authjs.session-token",
  "__Host-authjs.session-token.0",
  "__Host-authjs.session-token.7",
  "__Host-authjs.csrf-token",
  "__Secure-authjs.state",
  "__Host-authjs.flow",
  "__proto__"
]

const cookieChange = (random: Generator): CookieChange => {
  const { next, pick } = random
  const at = next(8)
  switch (next(5)) {
    case 0:
      return { change: pick(["truncate", "flip"] as const), at, to: next(500) }
    case 1:
      return { change: "swap", at, to: next(8) }
    case 2:
      return { change: "rename", at, name: pick(otherNames) }
    default:
      return { change: pick(["remove", "duplicate", "split", "stale"] as const), at }
  }
}

/** Changes one parameter of a query or form. */
const retouched = (random: Generator, query: string): string => {
  const { next, pick } = random
  const pairs = query.split("&")
  const at = next(pairs.length)
  const [name = ""] = (pairs[at] ?? "").split("=")
  const content = encodedText(random)
  switch (next(4)) {
    case 0:
      return pairs.toSpliced(at, 1).join("&")
    case 1:
      return [...pairs, `${name}=${content}`].join("&")
    case 2:
      return pairs.toSpliced(at, 1, `${name}=${content}`).join("&")
    default:
      return [...pairs, `${pick(names)}=${content}`].join("&")
  }
}

const retouchedPath = (random: Generator, path: string): string => {
  const [before = "", query = ""] = path.split("?")
  return `${before}?${retouched(random, query)}`
}

const tampered = (random: Generator, step: Step): Step => {
  const { next, pick } = random
  switch (next(7)) {
    case 0:
    case 1:
      return { ...step, cookies: Array.from({ length: 1 + next(3) }, () => cookieChange(random)) }
    case 2:
      return { ...step, headers: [...step.headers, header(random)] }
    case 3:
      return step.body === undefined
        ? { ...step, path: retouchedPath(random, step.path) }
        : { ...step, body: retouched(random, step.body) }
    case 4:
      return { ...step, fault: pick<ProviderFault>(providerFaults) }
    case 5:
      return step.body === undefined
        ? { ...step, method: pick(["HEAD", "POST", "PUT"]) }
        : { ...step, headers: [["content-type", pick(["application/json", "text/plain", "multipart/form-data"])]] }
    default:
      return { ...looseStep(random), cookies: [] }
  }
}

/** Repeats, omits or exchanges steps. */
const reordered = ({ next }: Generator, steps: ReadonlyArray<Step>): ReadonlyArray<Step> => {
  const at = next(steps.length)
  const step = steps[at] as Step
  switch (next(8)) {
    case 0:
      return steps.toSpliced(at, 0, step)
    case 1:
      return steps.toSpliced(at, 1)
    case 2:
      return [...steps.toSpliced(at, 1), step]
    default:
      return steps
  }
}

/** Changes some of the steps. */
export const tamperedSteps = (random: Generator, steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  reordered(
    random,
    steps.map((step) => (random.next(4) === 0 ? tampered(random, step) : step))
  )

/** A sign-in, what follows it, and sometimes a second sign-in between its steps. */
export const flow = (random: Generator): ReadonlyArray<Step> => {
  const first = random.pick(starts)(random)
  const second = random.next(4) === 0 ? random.pick(starts)(random) : []
  const at = random.next(first.length + 1)
  const steps = [...first.slice(0, at), ...second, ...first.slice(at), ...afterwards(random)]
  return random.next(5) === 0 ? steps : tamperedSteps(random, steps)
}
