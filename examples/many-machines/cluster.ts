/**
 * Four processes of one site behind a round-robin proxy, on one PostgreSQL, under a load of sign-ins, reads, refreshes,
 * revocations and sign-outs. Every few seconds one of the processes is killed. The report counts what must never happen.
 */
import { randomBytes } from "node:crypto"
import { startMachines } from "./machines.ts"
import { startProvider } from "./provider.ts"
import { visit, type Tally } from "./visitor.ts"

export interface Load {
  readonly databaseUrl: string
  /** Shared state in Redis instead of PostgreSQL. */
  readonly redisUrl?: string | undefined
  readonly seconds: number
  /** Ends the load before that, once there is enough to report. */
  readonly isEnough?: ((counts: Tally & { readonly kills: number }) => boolean) | undefined
  readonly machines?: number
  readonly visitors?: number
  /** Seconds between two kills. */
  readonly killEvery?: number
  /** Options of Node for the machines. */
  readonly nodeOptions?: ReadonlyArray<string>
}

export interface Report extends Tally {
  readonly kills: number
  /** The output of the machines. */
  readonly output: string
}

/** Nothing has happened. */
export const emptyTally = (): Tally => ({
  requests: 0,
  signIns: 0,
  reads: 0,
  tokens: 0,
  signOuts: 0,
  revocations: 0,
  unanswered: 0,
  retriedSignIns: 0,
  reauthentications: 0,
  retriedTokens: 0,
  lostSessions: 0,
  doubleUses: 0,
  wrongAnswers: 0,
  notes: []
})

/** Waits for some seconds, or until a condition holds. */
const wait = async (seconds: number, isMet: () => boolean): Promise<void> => {
  const end = Date.now() + seconds * 1000
  while (Date.now() < end && !isMet()) await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Plays the load, and reports. */
export const playLoad = async (load: Load): Promise<Report> => {
  const { databaseUrl, killEvery = 3, machines: count = 4, nodeOptions = [], redisUrl, seconds, visitors = 16 } = load
  let [kills, lastKill, isOver] = [0, 0, false]
  const tally = emptyTally()
  const provider = await startProvider(() => lastKill)
  const environment = {
    AUTH_SECRET: randomBytes(33).toString("base64"),
    DATABASE_URL: databaseUrl,
    PROVIDER_URL: provider.url,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl })
  }
  const machines = await startMachines(count, environment, nodeOptions)
  const kill = async (): Promise<void> => {
    for (;;) {
      await wait(killEvery, () => isOver)
      if (isOver) return
      kills++
      lastKill = Date.now()
      await machines.kill()
    }
  }
  const context = { origin: machines.origin, provider, tally, isOver: () => isOver, wasKilled: () => kills > 0 }
  const killing = kill()
  const visits = Array.from({ length: visitors }, (_, number) => visit(number, context))
  const lasting = wait(seconds, () => load.isEnough?.({ ...tally, kills }) === true)
  await Promise.race([lasting, Promise.all(visits), killing])
  isOver = true
  await Promise.all([...visits, killing])
  machines.close()
  provider.close()
  return { ...tally, doubleUses: tally.doubleUses + provider.doubleUses(), kills, output: machines.output() }
}

/** The report as text. The last three lines must say 0. */
export const toText = (report: Report): string =>
  [
    `requests               ${report.requests}`,
    `  without an answer    ${report.unanswered} (${report.kills} machines killed)`,
    `sign-ins               ${report.signIns}`,
    `  begun again          ${report.retriedSignIns}`,
    `reads                  ${report.reads}`,
    `tokens of the provider ${report.tokens}`,
    `  asked for again      ${report.retriedTokens}`,
    `  lost with a machine  ${report.reauthentications}`,
    `sign-outs              ${report.signOuts}`,
    `revocations            ${report.revocations}`,
    `lost sessions          ${report.lostSessions}`,
    `double uses            ${report.doubleUses}`,
    `wrong answers          ${report.wrongAnswers}`,
    ...report.notes.map((note) => `  ${note}`)
  ].join("\n")
