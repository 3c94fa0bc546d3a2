/** An OAuth provider without OpenID: its endpoints are configured, and it sends neither `iss` nor an ID token. */
import type { Dials, ForgedIssuer } from "../ForgingProvider.ts"
import { json } from "../ForgingProvider.ts"
import { without } from "./Fault.ts"

/** The options that differ from those of OpenID Connect. */
export const plainOAuth = ({ issuer }: ForgedIssuer): Readonly<Record<string, unknown>> => ({
  type: "oauth",
  issuer: undefined,
  authorization: { url: `${issuer}/authorize`, params: { scope: "profile" } },
  token: `${issuer}/token`,
  userinfo: `${issuer}/userinfo`,
  checks: ["pkce", "state"]
})

/** Answers of such a provider. */
export const withoutOpenId: Dials = {
  authorization: (honest) => {
    honest.delete("iss")
    return honest
  },
  token: (honest) => json(without(honest, "id_token"))
}
