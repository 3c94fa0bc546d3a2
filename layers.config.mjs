/**
 * The layers of `src`, from the lowest to the highest: a module imports modules of its own layer or of those below it.
 *
 * `npm run layers` checks this table with oxlint, together with cycles, barrels of Effect, names and lengths. A file of a
 * new folder is an error until the folder is in the table.
 */
import { defineConfig } from "oxlint"

/** Folders end in a slash, the others are public modules at the root of `src`. */
const layers = [
  // Plain code, identifiers, failures.
  "internal/ crypto/ models/ Errors",
  // Data and contracts: requests and responses, storage, providers, pages, settings, what is logged and measured.
  "http/ telemetry/ storage/ authjs/ Provider/ pages/ config/ Adapter Callbacks Events Keyring Mailer Models SharedState",
  // Services: tokens and sessions, what a browser keeps, providers' endpoints, mail, databases.
  "browser/ session/ oauth/ mail/ sql/ Audit Jwt Pages Redis Sql Telemetry",
  // The programs: every sign-in method, and every action.
  "signin/ credentials/ email/ webauthn/ actions/ Session",
  // One configuration with all of its services, and the way from a request to an action.
  "composition/ Action Doorman",
  // Entry points.
  "access/ server/ compat/ testing/ Access Accounts Auth Http ProviderTokens Sessions Testing index node"
].map((layer) => layer.split(" "))

const message = "A lower layer does not import a higher one: see layers.config.mjs."
const barrels = { regex: "^effect(/[a-z][a-z-]*)?$", message: "Import each module of Effect by its path." }

/** @param {ReadonlyArray<string>} names */
const foldersOf = (names) => names.filter((name) => name.endsWith("/"))
/** @param {ReadonlyArray<string>} names */
const modulesOf = (names) => names.filter((name) => !name.endsWith("/"))

/**
 * @param {ReadonlyArray<string>} files
 * @param {ReadonlyArray<string>} patterns expressions for the paths that these files do not import
 */
const override = (files, patterns) => ({
  files,
  rules: {
    "no-restricted-imports": ["error", { patterns: [barrels, ...patterns.map((regex) => ({ regex, message }))] }]
  }
})

export default defineConfig({
  plugins: ["eslint", "import", "unicorn"],
  categories: { correctness: "off" },
  rules: { "import/no-cycle": ["error", { ignoreTypes: false }], "max-lines": ["error", 800] },
  overrides: [
    {
      files: ["src/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          { patterns: [{ regex: "", message: "Give this file a layer in layers.config.mjs." }] }
        ]
      }
    },
    ...layers.flatMap((layer, index) => {
      const higher = layers.slice(index + 1).flat()
      const folders = higher.length === 0 ? [] : [`^(\\./|(\\.\\./)+)(${foldersOf(higher).join("|")})`]
      const modules = modulesOf(higher).join("|")
      return [
        override(
          foldersOf(layer).map((folder) => `src/${folder}**`),
          higher.length === 0 ? [] : [...folders, `^(\\.\\./)+(${modules})\\.ts$`]
        ),
        override(
          modulesOf(layer).map((module) => `src/${module}.ts`),
          higher.length === 0 ? [] : [...folders, `^\\./(${modules})\\.ts$`]
        )
      ]
    }),
    {
      files: ["src/**"],
      rules: { "unicorn/filename-case": ["error", { case: "pascalCase" }] }
    },
    {
      files: ["src/compat/**", "src/index.ts", "src/node.ts"],
      rules: { "unicorn/filename-case": "off" }
    }
  ]
})
