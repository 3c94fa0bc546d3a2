/**
 * The figures of docs/decisions/structure.md: the bars of structure that are not reached, what the code of `src` is for, in lines by
 * the part of the library, and which of them do what `@auth/core` does not do. All are of the scope that `npm run census` counts.
 *
 * A line is counted when code is on it, imports and types included; comments and empty lines are not. `@auth/core` is counted in
 * the same way, without its presets.
 *
 *     node tools/runs/code-lines.mjs [--write]
 *
 * With `--write` they go into the page.
 */
import { execFileSync } from "node:child_process"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { isCore, readSources, testRatio } from "../../scripts/structure.mjs"

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
  [
    "sign-in methods of a user: list, remove, export",
    ["Accounts.ts", "actions/UserAccounts.ts", "actions/UserData.ts", "models/UserData.ts"]
  ],
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

const number = (/** @type {number} */ value) => value.toLocaleString("en")

/** @param {ReadonlyArray<string>} heads @param {ReadonlyArray<ReadonlyArray<string | number>>} rows */
const table = (heads, rows) =>
  [heads, ["---", ...heads.slice(1).map(() => "--:")], ...rows]
    .map((row) => `| ${row.map((cell) => (typeof cell === "number" ? number(cell) : cell)).join(" | ")} |`)
    .join("\n")

/** The files that a session read and a callback enter. @param {ReadonlyArray<string>} options @returns {readonly [number, number]} */
const entered = (...options) =>
  JSON.parse(
    execFileSync(process.execPath, ["tools/runs/entered-files.mjs", ...options], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    })
  )

const core = `${root}/node_modules/@auth/core/src`
const presets = new Set(globSync("providers/*.ts", { cwd: core }))
for (const name of ["credentials", "email", "index", "nodemailer", "oauth", "oauth-types", "passkey", "webauthn"])
  presets.delete(`providers/${name}.ts`)
const theirs = sum([...readSources(core)].filter(([file]) => !presets.has(file)))

const byPart = divide(parts)
if (byPart.rest.length > 0) throw new Error(`of no part: ${byPart.rest.map(([file]) => file).join(", ")}`)
const byFeature = divide(features)
const [all, common] = [sum(sources), sum(byFeature.rest)]
const [session, callback] = entered()
const [theirSession, theirCallback] = entered("--theirs")

const pieces = [
  table(
    ["figure", "bar", "is", "`@auth/core`"],
    [
      ["code lines for the scope of `@auth/core`", 12_000, all, theirs],
      ["files that a session read enters", 18, session, theirSession],
      ["files that a callback of OpenID Connect enters", 35, callback, theirCallback],
      ["lines of tests for a line of source", "1.4", testRatio(root), ""]
    ]
  ),
  table(["part", "lines"], [...byPart.rows, ["together", all]]),
  table(["without a counterpart in `@auth/core`", "lines"], [...byFeature.rows, ["together", all - common]]),
  `The other ${number(common)} lines have counterparts in the ${number(theirs)} lines of \`@auth/core\`: ${(common / theirs).toFixed(1)} times as many.`
]

if (process.argv.includes("--write")) {
  const page = `${root}/docs/decisions/structure.md`
  const text = pieces.reduce(
    (before, piece, index) =>
      before.replace(
        new RegExp(`(<!-- figures ${index + 1} -->\n)[^]*?(\n<!-- end -->)`),
        (_, start, end) => `${start}\n${piece}\n${end}`
      ),
    readFileSync(page, "utf8")
  )
  writeFileSync(page, text)
} else console.log(pieces.join("\n\n"))
