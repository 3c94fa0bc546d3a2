/**
 * What the code of `src` is for, in lines: the first table by the part of the library, the second by what `@auth/core` has no
 * counterpart of. Both are of the scope that `npm run census` counts.
 *
 * A line is counted when code is on it, imports and types included; comments and empty lines are not. `@auth/core` is counted in
 * the same way, without its presets.
 *
 *     node tools/runs/code-lines.mjs
 */
import { globSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { isCore, readSources } from "../../scripts/structure.mjs"

/** Title, and the folders and files that belong to it: the first part that fits. @type {ReadonlyArray<readonly [string, ReadonlyArray<string>]>} */
const parts = [
  ["sign-in at a provider, its tokens and its logout", ["oauth/", "ProviderTokens.ts"]],
  ["sign-in by email", ["email/", "mail/", "Mailer.ts"]],
  ["sign-in with a passkey", ["webauthn/", "pages/Passkey"]],
  ["sign-in with a password, limits of attempts", ["credentials/", "signin/Limits.ts", "browser/KnownBrowser.ts"]],
  ["the end of every sign-in: the user, account linking, the session", ["signin/", "Accounts.ts"]],
  ["sessions: tokens, rows, revocation", ["session/", "Session.ts", "Sessions.ts", "Jwt.ts"]],
  ["the codec of tokens, keys, digests", ["crypto/", "Keyring.ts", "browser/Seal.ts"]],
  ["actions, and the way from a request to one", ["actions/", "Action.ts", "http/", "browser/"]],
  ["options: decoding, defaults, every mistake", ["config/"]],
  ["what presets are made with", ["Provider/internal/"]],
  ["built-in pages", ["pages/", "Pages.ts"]],
  [
    "stores: the interface, the memory store, shared state",
    ["storage/", "models/", "Adapter.ts", "Models.ts", "SharedState.ts"]
  ],
  ["adapters, loggers and errors of Auth.js", ["authjs/"]],
  ["entry points with the names of Auth.js", ["compat/", "index.ts"]],
  ["`Auth`, `createAuth`, servers of Node", ["server/", "Auth.ts", "node.ts"]],
  ["services and layers of one configuration", ["composition/", "Doorman.ts", "Callbacks.ts", "Events.ts"]],
  ["spans, metrics, audit events, the log", ["telemetry/", "Telemetry.ts", "Audit.ts"]],
  ["errors, and the facts of each", ["Errors.ts", "internal/FailureFacts.ts"]],
  ["small functions that many files use", ["internal/"]]
]

/** Only what belongs to it as a whole file; parts of other files are not counted. @type {ReadonlyArray<readonly [string, ReadonlyArray<string>]>} */
const features = [
  [
    "access tokens of providers, refreshed once for all processes",
    ["ProviderTokens.ts", "oauth/ProviderToken.ts", "oauth/RunningRefreshes.ts"]
  ],
  [
    "logout at the provider and by the provider",
    [
      "oauth/EndSession.ts",
      "oauth/Logout",
      "oauth/ProviderLogout.ts",
      "oauth/ProviderSession.ts",
      "session/ProviderSessions.ts",
      "actions/LogoutRequests.ts",
      "config/LogoutNeeds.ts"
    ]
  ],
  [
    "pushed requests, encrypted ID tokens, limits and caches of requests to providers",
    ["oauth/PushedRequest.ts", "oauth/EncryptedToken.ts", "oauth/Transport.ts", "oauth/ProviderCache.ts"]
  ],
  [
    "revocation and lists of sessions, sign-in and sign-out from code",
    ["Sessions.ts", "session/Revocation.ts", "session/TokenRevocation.ts", "actions/UserSessions.ts", "actions/Server"]
  ],
  [
    "ids of sessions, several session cookies of one browser",
    [
      "session/Authentication.ts",
      "session/OneSession.ts",
      "session/SessionId.ts",
      "session/SessionMark.ts",
      "session/SeveralSessions.ts"
    ]
  ],
  ["limits of attempts", ["signin/Limits.ts", "browser/KnownBrowser.ts", "internal/AttemptCount.ts"]],
  [
    "proof of addresses, and the question where there is none",
    ["signin/AddressChoice.ts", "signin/ProvenAddress.ts", "email/OneTimeProof.ts", "email/RemovedMailbox.ts"]
  ],
  ["sign-in methods of a user: list, remove, export", ["Accounts.ts", "actions/UserData.ts", "models/UserData.ts"]],
  ["state that processes share", ["SharedState.ts", "internal/ChangeQueue.ts", "storage/AdapterState.ts"]],
  [
    "units of work, a store in memory, checks of what a store answers",
    [
      "storage/AskedRow.ts",
      "storage/CallLog.ts",
      "storage/Details.ts",
      "storage/DeviceLabel.ts",
      "storage/MemoryAdapter.ts",
      "storage/Steps.ts",
      "storage/StoreFault.ts",
      "storage/Unit.ts",
      "storage/UserByEmail.ts"
    ]
  ],
  [
    "spans, metrics, audit events, problem details",
    ["telemetry/", "Telemetry.ts", "Audit.ts", "http/ProblemDetails.ts"]
  ],
  ["services and layers", ["composition/", "Doorman.ts", "Keyring.ts"]],
  [
    "`createAuth`, servers of Node",
    [
      "server/Arguments.ts",
      "server/CreateAuth.ts",
      "server/NodeMessage.ts",
      "server/ServerAuth.ts",
      "server/ServerEngine.ts",
      "node.ts",
      "http/PlainExchange.ts"
    ]
  ],
  [
    "misspelt options, weak secrets, hosts, missing packages",
    [
      "config/Misspelling.ts",
      "config/Leniency.ts",
      "config/SecretStrength.ts",
      "config/EnvironmentProblems.ts",
      "config/HostPolicy.ts",
      "config/HostProblems.ts",
      "config/InstalledPackage.ts",
      "config/OptionalPackages.ts",
      "config/Problem.ts",
      "config/Production.ts",
      "config/ProxiedOrigins.ts",
      "crypto/RetiredSecrets.ts"
    ]
  ]
]

const root = fileURLToPath(new URL("../..", import.meta.url))
const sources = [...readSources(`${root}/src`)].filter(([file]) => isCore(file))
const sum = (/** @type {ReadonlyArray<readonly [string, { readonly lines: number }]>} */ files) =>
  files.reduce((total, [, { lines }]) => total + lines, 0)

/** The files of each group, and those of none. @param {ReadonlyArray<readonly [string, ReadonlyArray<string>]>} groups */
const divide = (groups) => {
  const groupOf = (/** @type {string} */ file) =>
    groups.find(([, names]) => names.some((name) => file.startsWith(name)))?.[0]
  return {
    rows: groups.map(([title]) => [title, sum(sources.filter(([file]) => groupOf(file) === title))]),
    rest: sources.filter(([file]) => groupOf(file) === undefined)
  }
}

/** @param {string} title @param {ReadonlyArray<ReadonlyArray<string | number>>} rows @param {number} total */
const print = (title, rows, total) =>
  console.log(
    [
      `| ${title} | lines |`,
      "| --- | --: |",
      ...rows.map((row) => `| ${row.join(" | ")} |`),
      `| together | ${total} |`,
      ""
    ].join("\n")
  )

const byPart = divide(parts)
if (byPart.rest.length > 0) throw new Error(`of no part: ${byPart.rest.map(([file]) => file).join(", ")}`)
print("part", byPart.rows, sum(sources))
const byFeature = divide(features)
print("without a counterpart in `@auth/core`", byFeature.rows, sum(sources) - sum(byFeature.rest))
const core = `${root}/node_modules/@auth/core/src`
const presets = new Set(globSync("providers/*.ts", { cwd: core }))
for (const name of ["credentials", "email", "index", "nodemailer", "oauth", "oauth-types", "passkey", "webauthn"])
  presets.delete(`providers/${name}.ts`)
const theirs = [...readSources(core)].filter(([file]) => !presets.has(file))
console.log(`\`@auth/core\`: ${sum(theirs)} lines in ${theirs.length} files`)
