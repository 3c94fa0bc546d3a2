/**
 * The markers of the facade: symbols that switch something on. They are those of the whole process, and the ones that
 * Auth.js has too are recognised by their description, so that a marker of another copy of the library, of another build of
 * it or of Auth.js counts too.
 *
 * @since 0.1.0
 */

/**
 * As `config.raw`: the promise resolves to the answer as plain data instead of a `Response`. For framework packages.
 *
 * @category markers
 * @since 0.1.0
 */
export const raw: unique symbol = Symbol.for("return-type-raw")

/**
 * As `config.skipCSRFCheck`: the framework has its own CSRF protection.
 *
 * @category markers
 * @since 0.1.0
 */
export const skipCSRFCheck: unique symbol = Symbol.for("skip-csrf-check")

/**
 * As a key of a provider: the function that replaces `fetch` for calls to it.
 *
 * @category markers
 * @since 0.1.0
 */
export const customFetch: unique symbol = Symbol.for("custom-fetch")

/** As a key of a provider: which adaptation its platform needs. */
export const conformInternal: unique symbol = Symbol.for("conform-internal")

/** As a key of a provider: computes members from its options once these are complete. */
export const fromOptions: unique symbol = Symbol.for("members-from-options")

/** As a key of a provider, set by presets: the logo of the platform, as the outline of a 24 by 24 drawing. */
export const platformLogo: unique symbol = Symbol.for("platform-logo")

/** As a key of a configuration, set by `setEnvDefaults`: the platform sends a request here only for a host of the site. */
export const routedByHost: unique symbol = Symbol.for("effect-doorman/routed-by-host")

/** As a key of a configuration, set by `setEnvDefaults`: the `trustHost` that it set for other programs, and nothing vouches for. */
export const derivedTrust: unique symbol = Symbol.for("effect-doorman/derived-trust")

/** As a key of a store of `effect-doorman/sqlite`, `/postgres` or `/redis`: closes its connections. */
export const release: unique symbol = Symbol.for("effect-doorman/release")

const hasDescription =
  (description: string) =>
  (value: unknown): boolean =>
    typeof value === "symbol" && value.description === description

/** Is this the `raw` marker, of any copy? */
export const isRaw = hasDescription("return-type-raw")

/** Is this the `skipCSRFCheck` marker, of any copy? */
export const isSkipCsrfCheck = hasDescription("skip-csrf-check")

/** Is this the `customFetch` marker, of any copy? */
export const isCustomFetch = hasDescription("custom-fetch")

/** Is this the marker by which Auth.js providers ask for an adaptation? */
export const isConform = hasDescription("conform-internal")

/** Is this the marker of members that are computed from the options? */
export const isFromOptions = hasDescription("members-from-options")

/** Is this the marker of a preset's logo? */
export const isPlatformLogo = hasDescription("platform-logo")
