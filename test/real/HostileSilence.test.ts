/**
 * A provider that never answers, or never comes to an end, at each of its endpoints. A visit takes as long as the library waits, ten
 * seconds for one call, so all of them go side by side.
 */
import { afterAll, beforeAll, describe, it } from "vitest"
import type { Dials, ForgingProvider } from "./ForgingProvider.ts"
import { reply, startForgingProvider } from "./ForgingProvider.ts"
import type { Fault, Outcome } from "./hostile/Fault.ts"
import { refused, refusedAtStart } from "./hostile/Fault.ts"
import { plainOAuth, withoutOpenId } from "./hostile/PlainOAuth.ts"
import { playFault } from "./hostile/Visit.ts"

const silent = (title: string, dials: Dials, outcome: Outcome, more: Partial<Fault> = {}): Fault => ({
  title,
  dials: () => dials,
  outcome,
  ...more,
  check: (issuer, session) => {
    if (issuer.count.elsewhere !== 0) throw new Error("a redirect was followed")
    more.check?.(issuer, session)
  }
})

/** A code is spent with its first use, so asking again can only harm (RFC 6749 section 4.1.2). */
const codeSentOnce: NonNullable<Fault["check"]> = ({ count }) => {
  if (count.token !== 1) throw new Error(`the code was sent ${count.token} times`)
}

const never = () => reply("silence")
const endless = () => reply("drip")
const late = refused("provider_unavailable")
const broken = refused("provider_unavailable", "invalid_response")
const oauth = { provider: plainOAuth }

const faults: ReadonlyArray<Fault> = [
  silent("H127, P093 the metadata never comes", { metadata: never }, refusedAtStart("provider_unavailable")),
  silent(
    "H128, P093 the metadata never ends",
    { metadata: endless },
    refusedAtStart("provider_unavailable", "invalid_response")
  ),
  silent("H127, H141 the key set never comes", { jwks: never }, refused("provider_unavailable", "invalid_token")),
  silent("H127 the token endpoint never answers", { token: never }, late, { check: codeSentOnce }),
  silent("H128 the token endpoint never comes to an end", { token: endless }, broken, { check: codeSentOnce }),
  silent("H127 OpenID userinfo never answers", { userinfo: never }, late, { provider: () => ({ idToken: false }) }),
  silent("H127 OAuth userinfo never answers", { ...withoutOpenId, userinfo: never }, late, oauth),
  silent("H128 OAuth userinfo never comes to an end", { ...withoutOpenId, userinfo: endless }, broken, oauth)
]

let server: ForgingProvider

beforeAll(async () => {
  server = await startForgingProvider()
})

afterAll(() => server.close())

describe.concurrent("silence", () => {
  for (const [index, fault] of faults.entries()) {
    it(`${fault.title}`, { timeout: 120_000 }, () => playFault(server, `silent-${index}`, fault))
  }
})
