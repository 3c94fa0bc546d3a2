/**
 * Writes the logos of platforms, one module each in src/Provider/internal/logos, from the outlines of the package `simple-icons`
 * (CC0 1.0). With `--check` it writes nothing and fails when a module differs or is missing.
 *
 * Platforms that are not in that collection have none: the sign-in page shows the initial of their name.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = join(root, "src/Provider/internal/logos")
const icons = join(root, "node_modules/simple-icons/icons")

/** Preset to the name that the collection knows its platform by, where it is another than the preset's in lower case. */
const names = {
  FortyTwoSchool: "42",
  BattleNet: "battledotnet",
  Mailru: "maildotru",
  OryHydra: "ory",
  Twitter: "x",
  Wikimedia: "wikimediafoundation"
}

const same =
  "Apple Atlassian Auth0 Authentik Bitbucket Box Bungie ClickUp Coinbase Discord Dribbble Dropbox Facebook Faceit Figma Foursquare FusionAuth GitHub GitLab Google HubSpot HuggingFace Instagram Kakao Keycloak Line Mailchimp Mastodon Mattermost Medium Naver Netlify Nextcloud Notion Okta Osu Patreon Pinterest Reddit Roblox SimpleLogin Spotify Strava Threads TikTok Todoist Trakt Twitch Vk Webex WeChat WordPress Zoho Zoom"

const all = { ...Object.fromEntries(same.split(" ").map((name) => [name, name.toLowerCase()])), ...names }

/** @param {string} icon */
const outlineOf = (icon) => {
  const svg = readFileSync(join(icons, `${icon}.svg`), "utf8")
  const [, title = "", outline = ""] = /<title>(.*?)<\/title><path d="([^"]+)"\/><\/svg>\s*$/.exec(svg) ?? []
  if (outline === "" || !svg.includes('viewBox="0 0 24 24"'))
    throw new Error(`${icon}.svg is not one outline of 24 by 24`)
  return { title: title.replaceAll("&amp;", "&"), outline }
}

/** @param {readonly [string, string]} entry */
const moduleOf = ([name, icon]) => {
  const { outline, title } = outlineOf(icon)
  const line = `export const ${name} = "${outline}"`
  return [
    "/**",
    ` * The logo of ${title}, from simple-icons (CC0 1.0). Written by \`npm run logos\`; the mark belongs to its owner.`,
    " *",
    " * @since 0.1.0",
    " */",
    "",
    "/** The `d` of an SVG path in a 24 by 24 drawing. @category logos @since 0.1.0 */",
    ...(line.length <= 120 ? [line] : [`export const ${name} =`, `  "${outline}"`]),
    ""
  ].join("\n")
}

const wanted = new Map(Object.entries(all).map((entry) => [`${entry[0]}.ts`, moduleOf(entry)]))

if (process.argv.includes("--check")) {
  const found = readdirSync(folder)
  const wrong = [
    ...found.filter((name) => !wanted.has(name)),
    ...[...wanted]
      .filter(([name, text]) => !found.includes(name) || readFileSync(join(folder, name), "utf8") !== text)
      .map(([name]) => name)
  ]
  if (wrong.length > 0) {
    console.error(`logos: run "npm run logos"; these differ: ${wrong.join(", ")}`)
    process.exit(1)
  }
  console.log(`logos: ${wanted.size} modules`)
} else {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of wanted) writeFileSync(join(folder, name), text)
  console.log(`logos: ${wanted.size} modules written`)
}
