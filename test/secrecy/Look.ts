/**
 * Looks for what must stay secret in everything that left.
 */
import { assert } from "@effect/vitest"
import * as Exit from "effect/Exit"
import type { NativeSpan } from "effect/Tracer"
import { cookieOf, type Seen } from "../Browser.ts"
import { idpOrigin, idpSecret } from "../MemoryProvider.ts"
import { otherSecret, secret } from "../Visitor.ts"
import { everything, type Watched } from "./Watched.ts"

export const canary = {
  code: "canary-code-4711",
  access: "canary-access-token-4711",
  refresh: "canary-refresh-token-4711",
  password: "canary password 4711",
  email: "canary.person@mail.example",
  name: "Canary Person",
  text: "canary words of the provider"
}

/** Values that only this run had: those of the attempt, and the cookies. */
const ofThisRun = (world: Watched): ReadonlyArray<string> => {
  const tokenRequests = world.provider.received.filter(({ path }) => path === "/token")
  const asked = world.seen.flatMap(({ location }) =>
    location?.startsWith(`${idpOrigin}/authorize`) === true ? [new URL(location).searchParams] : []
  )
  const cookies = world.seen.flatMap(({ lines }) => lines.map((line) => cookieOf(line)))
  return [
    ...world.provider.issued,
    ...tokenRequests.map(({ body }) => new URLSearchParams(body).get("code_verifier") ?? ""),
    ...asked.flatMap((parameters) => [parameters.get("state") ?? "", parameters.get("nonce") ?? ""]),
    ...cookies.filter(({ name }) => !name.endsWith("callback-url")).map(({ value }) => value)
  ].filter((value) => value.length > 8)
}

/** Tracers write down what a span failed with. */
const failureOf = ({ status }: NativeSpan): unknown =>
  status._tag === "Ended" && Exit.isFailure(status.exit) ? status.exit : undefined

/** Further values of a run, and the ones that may be shown. */
export interface Looked {
  /** Entries that the flow logs, apart from the debug log; one for a failure. */
  readonly lines?: number
  /** Secrets that only this run had: nobody but their owner may see them, in a cookie or in a mail. */
  readonly secrets?: ReadonlyArray<string>
  /** Tokens of links: on the page that a link opens, besides. */
  readonly links?: ReadonlyArray<string>
  /** Personal data: it may be shown to a browser, in a body. */
  readonly personal?: ReadonlyArray<string>
}

const isConfirmation = ({ body, status }: Seen): boolean => status === 200 && body.includes('name="token"')

/** The spans of a request and of the library. */
const named = /^(?:request|effect-doorman\.[a-z-]+)$/

/** Looks at everything that left. */
export const look = (world: Watched, { lines: most, links = [], personal = [], secrets = [] }: Looked): void => {
  const { logged, lines, provider, seen, spans } = world
  const basic = Buffer.from(`client-1:${encodeURIComponent(idpSecret).replaceAll("%20", "+")}`).toString("base64")
  const always = [
    secret,
    otherSecret,
    idpSecret,
    encodeURIComponent(idpSecret),
    basic,
    canary.access,
    canary.refresh,
    canary.password
  ]
  const perRun = ofThisRun(world)
  assert.isAbove(seen.length, 0)

  // Nothing of it is written down: not the secrets, nor what came from outside, nor who it was.
  const failures = seen.flatMap(({ failure }) => (failure === undefined ? [] : [everything(failure)]))
  const traced = spans.map((span) =>
    everything([span.name, [...span.attributes], span.events, span.links, failureOf(span)])
  )
  for (const { name } of spans) assert.match(name, named)
  const kept = [...world.events.map((event) => everything(event)), ...world.series()]
  assert.isAbove(kept.length, 0, "nothing was counted")
  for (const text of [...logged, ...failures, ...traced, ...kept]) {
    for (const value of [...always, ...perRun, ...secrets, ...links, ...Object.values(canary), ...personal]) {
      assert.notInclude(text, value)
    }
  }

  // Nothing of it is told to a browser, except what belongs there.
  for (const answer of seen) {
    const { body, lines: cookies, location } = answer
    const headers = [...answer.headers].filter(([name]) => name !== "set-cookie" && name !== "location").join("\n")
    // A session's own token is in a cookie, and nowhere else; that of a link on the page that the link opens.
    for (const value of [...perRun, ...secrets]) assert.notInclude(`${body}\n${headers}`, value)
    for (const value of links) if (!isConfirmation(answer)) assert.notInclude(`${body}\n${headers}`, value)
    const plain = `${body}\n${headers}\n${cookies.map((line) => decodeURIComponent(line)).join("\n")}`
    for (const value of [...always, canary.code, canary.text]) assert.notInclude(plain, value)
    for (const value of provider.issued) assert.notInclude(plain, value)
    const told = decodeURIComponent(location ?? "")
    for (const value of [...always, ...secrets, ...links, ...Object.values(canary), ...personal, ...provider.issued]) {
      assert.notInclude(told, value)
    }
    for (const line of cookies) assert.notInclude(decodeURIComponent(line), canary.email)
    assert.notInclude(body, "jti")
  }

  // One failure is one entry.
  const entries = lines.filter(({ level }) => level !== "Debug")
  if (most !== undefined) assert.strictEqual(entries.length, most, everything(entries.map(({ message }) => message)))
}
