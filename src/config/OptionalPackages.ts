/**
 * Finds the optional packages that a configuration needs and that are not installed.
 *
 * The runtime is asked while the configuration is compiled, so a missing package is a problem like the others. A bundle, and
 * a runtime that does not say, may still have the package: there the package is loaded in the background, and the log
 * names it when that fails.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { InvalidConfiguration } from "../Errors.ts"
import { isInstalled, isMissing, type OptionalPackage } from "./InstalledPackage.ts"
import type { Mailer } from "../Mailer.ts"
import type { Definition } from "../Provider/internal/Definition.ts"
import { isServer } from "../Provider/internal/EmailMembers.ts"
import type { Members } from "../internal/Merge.ts"
import { membersOf } from "../Provider/internal/ReadProvider.ts"
import type { EmailProvider } from "../Provider/internal/Provider.ts"
import type { Registry } from "../Provider/internal/ReadProvider.ts"

const packageOf = (type: "email" | "webauthn", members: Members): OptionalPackage | undefined => {
  if (type === "webauthn") return "@simplewebauthn/server"
  const { sendVerificationRequest, server, transport } = members
  return transport === "smtp" && isServer(server) && typeof sendVerificationRequest !== "function"
    ? "nodemailer"
    : undefined
}

const loaderOf = (transport: EmailProvider["transport"]) =>
  transport?._tag === "Smtp" ? transport.nodemailer : undefined

/** What npm is asked for: passkeys need one version. */
const versions: { readonly [Name in OptionalPackage]: string } = {
  "@simplewebauthn/server": "@simplewebauthn/server@14",
  nodemailer: "nodemailer"
}

/** The presets by which a bundler finds each package. */
const presets: { readonly [Name in OptionalPackage]: string } = {
  "@simplewebauthn/server": "Passkey() of effect-doorman/providers/passkey",
  nodemailer: "Nodemailer() of effect-doorman/providers/nodemailer"
}

const missing = (subject: string, name: OptionalPackage, at: { readonly field: string; readonly provider?: string }) =>
  new InvalidConfiguration({
    ...at,
    detail: `${subject} needs the package ${name}, which is not installed`,
    fix: `Install it beside this one: npm install ${versions[name]}`
  })

const missingFor = (id: string, name: OptionalPackage): InvalidConfiguration =>
  missing(`Provider "${id}"`, name, { provider: id, field: `providers.${id}` })

/** The runtime did not say whether the package is there, and loading it failed: most often a bundler left it out. */
const notLoaded = (id: string, name: OptionalPackage): InvalidConfiguration =>
  new InvalidConfiguration({
    provider: id,
    field: `providers.${id}`,
    detail: `Provider "${id}" needs the package ${name}, which cannot be loaded`,
    fix: `Install it beside this one: npm install ${versions[name]}. In a bundle, begin with ${presets[name]}, which brings it along`
  })

/**
 * The package that a provider lacks. Nothing is looked for where the provider needs none. `isAbsent` stands for the
 * installed packages in tests.
 *
 * @category constructors
 * @since 0.1.0
 */
export const packageProblems = (
  definition: Definition,
  isAbsent: (name: OptionalPackage) => boolean = isMissing
): ReadonlyArray<InvalidConfiguration> => {
  const { type } = definition
  const name = type === "email" || type === "webauthn" ? packageOf(type, membersOf(definition)) : undefined
  return name !== undefined && isAbsent(name) ? [missingFor(definition.id, name)] : []
}

/**
 * The same for the mailer of the configuration: fails where the package that it sends with is not installed.
 *
 * @category constructors
 * @since 0.1.0
 */
export const withPackage = (
  mailer: Mailer["Service"] | undefined,
  isAbsent: (name: OptionalPackage) => boolean = isMissing
): Result.Result<Mailer["Service"] | undefined, InvalidConfiguration> => {
  const name = mailer?.package
  return name !== undefined && isAbsent(name)
    ? Result.fail(missing("The mailer", name, { field: "mailer" }))
    : Result.succeed(mailer)
}

/**
 * Logs each enabled provider whose package cannot be loaded. Nothing is looked for where no provider needs a package. `has`
 * stands for the installed packages in tests.
 *
 * @category combinators
 * @since 0.1.0
 */
export const logMissingPackages = (
  { get, identities }: Registry,
  has: (name: OptionalPackage, load: () => Promise<unknown>) => Promise<boolean> = isInstalled
): Effect.Effect<void> => {
  const needs = identities.flatMap(({ id, type }) => {
    const provider = type === "webauthn" || type === "email" ? Result.getOrUndefined(get(id)) : undefined
    if (provider?.type !== "email" && provider?.type !== "webauthn") return []
    const name = packageOf(provider.type, provider.source)
    const load = provider.type === "webauthn" ? provider.simpleWebAuthn : loaderOf(provider.transport)
    return name === undefined || load === undefined ? [] : [{ id, load, name }]
  })
  return Effect.forEach(
    needs,
    ({ id, load, name }) =>
      Effect.flatMap(
        Effect.promise(() => has(name, load)),
        (isThere) => (isThere ? Effect.void : Effect.logError(notLoaded(id, name)))
      ),
    { discard: true }
  )
}
