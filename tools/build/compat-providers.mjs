/**
 * Writes the modules `providers/<id>` of the package, one for each preset, under the names that applications for Auth.js
 * import: the factory is the default export, and the types of its profile stand beside it.
 *
 * They are not committed: `tools/build/package-map.mjs` writes them before a source is looked up, and the scripts that start
 * the compiler write them first.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const presets = join(root, "src/Provider")
const modules = join(root, "src/compat/providers")

/**
 * @typedef {{
 *   readonly profile?: string
 *   readonly objects?: ReadonlyArray<string>
 *   readonly texts?: ReadonlyArray<string>
 *   readonly options?: string
 *   readonly exact?: boolean
 *   readonly file?: string
 * }} Names what a module exports beside its factory: the type of the profile, objects and texts within it, the preset's own
 *   options; `exact` profiles keep which members are optional; `file` is the preset where its name does not follow from the id
 */

/** The presets of platforms; a module exports `<preset>Profile` beside the factory. */
const plain = `
  asgardeo atlassian auth0 authentik azure-devops beyondidentity bitbucket box bungie click-up cognito coinbase
  concept2 descope discord dribbble dropbox eventbrite facebook faceit figma foursquare freshbooks frontegg
  fusionauth gitlab google hubspot identity-server4 instagram keycloak kinde line linkedin logto mailchimp
  mailru mastodon mattermost medium naver netlify nextcloud okta onelogin ory-hydra osso passage patreon
  pinterest pipedrive reddit roblox salesforce simplelogin slack strava threads todoist twitch twitter
  united-effects vipps vk webex wechat wordpress yandex zitadel zoho zoom
`

/** The presets whose modules export other names. @type {Readonly<Record<string, Names>>} */
const exceptions = {
  "42-school": {
    file: "FortyTwoSchool",
    profile: "FortyTwoProfile",
    objects: [
      "UserData",
      "CursusUser",
      "ProjectUser",
      "Achievement",
      "LanguagesUser",
      "TitlesUser",
      "ExpertisesUser",
      "Campus",
      "CampusUser",
      "Image"
    ]
  },
  apple: { objects: ["AppleNonConformUser"] },
  "azure-ad": { profile: "AzureADProfile" },
  "azure-ad-b2c": { profile: "AzureADB2CProfile" },
  "bankid-no": { profile: "BankIDNorwayProfile" },
  battlenet: { texts: ["BattleNetIssuer"] },
  "boxyhq-saml": { profile: "BoxyHQSAMLProfile" },
  "duende-identity-server6": { profile: "DuendeISUser" },
  eveonline: { profile: "EVEOnlineProfile" },
  github: { objects: ["GitHubEmail"] },
  huggingface: { profile: "HuggingfaceProfile" },
  kakao: { texts: ["DateTime", "Gender", "Birthday", "AgeRange"] },
  "microsoft-entra-id": { profile: "MicrosoftEntraIDProfile" },
  netsuite: { options: "OAuthNetSuiteOptions" },
  notion: { objects: ["Person", "User", "Owner"] },
  osu: { objects: ["OsuUserCompact"] },
  "ping-id": { profile: "PingProfile" },
  spotify: { objects: ["SpotifyImage"] },
  tiktok: { profile: "TiktokProfile" },
  trakt: { profile: "TraktUser" },
  video: { exact: true },
  wikimedia: { texts: ["WikimediaGroup", "WikimediaGrant", "WikimediaRight"] },
  workos: { profile: "WorkOSProfile" }
}

/** @type {Readonly<Record<string, Names>>} */
const platforms = {
  ...Object.fromEntries(
    plain
      .trim()
      .split(/\s+/)
      .map((id) => [id, {}])
  ),
  ...exceptions
}

/** Presets that send no browser away, and the types that stand beside them: by the name in `../providers.ts`. */
/** @type {Readonly<Record<string, { readonly file: string, readonly factory?: "FormFactory" | "KeyFactory" | "MailFactory", readonly types?: ReadonlyArray<string>, readonly values?: string }>>} */
const others = {
  credentials: {
    file: "Credentials",
    factory: "FormFactory",
    types: ["CredentialInput", "CredentialsConfig", "CredentialsProviderId"]
  },
  email: {
    file: "Email",
    types: [
      "EmailConfig",
      "EmailProviderId",
      "EmailProviderSendVerificationRequestParams",
      "EmailProviderType",
      "EmailUserConfig"
    ]
  },
  forwardemail: { file: "ForwardEmail" },
  loops: { file: "Loops", types: ["EmailConfig as LoopsConfig", "EmailUserConfig as LoopsUserConfig"] },
  mailgun: { file: "Mailgun" },
  nodemailer: {
    file: "Nodemailer",
    types: ["EmailConfig as NodemailerConfig", "EmailUserConfig as NodemailerUserConfig"]
  },
  passkey: { file: "Passkey", factory: "KeyFactory" },
  postmark: { file: "Postmark" },
  resend: { file: "Resend" },
  sendgrid: { file: "SendGrid" },
  webauthn: {
    file: "WebAuthn",
    factory: "KeyFactory",
    types: ["GetUserInfo", "RelayingParty", "WebAuthnConfig", "WebAuthnProviderType"],
    values: `/**
 * Milliseconds that a person has for a ceremony.
 *
 * @category constants
 * @since 0.1.0
 */
export const DEFAULT_WEBAUTHN_TIMEOUT: number = 300_000

/**
 * The version of the browser script that pages of applications load. The pages of this library have a script of their own.
 *
 * @category constants
 * @since 0.1.0
 */
export const DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION: SemverString = "v9.0.1"
`
  }
}

const files = readdirSync(presets).map((file) => file.replace(/\.ts$/, ""))

/** The preset of an id: `azure-ad` is `AzureAd`. @param {string} id */
const fileOf = (id) => files.find((file) => file.toLowerCase() === id.replaceAll("-", "")) ?? id

/** @param {string} what */
const note = (what) => `/** ${what} @category models @since 0.1.0 */\n`

/** @param {string} file */
const factoryNote = (file) =>
  `/** The factory of the preset; \`Provider/${file}.ts\` says what it needs. @category providers @since 0.1.0 */\n`

/** @param {string} id @param {string} factory */
const heading = (id, factory) => `/**
 * \`${factory}\` of \`Provider/${factory}.ts\`, under the name \`providers/${id}\`.
 *
 * Written by \`tools/build/compat-providers.mjs\`.
 *
 * @since 0.1.0
 */
`

/** @param {string} id @param {Names} names @param {string} file @param {string} source */
const platformModule = (id, names, file, source) => {
  const shape = new RegExp(`export (?:type|interface) ${file}Profile\\b`).test(source)
  const profile = names.profile ?? `${file}Profile`
  const declared =
    `export interface ${profile} extends ` +
    `${names.exact === true ? "Shape" : shape ? "Claims<Shape>" : "Member"} {}\n`
  const needed = [
    ...(shape && names.exact !== true ? ["Claims"] : []),
    "Factory",
    ...((names.objects ?? []).length > 0 || !shape ? ["Member"] : []),
    ...(names.options === undefined ? [] : ["OwnOptions"])
  ]
  return [
    heading(id, file),
    `import { ${file} as preset${shape ? `, type ${file}Profile as Shape` : ""} } from "../../Provider/${file}.ts"\n`,
    `import type { ${needed.join(", ")} } from "../ProviderModule.ts"\n\n`,
    note("What the platform says about a person."),
    declared,
    "\n",
    ...(names.objects ?? []).map(
      (name) => `${note("Part of a profile.")}export interface ${name} extends Member {}\n\n`
    ),
    ...(names.texts ?? []).map((name) => `${note("A word of the platform.")}export type ${name} = string\n\n`),
    ...(names.options === undefined
      ? []
      : [`${note("What only this preset takes.")}export type ${names.options} = OwnOptions<typeof preset>\n\n`]),
    factoryNote(file),
    `const ${file}: Factory<typeof preset, ${profile}> = preset\n\nexport { ${file} as default }\n`
  ].join("")
}

/** @param {string} id @param {(typeof others)[string]} other */
const otherModule = (id, { factory = "MailFactory", file, types = [], values }) =>
  [
    heading(id, file),
    `import { ${file} as preset } from "../../Provider/${file}.ts"\n`,
    `import type { ${factory} } from "../ProviderModule.ts"\n`,
    values?.includes("SemverString") === true ? `import type { SemverString } from "../types.ts"\n` : "",
    `\n${factoryNote(file)}`,
    `const ${file}: ${factory}${factory === "MailFactory" ? "<typeof preset>" : ""} = preset\n\n`,
    `export { ${file} as default }\n`,
    // A conditional type is written out where it is used, and the others by their names.
    factory === "MailFactory" ? "" : `export type { ${factory} } from "../ProviderModule.ts"\n`,
    types.length === 0 ? "" : `export type { ${types.join(", ")} } from "../providers.ts"\n`,
    values === undefined ? "" : `\n${values}`
  ].join("")

/** @param {string} what */
const typesOnly = (what) => `/**
 * ${what}
 *
 * Written by \`tools/build/compat-providers.mjs\`.
 *
 * @since 0.1.0
 */
`

/** The types of providers, under the names of their own modules. */
const typeModules = {
  index: ["The types of `providers`.", "*"],
  oauth: [
    "The types of providers that send the browser away.",
    `{
  AccountCallback, AuthorizationEndpointHandler, OAuth2Config, OAuthChecks, OAuthConfig, OAuthConfigInternal,
  OAuthEndpointType, OAuthProviderButtonStyles, OAuthProviderId, OAuthUserConfig, OIDCConfig, OIDCConfigInternal,
  OIDCUserConfig, ProfileCallback, TokenEndpointHandler, UserinfoEndpointHandler
}`
  ],
  "provider-types": ["The ids of the presets.", "{ EmailProviderId, OAuthProviderId }"]
}

/** The texts of the modules by their ids. @returns {ReadonlyMap<string, string>} */
const texts = () => {
  /** @param {string} file */
  const sourceOf = (file) => {
    const source = readFileSync(join(presets, `${file}.ts`), "utf8")
    if (!new RegExp(`export const ${file}\\b`).test(source)) throw new Error(`src/Provider/${file}.ts has no ${file}`)
    return source
  }
  return new Map([
    ...Object.entries(platforms).map(([id, names]) => {
      const file = names.file ?? fileOf(id)
      return /** @type {const} */ ([id, platformModule(id, names, file, sourceOf(file))])
    }),
    ...Object.entries(others).map(([id, other]) => {
      sourceOf(other.file)
      return /** @type {const} */ ([id, otherModule(id, other)])
    }),
    ...Object.entries(typeModules).map(
      ([id, [what = "", names]]) =>
        /** @type {const} */ ([id, `${typesOnly(what)}export type ${names} from "../providers.ts"\n`])
    )
  ])
}

/** Writes the modules that are missing or stale, and removes those of no preset. */
export const writeCompatProviders = () => {
  const wanted = texts()
  mkdirSync(modules, { recursive: true })
  for (const [id, text] of wanted) {
    const path = join(modules, `${id}.ts`)
    if (existsSync(path) && readFileSync(path, "utf8") === text) continue
    // A reader in another process sees the old text or the new one, and never a part.
    writeFileSync(`${path}.${process.pid}`, text)
    renameSync(`${path}.${process.pid}`, path)
  }
  for (const name of readdirSync(modules))
    if (name.endsWith(".ts") && !wanted.has(name.slice(0, -3))) rmSync(join(modules, name))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeCompatProviders()
