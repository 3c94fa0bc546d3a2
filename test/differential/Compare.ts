/**
 * The differences between two observations of the same step, small enough that each can be explained by itself and named
 * so that the same difference always has the same name: `<request group>/<aspect>/<absent|extra|changed>`, seen from ours.
 */
import type { Observation } from "./Observation.ts"
import type { Scenario, Seen } from "./Scenario.ts"

/** Where a difference was seen. */
export interface Place {
  readonly scenario: Scenario
  readonly step: number
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly now: number
  /** First path segment after the base path, and the second one. */
  readonly action: string
  readonly provider: string | undefined
  readonly peer: Observation
  readonly ours: Observation
  readonly earlier: ReadonlyArray<Difference>
}

/** One difference. */
export interface Difference {
  readonly id: string
  readonly group: string
  readonly aspect: string
  readonly kind: "absent" | "extra" | "changed"
  readonly peer: unknown
  readonly ours: unknown
  readonly place: Place
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

type Note = (aspect: string, peer: unknown, ours: unknown) => void

const byKey = (
  note: Note,
  aspect: string,
  peer: Readonly<Record<string, unknown>>,
  ours: Readonly<Record<string, unknown>>
): void => {
  for (const key of new Set([...Object.keys(peer), ...Object.keys(ours)]))
    note(`${aspect}.${key}`, peer[key], ours[key])
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const cookies = (note: Note, peer: Observation, ours: Observation): void => {
  const index = (seen: Observation): Map<string, Array<Observation["cookies"][number]>> => {
    const found = new Map<string, Array<Observation["cookies"][number]>>()
    for (const cookie of seen.cookies) {
      const name = cookie.name.replace(/(authjs\.flow)\..*/, "$1")
      found.set(name, [...(found.get(name) ?? []), cookie])
    }
    return found
  }
  const [left, right] = [index(peer), index(ours)]
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [a = [], b = []] = [left.get(name), right.get(name)]
    const key = a[0]?.key ?? b[0]?.key ?? name
    if (a.length !== b.length) {
      note(`cookie.${key}`, a.length === 0 ? undefined : a, b.length === 0 ? undefined : b)
      continue
    }
    a.forEach((one, at) => {
      const other = b[at]
      if (other === undefined) return
      note(`cookie.${key}.value`, one.value, other.value)
      note(`cookie.${key}.claim`, one.claim, other.claim)
      byKey(note, `cookie.${key}.attribute`, one.attributes, other.attributes)
    })
  }
}

const calls = (note: Note, aspect: string, peer: Observation["calls"], ours: Observation["calls"]): void => {
  const names = (list: Observation["calls"]): ReadonlyArray<string> => list.map((call) => call.name)
  if (!same(names(peer), names(ours))) {
    note(`${aspect}.order`, names(peer), names(ours))
    return
  }
  peer.forEach((call, at) => {
    const other = ours[at]
    if (other === undefined || same(call.args, other.args)) return
    if (isRecord(call.args) && isRecord(other.args)) byKey(note, `${aspect}.${call.name}`, call.args, other.args)
    else note(`${aspect}.${call.name}`, call.args, other.args)
  })
}

/** Changes of the store, method by method: how often, with what, and in which order. */
const changes = (note: Note, peer: Observation["writes"], ours: Observation["writes"]): void => {
  const names = (list: Observation["writes"]): ReadonlyArray<string> => list.map((call) => call.name)
  const uneven = new Set<string>()
  for (const name of new Set([...names(peer), ...names(ours)])) {
    const [a, b] = [peer, ours].map((list) => list.filter((call) => call.name === name))
    if (a === undefined || b === undefined) continue
    if (a.length === b.length) calls(note, "store", a, b)
    else {
      uneven.add(name)
      note(`store.times.${name}`, a.length, b.length)
    }
  }
  const even = (list: Observation["writes"]): ReadonlyArray<string> => names(list).filter((name) => !uneven.has(name))
  note("store.order", even(peer), even(ours))
}

/** Rows of a table have no order. */
const sorted = (rows: ReadonlyArray<unknown> = []): ReadonlyArray<unknown> =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

const actions: ReadonlySet<string> = new Set([
  "providers",
  "session",
  "csrf",
  "signin",
  "signout",
  "callback",
  "verify-request",
  "error",
  "webauthn-options"
])

/** Action and provider of a path, whatever the base path. */
const split = (path: string): ReadonlyArray<string> => {
  const parts = path.split("/").filter((part) => part !== "")
  const at = parts.findIndex((part) => actions.has(part))
  return at < 0 ? parts.slice(1) : parts.slice(at)
}

/** Compares one step. */
const compareStep = (
  scenario: Scenario,
  step: number,
  peer: Seen,
  ours: Seen,
  earlier: ReadonlyArray<Difference>
): ReadonlyArray<Difference> => {
  const url = new URL(peer.url)
  const [action = "", provider] = split(url.pathname)
  const place: Place = {
    scenario,
    step,
    method: peer.method,
    url,
    headers: peer.headers,
    body: peer.body,
    now: peer.now,
    action,
    provider,
    peer: peer.observation,
    ours: ours.observation,
    earlier
  }
  const found: Array<Difference> = []
  const note: Note = (aspect, a, b) => {
    if (same(a, b)) return
    const kind = b === undefined ? "absent" : a === undefined ? "extra" : "changed"
    found.push({
      id: `${scenario.group}/${aspect}/${kind}`,
      group: scenario.group,
      aspect,
      kind,
      peer: a,
      ours: b,
      place
    })
  }
  const [p, o] = [peer.observation, ours.observation]
  note("kind", p.kind, o.kind)
  note("thrown", p.thrown, o.thrown)
  note("status", p.status, o.status)
  byKey(note, "header", p.headers, o.headers)
  if (p.location === undefined || o.location === undefined) note("location", p.location, o.location)
  else {
    note("location.target", p.location.target, o.location.target)
    byKey(note, "location.query", p.location.query, o.location.query)
  }
  cookies(note, p, o)
  if (isRecord(p.body) && isRecord(o.body)) {
    for (const key of new Set([...Object.keys(p.body), ...Object.keys(o.body)])) {
      const [a, b] = [p.body[key], o.body[key]]
      if (key === "url" && isRecord(a) && isRecord(b)) {
        note("body.url.target", a["target"], b["target"])
        if (isRecord(a["query"]) && isRecord(b["query"])) byKey(note, "body.url.query", a["query"], b["query"])
      } else if (isRecord(a) && isRecord(b)) byKey(note, `body.${key}`, a, b)
      else note(`body.${key}`, a, b)
    }
  } else note("body", p.body, o.body)
  if (p.page === undefined || o.page === undefined) note("page", p.page, o.page)
  else {
    note("page.title", p.page.title, o.page.title)
    note("page.links", p.page.links, o.page.links)
    if (p.page.forms.length !== o.page.forms.length) note("page.forms", p.page.forms, o.page.forms)
    else {
      p.page.forms.forEach((form, at) => {
        const other = o.page?.forms[at]
        if (other === undefined) return
        note("page.form.action", form.action, other.action)
        note("page.form.method", form.method, other.method)
        note("page.form.fields", form.fields, other.fields)
        byKey(note, "page.form.value", form.values, other.values)
      })
    }
  }
  calls(note, "callback", p.calls, o.calls)
  calls(note, "event", p.events, o.events)
  changes(note, p.writes, o.writes)
  note("lookups", p.reads, o.reads)
  for (const table of Object.keys(p.stored)) {
    // An earlier difference that did not change was reported at its step.
    if (same(p.before[table], p.stored[table]) && same(o.before[table], o.stored[table])) continue
    note(`stored.${table}`, sorted(p.stored[table]), sorted(o.stored[table]))
  }
  if (same([...p.sequence].sort(), [...o.sequence].sort())) note("sequence", p.sequence, o.sequence)
  note("logs", p.logs, o.logs)
  // Differences of the log are reported already.
  if (same(p.logs, o.logs)) note("alarms", p.alarms, o.alarms)
  note("advice", p.advice, o.advice)
  note("debugged", p.debugged, o.debugged)
  const sent = (seen: Observation): ReadonlyArray<string> =>
    seen.outbound.map((request) => `${request.method} ${request.url}`)
  if (!same(sent(p), sent(o))) note("outbound.requests", sent(p), sent(o))
  else {
    p.outbound.forEach((request, at) => {
      const other = o.outbound[at]
      if (other === undefined) return
      const { form, ...rest } = request
      const { form: otherForm, ...otherRest } = other
      byKey(note, "outbound", rest, otherRest)
      byKey(note, "outbound.form", form, otherForm)
    })
  }
  return found
}

/** Compares two plays of one scenario. */
export const comparePlays = (
  scenario: Scenario,
  peer: ReadonlyArray<Seen>,
  ours: ReadonlyArray<Seen>
): ReadonlyArray<Difference> => {
  const found: Array<Difference> = []
  peer.forEach((seen, step) => {
    const other = ours[step]
    if (other !== undefined) found.push(...compareStep(scenario, step, seen, other, found))
  })
  return found
}

/** A difference in one line, for the report of a failing test. */
export const describeDifference = (difference: Difference): string => {
  const { place } = difference
  const show = (value: unknown): string => {
    const text = JSON.stringify(value) ?? "nothing"
    return text.length > 220 ? `${text.slice(0, 220)}…` : text
  }
  return `${difference.id}\n    ${place.scenario.name}, step ${place.step + 1}: ${place.method} ${place.url.pathname}${place.url.search}\n    peer ${show(difference.peer)}\n    ours ${show(difference.ours)}`
}
