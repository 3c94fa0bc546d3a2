/**
 * Finds values that are written in quotation marks.
 *
 * @since 0.1.0
 */
import { InvalidConfiguration } from "../Errors.ts"

/** Env files of Docker keep the quotation marks that shells and dotenv take away: two deployments would have two values. */
const quoted = /^(["']).*\1$/s

/** The fix for a value in quotation marks; `undefined` for other values. */
export const fixForQuotes = (name: string, value: unknown): string | undefined =>
  typeof value === "string" && quoted.test(value)
    ? `Remove the quotation marks around the value of ${name}: env files of Docker take them for a part of it.`
    : undefined

/**
 * The problem of a value that is written in quotation marks, which would be a part of it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const quotedValue = (
  value: unknown,
  { field, provider, variable }: { readonly field: string; readonly provider?: string; readonly variable: string }
): InvalidConfiguration | undefined => {
  const fix = fixForQuotes(variable, value)
  return fix === undefined
    ? undefined
    : new InvalidConfiguration({
        field,
        variable,
        detail: `${field} begins and ends with quotation marks`,
        fix,
        ...(provider === undefined ? {} : { provider })
      })
}
