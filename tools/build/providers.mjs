/**
 * Writes the table of presets in docs/providers.md from the presets themselves. With `--check` it writes nothing and fails when
 * the table is another.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { define } from "../../src/Provider/internal/Definition.ts"
import { descriptionOf } from "../../src/Provider/internal/ProfileMapping.ts"
import { make } from "../../src/Provider/internal/ReadProvider.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = join(root, "src/Provider")
const page = join(root, "docs/providers.md")
const begin = "<!-- presets: written by `npm run providers` -->"
const end = "<!-- /presets -->"

/** @typedef {{ readonly module: string, readonly factory: (options: object) => object, readonly source: string }} Preset */

/** @param {string} file @returns {Promise<ReadonlyArray<Preset>>} */
const presetsOf = async (file) => {
  const module = file.slice(0, -3)
  const source = readFileSync(join(folder, file), "utf8")
  /** @type {Record<string, unknown>} */
  const exported = await import(join(folder, file))
  const factory = exported[module]
  return typeof factory === "function" && / \* @category providers$/m.test(source)
    ? [{ module, factory: /** @type {Preset["factory"]} */ (factory), source }]
    : []
}

const placeholder = "https://issuer.example"
const credentials = { clientId: "id", clientSecret: "secret" }

/** The names of the options that an interface `<Module>Options` of the preset adds. @param {Preset} preset */
const ownOptions = ({ module, source }) => {
  const body = new RegExp(`export interface ${module}Options[^{]*\\{([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? ""
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)].flatMap(([, name]) => (name === undefined ? [] : [name]))
}

/** @param {object} provider */
const readRedirect = (provider) => {
  const { get, identities } = make([provider])
  const read = get(identities[0]?.id ?? "")
  return read._tag === "Success" && (read.success.type === "oauth" || read.success.type === "oidc")
    ? read.success
    : undefined
}

const methods = {
  client_secret_basic: "Basic",
  client_secret_post: "form",
  none: "public",
  client_secret_jwt: "JWT",
  private_key_jwt: "key",
  tls_client_auth: "certificate",
  self_signed_tls_client_auth: "certificate"
}

/** @param {string} id */
const prefix = (id) => `AUTH_${id.toUpperCase().replaceAll("-", "_")}`

/**
 * The options that a preset does not do without, with something in them: of all that would do, those that cannot be left out,
 * looked at from the last to the first.
 *
 * @param {Preset["factory"]} factory @param {ReadonlyArray<string>} options
 */
const neededOf = (factory, options) => {
  const does = (/** @type {object} */ given) => make([factory({ ...credentials, ...given })]).problems().length === 0
  return options.reduceRight(
    (given, option) => {
      const without = Object.fromEntries(Object.entries(given).filter(([name]) => name !== option))
      return does(without) ? without : given
    },
    /** @type {Record<string, string>} */ (
      Object.fromEntries(options.map((option) => [option, option.endsWith("ID") ? "1234567" : placeholder]))
    )
  )
}

/** @param {Preset} preset */
const rowOf = (preset) => {
  const { factory, module } = preset
  const defined = define(factory({}))
  if (defined._tag === "Failure") throw new Error(`${module}: ${defined.failure.message}`)
  const { id, name, type } = defined.success
  const options = ownOptions(preset)
  if (type !== "oauth" && type !== "oidc") return { module, id, name, type, options }
  const own = neededOf(factory, [...options, "userinfo", "issuer"])
  const needsIssuer = "issuer" in own
  const provider = readRedirect(factory({ ...credentials, ...own }))
  if (provider === undefined) throw new Error(`${module} cannot be read`)
  const other = readRedirect(factory({ ...credentials, ...own, issuer: placeholder }))
  const takesIssuer = needsIssuer || type === "oidc" || other?.authorization.url !== provider.authorization.url
  const variables = [
    `\`${prefix(id)}_ID\``,
    "`…_SECRET`",
    ...(takesIssuer ? [needsIssuer ? "`…_ISSUER` (needed)" : "`…_ISSUER`"] : [])
  ]
  for (const [option, suffix] of Object.entries({ authUrl: "AUTH_URL", apiUrl: "API_URL", apiKey: "KEY" })) {
    if (options.includes(option)) variables.push(`\`…_${suffix}\``)
  }
  const statement = descriptionOf(provider.profile)?.emailVerified
  return {
    module,
    id,
    name,
    type,
    options,
    variables: variables.join(", "),
    scope: provider.authorizationParameters.find(([name]) => name === "scope")?.[1] ?? "",
    client: methods[provider.clientAuthentication],
    email:
      typeof statement === "function"
        ? "own member"
        : { claim: "`email_verified`", unstated: "unstated", "no-address": "none", "user-name": "unstated" }[
            statement ?? (type === "oidc" ? "claim" : "unstated")
          ]
  }
}

/** @typedef {ReturnType<typeof rowOf>} Row */

/** @param {ReadonlyArray<Row>} rows */
const redirectTable = (rows) => [
  "| Preset | id | Protocol | Environment | Scope | Client | Address verified by | Own options |",
  "|---|---|---|---|---|---|---|---|",
  ...rows.map(
    ({ client, email, id, module, name, options, scope, type, variables }) =>
      `| \`${module}\` ${name === module ? "" : name} | \`${id}\` | ${type === "oidc" ? "OpenID" : "OAuth"} | ${variables} | ${scope === "" ? "–" : `\`${scope}\``} | ${client} | ${email} | ${options.length === 0 ? "–" : options.map((option) => `\`${option}\``).join(", ")} |`
  )
]

/** @param {ReadonlyArray<Row>} rows */
const otherTable = (rows) => [
  "| Preset | id | Kind | Environment |",
  "|---|---|---|---|",
  ...rows.map(
    ({ id, module, type }) =>
      `| \`${module}\` | \`${id}\` | ${{ oauth: "", oidc: "", email: "a magic link", credentials: "your own `authorize`", webauthn: "a passkey" }[type]} | ${type === "email" && !["email", "nodemailer"].includes(id) ? `\`${prefix(id)}_KEY\`` : "–"} |`
  )
]

const files = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .sort()
const rows = (await Promise.all(files.map(presetsOf))).flat().map(rowOf)
const redirects = rows.filter(({ type }) => type === "oauth" || type === "oidc")
const others = rows.filter(({ type }) => type !== "oauth" && type !== "oidc")

const table = [
  begin,
  "",
  `${redirects.length} platforms:`,
  "",
  ...redirectTable(redirects),
  "",
  "And without a platform:",
  "",
  ...otherTable(others),
  "",
  end
].join("\n")

const text = readFileSync(page, "utf8")
const [before, rest] = text.split(begin)
const after = rest?.split(end)[1]
if (before === undefined || after === undefined)
  throw new Error(`docs/providers.md has no place for the table: ${begin}`)
const written = `${before}${table}${after}`

if (!process.argv.includes("--check")) {
  writeFileSync(page, written)
  console.log(`providers: ${rows.length} presets written`)
} else if (written === text) console.log(`providers: ${rows.length} presets`)
else {
  console.error('providers: the table of docs/providers.md is not up to date: run "npm run providers"')
  process.exit(1)
}
