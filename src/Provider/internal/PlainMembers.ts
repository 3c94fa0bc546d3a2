/**
 * The members of a provider as `Auth` has them: secrets as texts, the time of links in seconds, that of ceremonies in
 * milliseconds.
 *
 * Functions of a provider are given its members, the same in both faces. What the compiled settings keep of a secret is
 * redacted again.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { reveal } from "../../internal/Reveal.ts"
import { isPlainObject, type Members } from "../../internal/Merge.ts"

/** Options nest less deeply. */
const deepest = 8

/** The same members with secrets as texts; the same instance where there is none. @internal */
export const revealMembers = (members: Members, depth = 0): Members => {
  const changes = Object.entries(members).flatMap(([name, given]) => {
    const value = reveal<unknown>(given)
    const plain = isPlainObject(value) && depth < deepest ? revealMembers(value, depth + 1) : value
    return plain === given ? [] : [[name, plain] as const]
  })
  return changes.length === 0 ? members : { ...members, ...Object.fromEntries(changes) }
}

const isInput = (value: unknown): value is Exclude<Duration.Input, bigint | number> =>
  typeof value === "string" || (typeof value === "object" && value !== null)

/** The members with a duration as a number; an invalid duration stays, and is found where the members are read. */
const withTime = (members: Members, name: string, numberOf: (time: Duration.Duration) => number): Members => {
  const given = members[name]
  const time = isInput(given) ? Option.getOrUndefined(Duration.fromInput(given)) : undefined
  return time === undefined ? members : { ...members, [name]: numberOf(time) }
}

const withCeremony = (members: Members, name: string): Members => {
  const ceremony = members[name]
  return isPlainObject(ceremony) ? { ...members, [name]: withTime(ceremony, "timeout", Duration.toMillis) } : members
}

/** The members in the values of `Auth`. @internal */
export const plainMembers = (type: string, members: Members): Members => {
  const texts = revealMembers(members)
  return type === "email"
    ? withTime(texts, "maxAge", Duration.toSeconds)
    : type === "webauthn"
      ? withCeremony(withCeremony(texts, "authenticationOptions"), "registrationOptions")
      : texts
}
