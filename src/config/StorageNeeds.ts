/**
 * Which methods of storage a configuration needs, feature by feature, and the failures that name what is missing.
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
  /** The methods that there are; `undefined` without an adapter. */
  readonly methods: ReadonlySet<AdapterMethod> | undefined
}

interface Need {
  readonly feature: string
  readonly methods: ReadonlyArray<AdapterMethod>
}

const sessions = {
  feature: "Database sessions",
  methods: ["createSession", "getSessionAndUser", "updateSession", "deleteSession"]
} as const satisfies Need
const credentials = {
  feature: "Credentials with database sessions",
  methods: ["getUser"]
} as const satisfies Need
const redirects = {
  feature: "OAuth and OpenID Connect providers with an adapter",
  methods: ["createUser", "getUser", "getUserByEmail", "getUserByAccount", "updateUser", "linkAccount"]
} as const satisfies Need
const links = {
  feature: "Email providers",
  methods: ["createVerificationToken", "useVerificationToken", "getUserByEmail", "createUser", "updateUser", "getUser"]
} as const satisfies Need
const keys = {
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
} as const satisfies Need

/** The methods that a feature needs, for the types of layers. */
export interface StorageNeeds {
  readonly database: (typeof sessions.methods)[number]
  readonly databaseCredentials: (typeof credentials.methods)[number]
  readonly oauth: (typeof redirects.methods)[number]
  readonly oidc: (typeof redirects.methods)[number]
  readonly email: (typeof links.methods)[number]
  readonly webauthn: (typeof keys.methods)[number]
  readonly credentials: never
}

const needsOf = (type: ProviderType, strategy: StorageUse["strategy"]): ReadonlyArray<Need> => {
  switch (type) {
    case "email":
      return [links]
    case "webauthn":
      return [keys]
    case "credentials":
      return strategy === "database" ? [credentials] : []
    case "oauth":
    case "oidc":
      return [redirects]
  }
}

const missing = (need: Need, methods: ReadonlySet<AdapterMethod>): string | undefined => {
  const names = need.methods.filter((method) => !methods.has(method))
  return names.length === 0 ? undefined : `${need.feature} need methods that the adapter lacks: ${names.join(", ")}`
}

/**
 * What the storage lacks for sessions.
 *
 * @category constructors
 * @since 0.1.0
 */
export const storageProblem = ({
  methods,
  strategy
}: StorageUse): MissingAdapter | MissingAdapterMethods | undefined => {
  if (strategy === "jwt") return undefined
  if (methods === undefined)
    return new MissingAdapter({
      field: "adapter",
      detail: `${sessions.feature} need an adapter, and the configuration has none`,
      fix: "Configure an adapter, or use the jwt session strategy."
    })
  const detail = missing(sessions, methods)
  return detail === undefined ? undefined : new MissingAdapterMethods({ field: "adapter", detail })
}

/**
 * What the storage lacks for a provider. Without an adapter this says nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const providerStorageProblems = (
  { methods, strategy }: StorageUse,
  provider: { readonly id: string; readonly type: ProviderType }
): ReadonlyArray<MissingAdapterMethods> =>
  methods === undefined
    ? []
    : needsOf(provider.type, strategy).flatMap((need) => {
        const detail = missing(need, methods)
        return detail === undefined
          ? []
          : [
              new MissingAdapterMethods({
                provider: provider.id,
                field: "adapter",
                detail: `Provider "${provider.id}": ${detail}`
              })
            ]
      })
