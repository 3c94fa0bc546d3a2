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
  // Services: tokens and sessions, what a browser keeps, mail, databases.
  "browser/ session/ mail/ sql/ Audit Jwt Pages Redis Sql Telemetry",
  // The programs: every sign-in method, and every action.
  "signin/ credentials/ email/ oauth/ webauthn/ actions/ Session",
  // One configuration with all of its services, and the way from a request to an action.
  "composition/ Action Doorman",
  // Entry points.
  "access/ server/ compat/ testing/ Access Accounts Auth Http ProviderTokens Sessions Testing index node"
].map((layer) => layer.split(" "))

const message = "A lower layer does not import a higher one: see layers.config.mjs."
const barrels = { regex: "^effect(/[a-z][a-z-]*)?$", message: "Import each module of Effect by its path." }

/**
 * What only the named files use; elsewhere failures are values, time is `Clock` and randomness `SecureRandom`.
 *
 * @type {ReadonlyArray<{ readonly selectors: ReadonlyArray<string>, readonly message: string, readonly edges: ReadonlyArray<string> }>}
 */
const restrictions = [
  {
    selectors: ["TryStatement"],
    message: "A failure is a value: `try` stays at the edges of layers.config.mjs.",
    edges: [
      "authjs/AuthJsError.ts",
      "authjs/LoggerBridge.ts",
      "compat/Token.ts",
      "config/Environment.ts",
      "config/InstalledPackage.ts",
      "crypto/**",
      "http/CookieHeader.ts",
      "index.ts",
      "internal/**",
      "node.ts",
      "server/NodeMessage.ts",
      "telemetry/DebugView.ts"
    ]
  },
  {
    selectors: ["ThrowStatement"],
    message: "A failure is a value: `throw` stays at the edges of layers.config.mjs.",
    edges: [
      "compat/Token.ts",
      "config/Environment.ts",
      "crypto/**",
      "index.ts",
      "internal/**",
      "node.ts",
      "server/Instance.ts"
    ]
  },
  {
    selectors: [
      'NewExpression[callee.name="Date"][arguments.length=0]',
      'CallExpression[callee.name="Date"]',
      ':matches(MemberExpression[property.name="now"], MemberExpression[property.value="now"]):matches([object.name="Date"], [object.property.name="Date"])'
    ],
    message: "The time is a service: use Clock.",
    edges: ["compat/Token.ts"]
  },
  {
    selectors: [
      'MemberExpression[property.name=/^(randomUUID|getRandomValues)$/]:matches([object.name="crypto"], [object.property.name="crypto"])'
    ],
    message: "Random bytes are a service: use SecureRandom.",
    edges: ["compat/Token.ts", "server/WithoutEngine.ts"]
  },
  {
    selectors: [':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration[kind!="const"]'],
    message: "A module keeps no variable that decides anything.",
    edges: ["Auth.ts"]
  }
]

/**
 * What a file may not use: all of it, where no file is named.
 *
 * @param {string} [file]
 */
const restrictedIn = (file = "") =>
  restrictions
    .filter(
      ({ edges }) => !edges.some((edge) => file === edge || (edge.endsWith("**") && file.startsWith(edge.slice(0, -2))))
    )
    .flatMap(({ message, selectors }) => selectors.map((selector) => ({ selector, message })))

/** A specific file stands after its folder, whose rights it has too. */
const edges = [...new Set(restrictions.flatMap((restriction) => restriction.edges))].map((file) => ({
  files: [`src/${file}`],
  rules: { "restricted/syntax": ["error", ...restrictedIn(file)] }
}))

/** Words that name no concept. */
const vague = ["Common", "Helper", "Helpers", "Lib", "Manager", "Misc", "Stuff", "Util", "Utils"]

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
  jsPlugins: ["./tools/lint/restricted-syntax.mjs"],
  categories: { correctness: "off" },
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "max-lines": ["error", 800],
    "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
    "restricted/syntax": ["error", ...restrictedIn()]
  },
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
    ...edges,
    {
      files: vague.flatMap((word) => [`src/**/${word}.ts`, `src/**/*${word}.ts`, `src/**/${word}[A-Z]*.ts`]),
      rules: { "restricted/syntax": ["error", { selector: "Program", message: "The file is named after no concept." }] }
    },
    {
      files: ["src/compat/**", "src/index.ts", "src/node.ts"],
      rules: { "unicorn/filename-case": "off" }
    }
  ]
})
