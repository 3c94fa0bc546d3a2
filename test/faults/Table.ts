/**
 * The table of calls and faults, as text: one line for every call of every flow, one column for every fault.
 */
import { faults } from "./Injector.ts"
import type { Case, Outcome } from "./Play.ts"

/** The result of a case. */
export interface Played {
  readonly one: Case
  readonly outcomes: ReadonlyArray<Outcome>
}

const short = (answer: string): string =>
  answer === "error Configuration" ? "E" : answer.replace("signin ", "").replace("error ", "E:").replace("OAuth", "")

const cell = (outcome: Outcome | undefined): string =>
  outcome === undefined ? "" : `${short(outcome.answer)}${outcome.retry === "ok" ? "" : " !"}`

interface Line {
  readonly flow: string
  readonly stores: string
  readonly call: string
  readonly cells: ReadonlyArray<string>
}

const linesOf = ({ one, outcomes }: Played): ReadonlyArray<Line> => {
  const calls = new Map<number, Array<Outcome>>()
  for (const outcome of outcomes) calls.set(outcome.at, [...(calls.get(outcome.at) ?? []), outcome])
  return [...calls.values()].map((all) => ({
    flow: `${one.flow.name}, ${one.strategy}`,
    stores: one.store.slice(0, 1).toUpperCase(),
    call: all[0]?.call ?? "",
    cells: faults.map((fault) => cell(all.find((outcome) => outcome.fault === fault)))
  }))
}

/** Lines of several stores that say the same are one. */
const merged = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const made = new Map<string, Line>()
  for (const line of lines) {
    const key = JSON.stringify([line.flow, line.call, line.cells])
    const before = made.get(key)
    if (before?.stores.includes(line.stores) === true) continue
    made.set(key, before === undefined ? line : { ...line, stores: before.stores + line.stores })
  }
  return [...made.values()].sort((a, b) => (a.flow === b.flow ? 0 : a.flow < b.flow ? -1 : 1))
}

/** The person's view, in words. */
const inWords = (answer: string): string =>
  answer === "error Configuration"
    ? "error page"
    : answer === "null"
      ? "signed out for this answer"
      : answer.startsWith("signin ")
        ? `sign-in page, \`${answer.slice(7)}\``
        : `error page, \`${answer.slice(6)}\``

const partOf = (call: string): string =>
  call === "mail" ? "the mailer" : call.startsWith("/") ? "the provider" : "the store"

/** The person's view when a part fails, for every flow: the table of `docs/reliability.md`. */
export const answersOf = (played: ReadonlyArray<Played>): string => {
  const seen = new Map<string, Set<string>>()
  for (const { one, outcomes } of played) {
    for (const { answer, call, fault } of outcomes) {
      // Concurrent requests of others are no failure of a part.
      if (answer === "ok" || fault === "nothing" || fault === "rival") continue
      const key = `| ${one.flow.name} | ${partOf(call)} |`
      seen.set(key, (seen.get(key) ?? new Set<string>()).add(inWords(answer)))
    }
  }
  const rows = [...seen].map(([key, answers]) => `${key} ${[...answers].toSorted().join("; ")} |`)
  return ["| flow | what fails | what the person sees |", "| ---- | ---------- | -------------------- |", ...rows].join(
    "\n"
  )
}

export const legend = [
  "stores: T with transactions, S without, P the promises of an Auth.js adapter that makes ids of its own",
  "answers: ok as if nothing had happened; E the error page; null signed out for this answer; else the sign-in page with",
  "this error. After every answer but ok the person tries again and gets there, except where a ! stands."
]

export const tableOf = (played: ReadonlyArray<Played>): string => {
  const lines = merged(played.flatMap(linesOf))
  const head = ["call", "st", ...faults]
  const rows = lines.map((line) => [`${line.call}`, line.stores, ...line.cells])
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const show = (row: ReadonlyArray<string>) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join(" ")
      .trimEnd()
  const text: Array<string> = [...legend]
  let flow = ""
  for (const [index, line] of lines.entries()) {
    if (line.flow !== flow) text.push("", line.flow, show(head))
    flow = line.flow
    text.push(show(rows[index] ?? []))
  }
  return text.join("\n")
}
