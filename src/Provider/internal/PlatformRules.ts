/**
 * Rules of platforms whose protocol differs from the specifications: Microsoft Entra ID, Salesforce and Apple. A preset names the
 * rules that it needs; those of Entra ID and Salesforce work with the platforms' own issuers only.
 *
 * Entra ID has multi-tenant issuers: `common`, `organizations` and `consumers` (the tenant is in the `tid` claim).
 * So do the common sign-in pages of Salesforce: an ID token may name the organisation as its issuer. Apple sends the person's
 * name once, as JSON in the form post that carries the code. What other platforms need stands in their presets.
 *
 * @since 0.1.0
 */
import { isJsonObject, parseJson } from "../../internal/JsonText.ts"
import { longest, toLine } from "../../internal/Text.ts"

type Claims = Readonly<Record<string, unknown>>

/** An issuer that stands for many: tokens name the one that issued them. */
export interface SharedIssuer {
  /** May the metadata of this issuer carry another one? */
  readonly isAnnounced: (issuer: string) => boolean
  /** May an authorization response name this issuer (RFC 9207)? */
  readonly isIssuer: (issuer: string) => boolean
  /** The issuer of a token with these claims, and where its keys are if not in the metadata; `undefined` refuses the token. */
  readonly ownerOf: (claims: Claims) => { readonly issuer: string; readonly jwksUri?: string } | undefined
  /** May a key that names its issuer sign a token with these claims? */
  readonly isKeyOf: (issuer: string, claims: Claims) => boolean
}

/** Hosts of the national clouds of Microsoft Entra ID. */
const microsoft: ReadonlySet<string> = new Set([
  "login.microsoftonline.com",
  "login.microsoftonline.us",
  "login.partner.microsoftonline.cn"
])

/** Tenant of personal Microsoft accounts. */
const consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Reads a multi-tenant issuer; `undefined` for every other one. */
const entraIssuer = (configured: string): SharedIssuer | undefined => {
  if (!URL.canParse(configured)) return undefined
  const { hostname, pathname, port, protocol } = new URL(configured)
  const [, word = "", ...path] = pathname.split("/")
  const isShared = ["common", "organizations", "consumers"].includes(word)
  if (!isShared || protocol !== "https:" || port !== "" || !microsoft.has(hostname)) return undefined
  const issuerOf = (tenant: string) => `https://${hostname}/${[tenant, ...path].join("/")}`
  const ownerOf = (tenant: unknown) => {
    if (typeof tenant !== "string" || !guid.test(tenant)) return undefined
    const refused = tenant === consumers ? "organizations" : "consumers"
    return word === refused ? undefined : { issuer: issuerOf(tenant) }
  }
  return {
    // It names a placeholder, or the tenant of personal accounts.
    isAnnounced: (issuer) =>
      issuer === issuerOf("{tenantid}") || (word === "consumers" && issuer === issuerOf(consumers)),
    isIssuer: (issuer) => {
      const tenant = URL.canParse(issuer) ? new URL(issuer).pathname.split("/")[1] : undefined
      return ownerOf(tenant)?.issuer === issuer
    },
    ownerOf: ({ tid }) => ownerOf(tid),
    // Entra ID publishes the keys of all tenants together and says which issuer each is for.
    isKeyOf: (issuer, { iss, tid }) => issuer.replace("{tenantid}", String(tid)) === iss
  }
}

/** The pages of Salesforce where users of every organization sign in: of production, and of sandboxes. */
const salesforce: ReadonlySet<string> = new Set(["https://login.salesforce.com", "https://test.salesforce.com"])

/** The My Domain address of an organisation, which only Salesforce gives away. */
const organisation = /^https:\/\/[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})?\.my\.salesforce\.com$/

/** Reads an issuer where people of every organisation sign in; `undefined` for every other one. */
const salesforceIssuer = (configured: string): SharedIssuer | undefined =>
  salesforce.has(configured)
    ? {
        isAnnounced: () => false,
        isIssuer: (issuer) => issuer === configured,
        // The keys of an organisation sign tokens whose subject is an identity of this issuer.
        ownerOf: ({ iss, sub }) =>
          typeof iss === "string" &&
          organisation.test(iss) &&
          typeof sub === "string" &&
          sub.startsWith(`${configured}/id/`)
            ? { issuer: iss, jwksUri: `${iss}/id/keys` }
            : { issuer: configured },
        isKeyOf: () => true
      }
    : undefined

/** The issuer of a provider as its platform reads it; `undefined` for one that stands for itself. */
export const sharedIssuer = (platform: string | undefined, issuer: string): SharedIssuer | undefined =>
  platform === "microsoft-entra-id"
    ? entraIssuer(issuer)
    : platform === "salesforce"
      ? salesforceIssuer(issuer)
      : undefined

/** The name that Apple adds to the first answer. */
export interface AppleUser {
  readonly name: { readonly firstName?: string; readonly lastName?: string }
}

const nameMember = (name: Claims, member: "firstName" | "lastName") => {
  const value = Object.hasOwn(name, member) ? name[member] : undefined
  const text = typeof value === "string" ? toLine(value.replace(/[<>]/g, ""), longest.label).trim() : ""
  return text === "" ? undefined : { [member]: text }
}

/**
 * Reads the `user` field of Apple's form post: first and last name, nothing else. The field is not signed, so it may
 * decorate a profile but never identify a person.
 */
export const readAppleUser = (field: string | null): AppleUser | undefined => {
  if (field === null || field.length > 4096) return undefined
  const user = parseJson(field)
  const name = isJsonObject(user) && Object.hasOwn(user, "name") ? user["name"] : undefined
  if (!isJsonObject(name)) return undefined
  const names = { ...nameMember(name, "firstName"), ...nameMember(name, "lastName") }
  return Object.keys(names).length === 0 ? undefined : { name: names }
}
