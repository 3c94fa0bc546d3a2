/**
 * Which methods of storage a configuration needs, feature by feature, and the one failure that names what is missing.
 *
 * @since 0.1.0
 */
import { MissingAdapter, MissingAdapterMethods } from "../Errors.ts"
import type { ProviderType } from "../Models.ts"
import type { AdapterMethod } from "../storage/AdapterShape.ts"

/**
 * What a configuration uses.
 *
 * @category models
 * @since 0.1.0
 */
export interface StorageUse {
  readonly strategy: "jwt" | "database"
  readonly types: ReadonlySet<ProviderType>
  /** The methods that there are; `undefined` without an adapter. */
  readonly methods: ReadonlySet<AdapterMethod> | undefined
}

interface Need {
  readonly feature: string
  readonly methods: ReadonlyArray<AdapterMethod>
}

const sessions: Need = {
  feature: "Database sessions",
  methods: ["createSession", "getSessionAndUser", "updateSession", "deleteSession"]
}
const credentials: Need = { feature: "Credentials with database sessions", methods: ["getUser"] }
const redirects: Need = {
  feature: "OAuth and OpenID Connect providers with an adapter",
  methods: ["createUser", "getUser", "getUserByEmail", "getUserByAccount", "updateUser", "linkAccount"]
}
const links: Need = {
  feature: "E-mail providers",
  methods: ["createVerificationToken", "useVerificationToken", "getUserByEmail", "createUser", "updateUser", "getUser"]
}
const keys: Need = {
  feature: "WebAuthn providers",
  methods: [
    "createUser",
    "getUser",
    "getUserByAccount",
    "getUserByEmail",
    "linkAccount",
    "getAccount",
    "getAuthenticator",
    "createAuthenticator",
    "listAuthenticatorsByUserId",
    "updateAuthenticatorCounter"
  ]
}

const needsOf = ({ methods, strategy, types }: StorageUse): ReadonlyArray<Need> => [
  ...(types.has("email") ? [links] : []),
  ...(types.has("webauthn") ? [keys] : []),
  ...(strategy === "database" ? [sessions] : []),
  ...(strategy === "database" && types.has("credentials") ? [credentials] : []),
  ...(methods !== undefined && (types.has("oauth") || types.has("oidc")) ? [redirects] : [])
]

/**
 * The first feature that the storage cannot carry.
 *
 * @category constructors
 * @since 0.1.0
 */
export const storageProblem = (use: StorageUse): MissingAdapter | MissingAdapterMethods | undefined => {
  for (const { feature, methods } of needsOf(use)) {
    if (use.methods === undefined)
      return new MissingAdapter({ field: "adapter", detail: `${feature} need an adapter, and there is none` })
    const has = use.methods
    const missing = methods.filter((method) => !has.has(method))
    if (missing.length > 0) {
      return new MissingAdapterMethods({
        field: "adapter",
        detail: `${feature} need methods that the adapter lacks: ${missing.join(", ")}`
      })
    }
  }
  return undefined
}
