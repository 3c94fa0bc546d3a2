/**
 * What the logout options of a provider need of the rest of the configuration.
 *
 * @since 0.1.0
 */
import { InvalidConfiguration } from "../Errors.ts"
import type { Definition } from "../Provider/internal/Definition.ts"

const names = ["backchannelLogout", "logout"] as const

/**
 * Why a provider cannot have its options for logouts: without an ID token nothing names its sessions, and sessions that are
 * tokens cannot be ended without `session.revocation`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const logoutProblems = (
  { id, options, preset, type }: Definition,
  canEnd: boolean
): ReadonlyArray<InvalidConfiguration> => {
  const isSet = (name: string): boolean => Boolean(options[name] ?? preset[name])
  const problem = (name: string, detail: string, fix: string) =>
    new InvalidConfiguration({
      provider: id,
      field: `providers.${id}.${name}`,
      detail: `Provider "${id}": ${name} ${detail}`,
      fix
    })
  if (type === "oauth")
    return names
      .filter(isSet)
      .map((name) =>
        problem(name, "needs the ID token of OpenID Connect", `Leave ${name} out, or use a provider of type "oidc".`)
      )
  return type === "oidc" && !canEnd && isSet("backchannelLogout")
    ? [
        problem(
          "backchannelLogout",
          "cannot end sessions that are tokens",
          "Set session.revocation to true, or keep sessions in a database."
        )
      ]
    : []
}
