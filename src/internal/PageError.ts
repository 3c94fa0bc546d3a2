/**
 * The values that may stand behind `error=` and `code=` in the URL of a page. The pages ignore all other values.
 *
 * @since 0.1.0
 */
import { facts } from "./FailureFacts.ts"

/** Names of the specification that stand for a mistake of the operator. */
const others = ["OAuthCreateAccount", "EmailCreateAccount", "Callback", "Configuration"]

const errors: ReadonlySet<string> = new Set([
  ...others,
  ...Object.values(facts)
    .filter((fact) => fact.exposed)
    .map((fact) => fact.type)
])

const codes = /^[a-z][a-z0-9_]{0,63}$/

/** Is this the name of a failure that pages explain? */
export const isPageError = (value: string): boolean => errors.has(value)

/** Is this shaped like a code? */
export const isPageCode = (value: string): boolean => codes.test(value)
