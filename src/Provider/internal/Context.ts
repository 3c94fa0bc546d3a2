/**
 * What the functions of a provider are given.
 *
 * @since 0.1.0
 */
import type { TokenSet } from "../../Models.ts"

/**
 * A provider as it was configured, with the members of its preset. Never logged.
 *
 * @category models
 * @since 0.1.0
 */
export interface ConfiguredProvider {
  readonly id?: string
  readonly name?: string
  readonly issuer?: string
  readonly clientId?: string
  readonly clientSecret?: string
  readonly authorization?: { readonly url: URL }
  readonly token?: { readonly url: URL }
  readonly userinfo?: { readonly url: URL }
  readonly [member: string]: unknown
}

/**
 * What the functions of a provider are given beside the tokens.
 *
 * @category models
 * @since 0.1.0
 */
export interface UserinfoContext {
  readonly tokens: TokenSet
  /** The provider as configured, `clientId` and endpoints included. */
  readonly provider: ConfiguredProvider
  /** Calls the provider: the configured `fetch` of the provider, or that of the library, with its limits. */
  readonly fetch: typeof globalThis.fetch
}

/**
 * What the profile function of a provider is given beside the profile and the tokens.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProfileContext {
  /** As in {@link UserinfoContext}. */
  readonly fetch: typeof globalThis.fetch
}

/**
 * A private key for `private_key_jwt`, with its key id where the provider wants one.
 *
 * @category models
 * @since 0.1.0
 */
export interface ClientPrivateKey {
  readonly key: InstanceType<typeof globalThis.CryptoKey>
  readonly kid?: string | undefined
}

/**
 * What `token.request` is given.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenRequestContext {
  /** What the browser brought back: `code`, and `state` where there is one. */
  readonly params: Readonly<Record<string, string>>
  readonly checks: { readonly code_verifier: string | undefined }
  readonly provider: ConfiguredProvider
  /** The `redirect_uri` of the authorization request (RFC 6749 section 4.1.3). */
  readonly redirectUri: string
  /** As in {@link UserinfoContext}. */
  readonly fetch: typeof globalThis.fetch
}
