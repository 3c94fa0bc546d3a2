/**
 * Platforms whose protocol differs from the specifications: Microsoft Entra ID, Salesforce and Apple.
 *
 * Entra ID has multi-tenant issuers: `common`, `organizations` and `consumers` (the tenant is in the `tid` claim).
 * So do the common sign-in pages of Salesforce: an ID token may name the organisation as its issuer. Apple sends the person's
 * name once, as JSON in the form post that carries the code. These adaptations are asked for by the provider's configuration;
 * those for Entra ID and Salesforce work on the platforms' own hosts only. What other platforms need stands in their presets.
 *
 * @since 0.1.0
 */
import { isJsonObject, parseJson } from "../internal/JsonText.ts"
import { longest, toLine } from "../internal/Text.ts"

/** Hosts of the national clouds of Microsoft Entra ID. */
const microsoft: ReadonlySet<string> = new Set([
  "login.microsoftonline.com",
  "login.microsoftonline.us",
  "login.partner.microsoftonline.cn"
])

/** Tenant of personal Microsoft accounts. */
const consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A multi-tenant issuer of Entra ID. */
export interface TenantIssuer {
  readonly word: "common" | "organizations" | "consumers"
  /** The issuer of one tenant. */
  readonly of: (tenant: string) => string
}

/** Reads a multi-tenant issuer; `undefined` for every other one. */
export const tenantIssuer = (issuer: string): TenantIssuer | undefined => {
  if (!URL.canParse(issuer)) return undefined
  const url = new URL(issuer)
  const [, word, ...path] = url.pathname.split("/")
  if (url.protocol !== "https:" || url.port !== "" || !microsoft.has(url.hostname)) return undefined
  return word === "common" || word === "organizations" || word === "consumers"
    ? { word, of: (tenant) => `https://${url.hostname}/${[tenant, ...path].join("/")}` }
    : undefined
}

/** May the metadata of `tenants` carry this issuer? It names a placeholder, or the tenant of personal accounts. */
export const isAnnouncedIssuer = (tenants: TenantIssuer, issuer: string): boolean =>
  issuer === tenants.of("{tenantid}") || (tenants.word === "consumers" && issuer === tenants.of(consumers))

/** The issuer of a token whose `tid` claim is `tenant`, or `undefined` when such a token may not come from `tenants`. */
export const issuerOfTenant = (tenants: TenantIssuer, tenant: unknown): string | undefined => {
  if (typeof tenant !== "string" || !guid.test(tenant)) return undefined
  const personal = tenant === consumers
  return (personal && tenants.word === "organizations") || (!personal && tenants.word === "consumers")
    ? undefined
    : tenants.of(tenant)
}

/** Is this the issuer of some tenant of `tenants`? */
export const isTenantOf = (tenants: TenantIssuer, issuer: string): boolean => {
  const tenant = URL.canParse(issuer) ? new URL(issuer).pathname.split("/")[1] : undefined
  return issuerOfTenant(tenants, tenant) === issuer
}

/** The pages of Salesforce where users of every organization sign in: of production, and of sandboxes. */
const salesforce: ReadonlySet<string> = new Set(["https://login.salesforce.com", "https://test.salesforce.com"])

/** The My Domain address of an organisation, which only Salesforce gives away. */
const organisation = /^https:\/\/[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})?\.my\.salesforce\.com$/

/**
 * The organisation that issued a token, when `issuer` is where people of every organisation sign in and the subject is an
 * identity of that issuer: its own keys sign the token. `undefined` for every other token.
 */
export const issuingOrganisation = (
  issuer: string | undefined,
  { iss, sub }: Readonly<Record<string, unknown>>
): string | undefined =>
  issuer !== undefined &&
  salesforce.has(issuer) &&
  typeof iss === "string" &&
  organisation.test(iss) &&
  typeof sub === "string" &&
  sub.startsWith(`${issuer}/id/`)
    ? iss
    : undefined

/** The name that Apple adds to the first answer. */
export interface AppleUser {
  readonly name: { readonly firstName?: string; readonly lastName?: string }
}

const nameMember = (name: Readonly<Record<string, unknown>>, member: string): string | undefined => {
  const value = Object.hasOwn(name, member) ? name[member] : undefined
  const text = typeof value === "string" ? toLine(value.replace(/[<>]/g, ""), longest.label).trim() : ""
  return text === "" ? undefined : text
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
  const firstName = nameMember(name, "firstName")
  const lastName = nameMember(name, "lastName")
  return firstName === undefined && lastName === undefined
    ? undefined
    : {
        name: {
          ...(firstName === undefined ? {} : { firstName }),
          ...(lastName === undefined ? {} : { lastName })
        }
      }
}
