/**
 * A generated run: a flow, its faults, the configuration of the site, and the form of the visitor's requests.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import { allMethods } from "../../src/storage/MethodTable.ts"
import { type FaultName, faults as providerFaults } from "../../src/testing/IdentityProvider.ts"

export const dialNames = Object.keys(providerFaults) as ReadonlyArray<FaultName>

/** Faults besides those of the provider. */
export const faults = [
  "none",
  "dial",
  "token endpoint echoes as JSON",
  "token endpoint echoes as a page",
  "token endpoint breaks with the request",
  "userinfo echoes",
  "metadata echoes",
  "signIn throws",
  "signIn refuses",
  "jwt throws",
  "session throws",
  "redirect throws",
  "authorize throws",
  "authorize refuses",
  "an event throws",
  "a profile throws",
  "encode throws",
  "adapter",
  "mailer",
  "audit"
] as const

export const flows = [
  "provider",
  "provider, twice",
  "provider, another state",
  "provider, another browser",
  "provider, too late",
  "provider, refused",
  "provider, posted",
  "password",
  "password, odd body",
  "password, forged form",
  "password, too often",
  "link",
  "link, wrong token",
  "link, used",
  "link, expired",
  "link, odd address",
  "link, then provider",
  "key",
  "key, bad answer",
  "key, odd address",
  "session, damaged cookie",
  "programs",
  "programs, nobody",
  "procedures",
  "bearer",
  "odd addresses"
] as const

const methods = [...allMethods]

export const Plan = Schema.Struct({
  seed: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_000_000_000 })),
  flow: Schema.Literals(flows),
  fault: Schema.Literals(faults),
  dial: Schema.Literals(dialNames),
  method: Schema.Literals(methods),
  way: Schema.Literals(["rejects", "throws", "fails", "dies"]),
  strategy: Schema.Literals(["jwt", "database"]),
  provider: Schema.Literals(["oidc", "oidc with userinfo", "oauth"]),
  client: Schema.Literals(["basic", "post"]),
  accept: Schema.Literals(["", "*/*", "text/html", "application/json", "application/problem+json"]),
  asJson: Schema.Boolean,
  level: Schema.Literals(["All", "Trace", "Debug", "Info", "Error"]),
  logger: Schema.Literals(["effect", "effect with debug", "option", "option with debug"]),
  access: Schema.Boolean,
  addressAsId: Schema.Boolean
})

export type Plan = typeof Plan.Type

export const plans: Arbitrary.Arbitrary<Plan> = Arbitrary.schema(Plan)

/** A plan in which nothing is odd. */
export const plain: Plan = {
  seed: 1,
  flow: "provider",
  fault: "none",
  dial: "tokenSlow",
  method: "createUser",
  way: "rejects",
  strategy: "jwt",
  provider: "oidc",
  client: "basic",
  accept: "text/html",
  asJson: false,
  level: "All",
  logger: "effect",
  access: true,
  addressAsId: false
}
