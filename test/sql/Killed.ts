/**
 * Servers that are killed while people sign in. People who lost their answer follow the same link again.
 */
import { assert, it } from "@effect/vitest"
import { type ChildProcess, spawn } from "node:child_process"
import { setTimeout as delay } from "node:timers/promises"
import * as Effect from "effect/Effect"
import { fieldsOf } from "../Mailed.ts"
import { node, program } from "./ChildProgram.ts"
import type { Site } from "./Crash.ts"
import { dump } from "./Engine.ts"
import { repetitions } from "../Repetitions.ts"

/** Rounds of one engine: half of what is asked for. */
const rounds = Math.ceil(Number(process.env["DOORMAN_CRASH_ROUNDS"] ?? repetitions(10, 30)) / 2)
const seed = Number(process.env["DOORMAN_CRASH_SEED"] ?? "1")

/** People who sign in at once. */
const people = 4

/** Mulberry32. */
const randomOf = (start: number) => {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A server and the last link that it sent to each address. */
interface Server {
  readonly origin: string
  readonly links: Map<string, URL>
  /** The standard error of the process. */
  readonly said: () => string
  /** Resolves when the process is gone. */
  readonly kill: () => Promise<void>
}

const isMessage = (value: unknown): value is { readonly port?: number; readonly to?: string; readonly url?: string } =>
  typeof value === "object" && value !== null

const started = (site: Site, file: string) =>
  new Promise<Server>((resolve, reject) => {
    const args = ["--disable-warning=ExperimentalWarning", file]
    const running: ChildProcess = spawn(node, [...args, site.engine, site.place], {
      stdio: ["ignore", "ignore", "pipe", "ipc"]
    })
    const links = new Map<string, URL>()
    let errors = ""
    running.stderr?.on("data", (chunk) => (errors += String(chunk)))
    const ended = new Promise<void>((done) => running.once("close", () => done()))
    running.once("close", () => reject(new Error(`The server did not start: ${errors}`)))
    running.on("message", (message) => {
      if (!isMessage(message)) return
      if (message.to !== undefined && message.url !== undefined) links.set(message.to, new URL(message.url))
      if (message.port === undefined) return
      const kill = () => {
        running.kill("SIGKILL")
        return ended
      }
      resolve({ origin: `http://127.0.0.1:${message.port}`, links, said: () => errors, kill })
    })
  })

/** A person with a browser, which keeps its cookies whichever server answers. */
const personOf = (address: string) => {
  const cookies = new Map<string, string>()
  const ask = async (server: Server, path: string, fields?: Record<string, string>) => {
    const answer = await fetch(server.origin + path, {
      redirect: "manual",
      headers: { cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
      ...(fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) })
    })
    const body = await answer.text()
    self.last = `${answer.status} ${answer.headers.get("location") ?? ""}`
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";")
      const at = pair.indexOf("=")
      if (at === pair.length - 1 || /; Max-Age=0(?:;|$)/.test(line)) cookies.delete(pair.slice(0, at))
      else cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return body
  }
  const self = {
    address,
    /** The last answer in short. */
    last: "",
    /** Did an answer set a session cookie? */
    isAcknowledged: () => [...cookies.keys()].some((name) => name.includes("session-token")),
    /** The link of this person, as far as they got one and the answer that belongs to it. */
    link: undefined as URL | undefined,
    askForLink: async (server: Server) => {
      const csrf: unknown = JSON.parse(await ask(server, "/auth/csrf"))
      const csrfToken = String(Object(csrf).csrfToken)
      await ask(server, "/auth/signin/email", { csrfToken, email: address })
      // The mail comes by another channel than the answer, and may be later.
      while (!server.links.has(address)) await delay(5)
      self.link = server.links.get(address)
    },
    follow: async (server: Server, link: URL) => {
      const page = await ask(server, link.pathname + link.search)
      await ask(server, link.pathname, fieldsOf(page))
    },
    isSignedIn: async (server: Server) => (await ask(server, "/auth/session")).includes(address)
  }
  return self
}

type Person = ReturnType<typeof personOf>

/** The results of all rounds. */
interface Figures {
  readonly rounds: number
  /** Sign-ins of which the kill left nothing, all without the answer, or all with it. */
  undone: number
  unanswered: number
  acknowledged: number
  /** The last answers to people who lost something, and the log of the server. */
  readonly lost: Array<string>
  lostLinks: number
  lostSessions: number
  halves: number
}

const count = (text: string, part: string) => text.split("\n").filter((line) => line.includes(part)).length

/** Counts rows of each person. A link that is gone made a user who has one session more, and one that is there made nothing. */
const inspect = (site: Site, persons: ReadonlyArray<Person>, before: ReadonlyMap<string, number>, figures: Figures) =>
  site.use((store, sql) =>
    Effect.gen(function* () {
      const users = yield* dump(sql, ["users"])
      const sessions = yield* dump(sql, ["sessions"])
      const links = yield* dump(sql, ["verification_token"])
      for (const { address, link } of persons) {
        if (link === undefined) continue
        const [user] = users.split("\n").filter((line) => line.includes(address))
        const own = user === undefined ? 0 : count(sessions, user.replace(/^users: ([^|]*).*$/, "$1"))
        const isUsed = count(links, address) === 0
        const made = own - (before.get(address) ?? 0)
        const isWhole = made === (isUsed ? 1 : 0) && (user !== undefined) === own > 0 && count(users, address) <= 1
        if (!isWhole) figures.halves++
        if (!isUsed) figures.undone++
      }
      return yield* Effect.succeed(store.methods.size)
    })
  )

/** Hours pass: the budgets of mails, which rounds would spend that follow each other within a second, are full again. */
const refill = (site: Site) => site.use((_, sql) => sql`DELETE FROM doorman_shared_state WHERE key LIKE 'limit.%'`)

const playRound = async (
  site: Site,
  [server, next]: readonly [Server, Server],
  persons: ReadonlyArray<Person>,
  before: Map<string, number>,
  figures: Figures,
  random: () => number
) => {
  const began = performance.now()
  await Promise.all(persons.map((person) => person.askForLink(server)))
  const duration = performance.now() - began
  const followed = Promise.allSettled(
    persons.flatMap((person) => (person.link === undefined ? [] : [person.follow(server, person.link)]))
  )
  // Following takes about as long as asking: some are killed before their transaction, some in it, some after it.
  await delay(random() * 1.5 * duration)
  await server.kill()
  await followed
  const acknowledged = new Set(persons.filter((person) => person.isAcknowledged()))
  await inspect(site, persons, before, figures)
  await refill(site)
  for (const person of persons) {
    if (acknowledged.has(person)) figures.acknowledged++
    else figures.unanswered++
    if (!acknowledged.has(person) && person.link !== undefined) await person.follow(next, person.link)
    before.set(person.address, (before.get(person.address) ?? 0) + 1)
    const { last } = person
    if (await person.isSignedIn(next)) continue
    figures.lost.push(`${person.address}: ${last} ${next.said()}`)
    if (acknowledged.has(person)) figures.lostSessions++
    else figures.lostLinks++
  }
}

/** Kills servers on one database at random moments, and counts what is lost. */
export const killed = (newSite: () => Promise<Site>): void => {
  const server = program("KilledServer")
  it(
    `H266 loses no link and no session when a server is killed, ${rounds} rounds`,
    { timeout: 1_200_000 },
    async () => {
      const site = await newSite()
      const file = await server()
      const random = randomOf(seed)
      const figures: Figures = {
        lost: [],
        rounds,
        undone: 0,
        unanswered: 0,
        acknowledged: 0,
        lostLinks: 0,
        lostSessions: 0,
        halves: 0
      }
      const before = new Map<string, number>()
      let running = await started(site, file)
      for (let round = 0; round < rounds; round++) {
        const next = started(site, file)
        // Half of the people have signed in before.
        const persons = Array.from({ length: people }, (_, index) =>
          personOf(index % 2 === 0 ? `person-${round}-${index}@example.com` : `regular-${index}@example.com`)
        )
        await playRound(site, [running, await next], persons, before, figures, random)
        running = await next
      }
      await running.kill()
      console.log(`${site.engine}: ${JSON.stringify(figures)}, seed ${seed}`)
      const { halves, lostLinks, lostSessions } = figures
      assert.deepStrictEqual({ lostLinks, lostSessions, halves }, { lostLinks: 0, lostSessions: 0, halves: 0 })
      assert.isAbove(figures.undone, 0)
      assert.isAbove(figures.acknowledged, 0)
    }
  )
}
