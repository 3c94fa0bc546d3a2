/**
 * Invariants after every fault, for every answer.
 */
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import { Jwt } from "../../src/Jwt.ts"
import { browser } from "../Browser.ts"
import { idpSecret } from "../MemoryProvider.ts"
import { secret } from "../Visitor.ts"
import { type Scene, sessionCookie, sessionOf } from "./Scene.ts"

const repeated = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name, index) => names.indexOf(name) !== index)

/** The invariants that do not hold, in words. `from` is the first answer to look at. */
export const broken = Effect.fnUntraced(function* (scene: Scene, from: number) {
  const { answers, strategy, told, vault } = scene
  const problems: Array<string> = []
  const { accounts, authenticators, sessions, users } = yield* vault.rows
  for (const user of users) {
    const isReachable =
      accounts.some(({ type, userId }) => userId === user.id && type !== "webauthn") ||
      authenticators.some(({ userId }) => userId === user.id) ||
      user.emailVerified !== null ||
      vault.own.has(user.id)
    if (!isReachable) problems.push("a user whom nobody can reach")
  }
  for (const { userId } of [...accounts, ...authenticators]) {
    if (!users.some(({ id }) => id === userId)) problems.push("an account without a user")
  }
  const addresses = users.map(({ email }) => email).filter((email) => email !== "")
  if (repeated(addresses).length > 0) problems.push("two users of one address")
  for (const seen of answers.slice(from)) {
    const token = sessionOf(seen)
    if (token === undefined) continue
    if (strategy === "database") {
      if (!sessions.some(({ sessionToken }) => sessionToken === token)) problems.push("a cookie without a session")
    } else {
      const claims = yield* (yield* Jwt).decode(token, sessionCookie)
      if (!users.some(({ id }) => id === claims.sub)) problems.push("a cookie without a user")
    }
  }
  for (const seen of answers.slice(from)) {
    if (seen.status >= 500) problems.push(`status ${seen.status}`)
    if (seen.failure?._tag === "UnexpectedError") problems.push(`a defect: ${inspect(seen.failure.cause)}`)
    if (seen.failure !== undefined && sessionOf(seen) !== undefined) problems.push("a failure that signs in")
  }
  for (const name of ["createUser", "linkAccount"]) {
    const about = told.filter((one) => one.name === name).map((one) => one.about)
    if (repeated(about).length > 0) problems.push(`${name} is told twice`)
  }
  for (const { about, name } of told) {
    if ((name === "createUser" || name === "updateUser") && !users.some(({ id }) => id === about))
      problems.push(`${name} is told of nobody`)
    if (name === "linkAccount" && !accounts.some((one) => `${one.provider} ${one.providerAccountId}` === about))
      problems.push("linkAccount is told of nothing")
  }
  return problems
})

/** Sessions in the database whose cookie no answer set. */
export const unanswered = Effect.fnUntraced(function* ({ answers, vault }: Scene) {
  const tokens = new Set(answers.map(sessionOf))
  const { sessions } = yield* vault.rows
  return sessions.filter(({ sessionToken }) => !tokens.has(sessionToken)).map(() => "a session that no browser has")
})

/** Looks for one thing that only somebody who looks for it would see: rows that belong to nobody any more. */
export const strays = Effect.fnUntraced(function* (scene: Scene) {
  return (yield* scene.vault.strays).map(() => "a session without a user")
})

/** Cookies by which the browser that asked for a proof is known: it may repeat its sign-in for a minute. */
const ofBrowser = /authjs\.(?:link|address-proof)$/

/** Uses every ticket again: at once in another browser, and a minute later in any. None signs in twice. */
export const reused = Effect.fnUntraced(function* (scene: Scene) {
  const problems: Array<string> = []
  for (const isLater of [false, true]) {
    if (isLater) yield* TestClock.adjust("61 seconds")
    for (const ticket of scene.tickets) {
      for (let again = 0; again < 2 - Math.min(ticket.wins, 1); again++) {
        const stranger = browser()
        for (const [name, value] of ticket.cookies) {
          if (!name.startsWith(sessionCookie) && (isLater || !ofBrowser.test(name))) stranger.cookies.set(name, value)
        }
        const seen = yield* ticket.use(stranger)
        if (sessionOf(seen) !== undefined) ticket.wins++
      }
      if (ticket.wins > 1) problems.push("an attempt counts twice")
    }
  }
  return problems
})

/** Values of this scene that must never be in a log. */
const canaries = (scene: Scene): ReadonlyArray<string> => [
  secret,
  idpSecret,
  scene.provider.tokens.access,
  scene.provider.tokens.refresh,
  "ada@example.com",
  "ann@example.com",
  ...scene.answers.flatMap((seen) => sessionOf(seen) ?? []),
  ...[...scene.person.cookies].filter(([name]) => /session-token|flow/.test(name)).map(([, value]) => value)
]

/** Secrets that were logged. */
export const leaks = Effect.fnUntraced(function* (scene: Scene) {
  const links = (yield* scene.mailbox.mails).flatMap(({ url }) => new URL(url).searchParams.get("token") ?? [])
  const text = inspect(scene.log.entries, {
    depth: 12,
    maxArrayLength: 1000,
    maxStringLength: 100_000,
    showHidden: true
  })
  return [...canaries(scene), ...links]
    .filter((one) => one.length > 5 && text.includes(one))
    .map((one) => `the log holds ${one.slice(0, 12)}…`)
})
