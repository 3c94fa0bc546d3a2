/**
 * What an application pays in bytes: the sources bundled, minified and gzipped, with a bound for each way to use them.
 */
import manifest from "./package.json" with { type: "json" }

/** @typedef {import("esbuild").BuildOptions} BuildOptions */

/** Packages that an application installs when it wants what needs them. */
const optional = Object.keys(manifest.peerDependenciesMeta).filter((name) => name !== "effect")

/**
 * Modules that are loaded when a page, the answer of a provider, a link, a key, a password, a store, a signature of a provider or
 * WebCrypto is first used; a bundler puts them beside the rest. What a session read and the start of a sign-in at a provider load is counted.
 */
const onDemand =
  /^jose\/jwe\/|\/(Signatures|WebKeys|FinishSignIn|ProviderAnswers|BuiltInPages|SignInWithCredentials|SignInWithEmail|SignInWithWebAuthn|WebAuthnOptions|SendEmail|Ceremonies|ResolveUser|BeginRow|ProblemDetails|LogoutRequests|ProviderLogout|ProviderSession)\.ts$/

/** Leaves what `import()` loads outside of the bundle, where its path matches. @param {RegExp} filter @returns {import("esbuild").Plugin} */
const withoutDynamic = (filter) => ({
  name: "without-dynamic-imports",
  setup: (build) =>
    build.onResolve({ filter }, ({ kind, path }) => (kind === "dynamic-import" ? { path, external: true } : undefined))
})

/** Fails when Effect is loaded at once: the engine belongs behind the first request. @type {import("esbuild").Plugin} */
const withoutEffect = {
  name: "without-effect",
  setup: (build) =>
    build.onResolve({ filter: /^effect(\/|$)/ }, ({ importer, path }) => ({
      errors: [{ text: `${importer} loads ${path} at once` }]
    }))
}

/**
 * @param {Array<import("esbuild").Plugin>} plugins
 * @param {BuildOptions} [options]
 * @returns {(config: BuildOptions) => BuildOptions}
 */
const bundled = (plugins, options) => (config) => ({
  ...config,
  format: "esm",
  target: "es2022",
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["import"],
  external: ["node:*", ...optional],
  legalComments: "none",
  logLevel: "error",
  plugins,
  ...options
})

/**
 * @param {string} name
 * @param {Readonly<Record<string, string>>} imports
 * @param {number} bytes
 * @param {(config: BuildOptions) => BuildOptions} modifyEsbuildConfig
 */
const budget = (name, imports, bytes, modifyEsbuildConfig) => ({
  name,
  path: Object.keys(imports),
  import: imports,
  limit: `${bytes} B`,
  gzip: true,
  modifyEsbuildConfig
})

const auth = { "src/index.ts": "{ Auth }" }
const oneProvider = { ...auth, "src/Provider/GitHub.ts": "{ GitHub }" }
const getToken = { "src/compat/Token.ts": "{ getToken }" }
const session = { "src/Session.ts": "{ read }", "src/session/TokenSessions.ts": "{ tokenSessions }" }
const own = /** @type {const} */ ({ packages: "external" })
const besideEffect = { external: ["node:*", ...optional, "effect"] }
const whole = bundled([withoutDynamic(onDemand)])

export default [
  budget("Auth, without what is loaded on demand", auth, 166000, whole),
  budget("Auth, with all that is loaded when it is first used", auth, 245000, bundled([])),
  budget("Auth, this library alone", auth, 115000, bundled([withoutDynamic(onDemand)], own)),
  budget("the pages", { "src/pages/BuiltInPages.ts": "*" }, 17_500, bundled([], own)),
  budget("Auth, what loads at once", auth, 320, bundled([withoutDynamic(/./), withoutEffect])),
  budget("getToken alone", getToken, 6210, bundled([withoutDynamic(/./), withoutEffect])),
  budget("getToken, with all that it loads when it is first used", getToken, 8400, bundled([withoutEffect])),
  budget("Auth with one provider", oneProvider, 170_000, whole),
  budget("Auth with two providers", { ...oneProvider, "src/Provider/GitLab.ts": "{ GitLab }" }, 170_500, whole),
  budget("the session service, beside Effect", session, 29_000, bundled([withoutDynamic(/./)], besideEffect)),
  budget("the contract of a client, beside Effect", { "src/Access.ts": "{ Service }" }, 2200, bundled([], besideEffect))
]
