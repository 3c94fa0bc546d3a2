/**
 * A simulated browser that signs in, reads, refreshes, revokes and signs out, and compares each answer with what it knows: the sign-ins,
 * sign-outs and revocations that were acknowledged to it.
 */
import type { Provider } from "./provider.ts"

/** The observations of all visitors. */
export interface Tally {
  requests: number
  signIns: number
  reads: number
  tokens: number
  signOuts: number
  /** Times that a user ended all sessions. */
  revocations: number
  /** Requests whose machine was killed before it answered. */
  unanswered: number
  /** Sign-ins that a machine lost when it was killed. */
  retriedSignIns: number
  /** A machine that was killed took the provider's new tokens along, and the user signed in again. */
  reauthentications: number
  /** The lease of a machine that was killed had not ended: the answer says to try again. */
  retriedTokens: number
  lostSessions: number
  doubleUses: number
  wrongAnswers: number
  /** The first wrong answers, in words. */
  readonly notes: Array<string>
}

interface Answer {
  readonly status: number
  readonly location: string | null
  readonly body: unknown
  readonly isSignedIn: boolean
}

const sessionCookie = "authjs.session-token"

/** A browser at one address, with its cookies. */
class Browser {
  readonly origin: string
  readonly tally: Tally
  readonly cookies: Map<string, string>

  constructor(origin: string, tally: Tally, cookies: ReadonlyMap<string, string> = new Map()) {
    this.origin = origin
    this.tally = tally
    this.cookies = new Map(cookies)
  }

  /** The answer, or `undefined` when the machine was killed before it answered. */
  async ask(path: string, fields?: Record<string, string>): Promise<Answer | undefined> {
    this.tally.requests++
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const request: RequestInit =
      fields === undefined
        ? { headers: { cookie } }
        : {
            method: "POST",
            body: new URLSearchParams(fields),
            headers: { cookie, origin: this.origin, "x-auth-return-redirect": "1" }
          }
    try {
      const response = await fetch(new URL(path, this.origin), { ...request, redirect: "manual" })
      const text = await response.text()
      if (response.status === 502) return this.unanswered()
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";")
        const [name, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]
        if (value === "") this.cookies.delete(name)
        else this.cookies.set(name, value)
      }
      const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
      return {
        status: response.status,
        location: response.headers.get("location"),
        body: isJson ? JSON.parse(text) : text,
        isSignedIn: response.headers.getSetCookie().some((line) => line.startsWith(`${sessionCookie}=`))
      }
    } catch {
      return this.unanswered()
    }
  }

  private unanswered(): undefined {
    this.tally.unanswered++
  }
}

const memberOf = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce(
    (found, name) => (typeof found === "object" && found !== null ? Reflect.get(found, name) : undefined),
    value
  )

/** Asks again until a machine answers. */
const repeat = async <A>(ask: () => Promise<A | undefined>): Promise<A> => (await ask()) ?? repeat(ask)

const wrong = (tally: Tally, note: string): void => {
  tally.wrongAnswers++
  if (tally.notes.length < 20) tally.notes.push(note)
}

/** Signs in, and again where a machine was killed on the way. Every fourth browser sends the answer of the provider twice. */
const signIn = async (browser: Browser, provider: Provider, user: string, isTwice: boolean): Promise<void> => {
  const { origin, tally } = browser
  const csrf = await repeat(() => browser.ask("/auth/csrf"))
  const csrfToken = String(memberOf(csrf.body, "csrfToken"))
  const start = await repeat(() => browser.ask("/auth/signin/idp", { csrfToken, callbackUrl: `${origin}/` }))
  const back = provider.authorize(new URL(String(memberOf(start.body, "url"))), user)
  const twin = new Browser(origin, tally, browser.cookies)
  const answers = await Promise.all([browser.ask(back), ...(isTwice ? [twin.ask(back)] : [])])
  const sessions = answers.filter((answer) => answer?.isSignedIn).length
  if (sessions > 1) tally.doubleUses++
  if (answers[0]?.isSignedIn) {
    tally.signIns++
    return
  }
  if (sessions === 1) {
    // The other of the two requests was the first one to arrive.
    tally.signIns++
    for (const [name, value] of twin.cookies) browser.cookies.set(name, value)
    return
  }
  if (answers.every((answer) => answer !== undefined)) {
    wrong(
      tally,
      `no sign-in for ${user}: ${answers.map((answer) => `${answer?.status} ${answer?.location}`).join(", ")}`
    )
  }
  tally.retriedSignIns++
  return signIn(browser, provider, user, false)
}

const read = async (browser: Browser, user: string): Promise<void> => {
  const { body, status } = await repeat(() => browser.ask("/auth/session"))
  browser.tally.reads++
  if (status === 200 && body === null) browser.tally.lostSessions++
  else if (memberOf(body, "user", "name") !== user)
    wrong(browser.tally, `${user} read ${status} ${JSON.stringify(body)}`)
}

/** Asks for the token four times at once. Answers `false` when the user has to sign in again. */
const refresh = async (
  browser: Browser,
  provider: Provider,
  user: string,
  canLose: () => boolean
): Promise<boolean> => {
  const { tally } = browser
  // A busy machine may answer when a token of three seconds has ended: it was valid when it was asked for.
  const asked = Date.now()
  const answers = await Promise.all(Array.from({ length: 4 }, () => repeat(() => browser.ask("/token"))))
  let mustSignIn = false
  for (const { body, status } of answers) {
    const token = memberOf(body, "accessToken")
    if (status === 200 && typeof token === "string" && provider.isValid(token, user, asked)) tally.tokens++
    else if (status === 503 && canLose()) tally.retriedTokens++
    else if (status === 401 && canLose()) mustSignIn = true
    else wrong(tally, `${user} got ${status} ${JSON.stringify(body)} for a token`)
  }
  if (mustSignIn) tally.reauthentications++
  return !mustSignIn
}

const signOut = async (browser: Browser): Promise<void> => {
  const { origin, tally } = browser
  const before = new Map(browser.cookies)
  const csrf = await repeat(() => browser.ask("/auth/csrf"))
  const fields = { csrfToken: String(memberOf(csrf.body, "csrfToken")), callbackUrl: `${origin}/` }
  const { status } = await repeat(() => browser.ask("/auth/signout", fields))
  if (status !== 200) return wrong(tally, `sign-out answered ${status}`)
  tally.signOuts++
  const copy = new Browser(origin, tally, before)
  const { body } = await repeat(() => copy.ask("/auth/session"))
  if (body !== null) wrong(tally, `a copy of the cookie is valid after the sign-out: ${JSON.stringify(body)}`)
}

/** Signs the user in in a second browser, and ends the sessions of both from the first one. */
const signOutEverywhere = async (browser: Browser, provider: Provider, user: string): Promise<void> => {
  const { origin, tally } = browser
  const second = new Browser(origin, tally)
  await signIn(second, provider, user, false)
  await read(second, user)
  const { status } = await repeat(() => browser.ask("/sign-out-everywhere", {}))
  // A machine may have ended the sessions and then been killed: the repetition comes from a signed-out browser.
  if (status !== 200 && status !== 401) return wrong(tally, `sign-out everywhere answered ${status}`)
  tally.revocations++
  for (const { cookies } of [browser, second]) {
    const copy = new Browser(origin, tally, cookies)
    const { body } = await repeat(() => copy.ask("/auth/session"))
    if (body !== null) wrong(tally, `a session is valid after its revocation: ${JSON.stringify(body)}`)
  }
}

/** The dependencies of a visitor. */
export interface Visit {
  readonly origin: string
  readonly provider: Provider
  readonly tally: Tally
  readonly isOver: () => boolean
  /** Was a machine killed at all? Until then no answer may fail. */
  readonly wasKilled: () => boolean
}

/** Comes again and again as one of three users, until the time is over. */
export const visit = async (number: number, { isOver, origin, provider, tally, wasKilled }: Visit): Promise<void> => {
  for (let round = 0; !isOver(); round++) {
    const user = `user-${number}-${round % 3}`
    const browser = new Browser(origin, tally)
    await signIn(browser, provider, user, round % 4 === 0)
    for (let reads = 0; reads < 4; reads++) await read(browser, user)
    if (round % 2 === 0) {
      // The access token of the sign-in ends after three seconds.
      const until = Date.now() + 2_500
      while (Date.now() < until && !isOver()) {
        await read(browser, user)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      if (!isOver() && !(await refresh(browser, provider, user, wasKilled))) continue
      await read(browser, user)
    }
    await (round % 3 === 1 ? signOutEverywhere(browser, provider, user) : signOut(browser))
  }
}
