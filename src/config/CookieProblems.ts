/**
 * The cookies of a configuration, and what is wrong with their options.
 *
 * A mistake concerns its cookie: one that no browser keeps, or that cannot be written, is replaced by that of the library, and the
 * log says so. The session cookie is not replaced, because other programs may read it, and two cookies of one name stop the site.
 *
 * @since 0.1.0
 */
import { type CookieOverrides, type CookiePolicy, faults as cookieFaults, policy } from "../http/Cookie.ts"
import type { Options } from "./Options.ts"
import { advice, fatal, partial, type Problem } from "./Problem.ts"

/**
 * The cookies for both schemes; adds what is wrong with them to `problems`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const cookiesWith = (
  { cookies, useSecureCookies }: Options,
  problems: Array<Problem>,
  isDropIn = false
): { readonly plain: CookiePolicy; readonly secure: CookiePolicy } => {
  if (cookies === undefined) return { plain: policy(false), secure: policy(true, {}, isDropIn) }
  const reports = new Set<string>()
  const policyOf = (kind: "plain" | "secure"): CookiePolicy => {
    const isSecure = kind === "secure"
    const { faults, fatalKeys, used } = usableCookies(isSecure, cookies, isDropIn)
    if (useSecureCookies === !isSecure) return used
    for (const { error, isDropped, isTaken, key } of faults) {
      if (!isDropped && reports.has(error.message)) continue
      reports.add(error.message)
      // Over http such a cookie is dropped, as everywhere; over https it is the public site that would not work.
      const problem =
        isDropped && !isSecure && !isTaken ? advice(error) : fatalKeys.has(key) ? fatal(error) : partial(error)
      problems.push(isDropped ? { ...problem, cookies: kind } : problem)
    }
    return used
  }
  return { secure: policyOf("secure"), plain: policyOf("plain") }
}

/** The cookies of a scheme with replacements, all faults, and the cookies whose faults stop the site. */
const usableCookies = (isSecure: boolean, overrides: CookieOverrides, isDropIn: boolean) => {
  const chosen = policy(isSecure, overrides, isDropIn)
  const faults = cookieFaults(chosen)
  const replaced = new Set<string>(
    // `cookies.state` names the cookie of an attempt.
    faults.flatMap(({ isTaken, key }) => (isTaken || key === "sessionToken" ? [] : [key === "flow" ? "state" : key]))
  )
  const usable = Object.fromEntries(Object.entries(overrides).filter(([key]) => !replaced.has(key)))
  const used = replaced.size === 0 ? chosen : policy(isSecure, usable, isDropIn)
  const remaining = replaced.size === 0 ? faults : cookieFaults(used)
  const isKnown = (message: string) => faults.some(({ error }) => error.message === message)
  return {
    used,
    faults: [...faults, ...remaining.filter(({ error }) => !isKnown(error.message))],
    fatalKeys: new Set(remaining.map(({ key }) => key))
  }
}
