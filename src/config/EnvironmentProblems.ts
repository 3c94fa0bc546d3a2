/**
 * Finds mistakes between environment variables and options: a variable that nothing has copied into the configuration, and an
 * `AUTH_URL` that is no URL or has no path.
 *
 * @since 0.1.0
 */
import { InvalidConfiguration } from "../Errors.ts"
import { parseSite } from "../http/Host.ts"
import { fixForQuotes } from "../internal/QuotedValue.ts"
import { advice, partial, type Problem } from "./Problem.ts"
import { processVariable } from "./ProcessEnvironment.ts"

/** An invalid address is not copied, and has a problem of its own. */
const canBeCopied = (name: string, value: string | undefined): boolean =>
  value !== undefined && (name !== "AUTH_URL" || isWebAddress(value))

/**
 * What to do about an option that is not set although the process has a variable for it; nothing when it has none.
 *
 * @category constructors
 * @since 0.1.0
 */
export const fixForUncopied = (...names: ReadonlyArray<string>): { readonly fix?: string } => {
  const name = names.find((name) => canBeCopied(name, processVariable(name)))
  return name === undefined
    ? {}
    : {
        fix: `${name} is set in the environment, but nothing has copied it into the configuration. Call setEnvDefaults(process.env, config) before Auth, or use Doorman.layerConfig.`
      }
}

/** The value of an address, unless a password or parameters may be in it. */
export const valueOf = (value: string): string =>
  /[@?#]/.test(value) ? "" : `; it is ${JSON.stringify(value.slice(0, 200))}`

/**
 * The problem of a value of `AUTH_URL` that is no URL.
 *
 * @category constructors
 * @since 0.1.0
 */
export const unreadableAuthUrl = (value: string): InvalidConfiguration =>
  new InvalidConfiguration({
    field: "AUTH_URL",
    variable: "AUTH_URL",
    detail: `AUTH_URL must be an http or https URL${valueOf(value)}`,
    fix:
      fixForQuotes("AUTH_URL", value) ??
      (isWebAddress(`https://${value}`)
        ? `Write the scheme in front: AUTH_URL=https://${value}, or http:// on your own machine.`
        : "Write the whole address of the endpoints into AUTH_URL, such as https://site.example/auth.")
  })

/** Is this an address of a site? */
export const isWebAddress = (value: string): boolean => parseSite(value) !== undefined

/**
 * `AUTH_URL`: the value that options were filled from, else that of the process.
 *
 * @category constructors
 * @since 0.1.0
 */
export const authUrlIn = (given: string | undefined): string | undefined => given ?? processVariable("AUTH_URL")

/**
 * What is wrong with the value of `AUTH_URL`. `basePath` is the path that it resulted in.
 *
 * @category constructors
 * @since 0.1.0
 */
export const authUrlProblems = (value: string | undefined, basePath: string): ReadonlyArray<Problem> => {
  if (value === undefined) return []
  if (!isWebAddress(value)) return [partial(unreadableAuthUrl(value))]
  const { origin, pathname } = new URL(value)
  return pathname === "/" && basePath === ""
    ? [
        advice(
          new InvalidConfiguration({
            field: "AUTH_URL",
            variable: "AUTH_URL",
            detail: `AUTH_URL has no path, so the endpoints are at the root: ${origin}/session`,
            fix: `Write the path of the endpoints into AUTH_URL, such as ${origin}/auth, or set basePath.`
          })
        )
      ]
    : []
}
