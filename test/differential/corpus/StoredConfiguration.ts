/**
 * Refusals at the start for lack of storage. The scenarios with email and WebAuthn providers come
 * last: what one configuration needs may be asked of those after it in the same process.
 */
import type { Config } from "../Implementation.ts"
import type { Kit, PlannedStep, Scenario } from "../Scenario.ts"
import { email } from "./EmailLinks.ts"
import { everybody, stored } from "./People.ts"
import { bare, type Fields, get, oauth, type Options, password, scenario } from "./Table.ts"

const group = "stored-configuration"

const requests: ReadonlyArray<PlannedStep> = [get("/auth/session"), get("/auth/signin"), bare("/auth/signout")]

const play = (
  name: string,
  config: (kit: Kit) => Config,
  steps: ReadonlyArray<PlannedStep> = requests,
  options: Options = {}
): Scenario =>
  scenario(group, name, steps, { seed: everybody(), ...options, config: (kit) => stored(kit, config(kit)) })

const sessionMethods = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "linkAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession"
]

const emailMethods = ["createVerificationToken", "useVerificationToken", "getUserByEmail"]

const keyMethods = [
  "createUser",
  "getUser",
  "linkAccount",
  "getAccount",
  "getAuthenticator",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter"
]

const lacking = (kit: Kit, ...lacks: ReadonlyArray<string>) => kit.store.adapter({ lacks })

/** A WebAuthn provider as the presets of either side make it, without what only a ceremony needs. */
const key = (more: Fields = {}): Fields => ({
  id: "webauthn",
  name: "WebAuthn",
  type: "webauthn",
  enableConditionalUI: true,
  timeout: 300_000,
  formFields: { email: { label: "Email", required: true, autocomplete: "username webauthn" } },
  simpleWebAuthnBrowserVersion: "v9.0.1",
  authenticationOptions: { timeout: 300_000 },
  registrationOptions: { timeout: 300_000 },
  getUserInfo: () => null,
  ...more
})

const keys =
  (...providers: ReadonlyArray<Fields>) =>
  (kit: Kit): Config => ({ providers: [oauth(kit), ...providers], experimental: { enableWebAuthn: true } })

const json = [get("/auth/session")]

/** The scenarios. */
export const storedConfigurations: ReadonlyArray<Scenario> = [
  play("a whole adapter", () => ({})),
  play("a whole adapter, tokens", () => ({ session: { strategy: "jwt" } })),
  ...[null, undefined].map((adapter) => play(`adapter ${String(adapter)}`, () => ({ adapter }))),
  play("database sessions, adapter undefined", () => ({ adapter: undefined, session: { strategy: "database" } })),
  play("database sessions, an empty adapter", () => ({ adapter: {} })),
  ...sessionMethods.map((method) => play(`an adapter without ${method}`, (kit) => ({ adapter: lacking(kit, method) }))),
  ...sessionMethods.map((method) =>
    play(`an adapter without ${method}, tokens`, (kit) => ({
      adapter: lacking(kit, method),
      session: { strategy: "jwt" }
    }))
  ),
  play("a strategy that is none", () => ({ session: { strategy: "cookie" } })),
  play("an adapter that lacks what is never called", (kit) => ({
    adapter: lacking(
      kit,
      "deleteUser",
      "unlinkAccount",
      ...keyMethods.slice(3),
      "createVerificationToken",
      "useVerificationToken"
    )
  })),
  play("credentials beside others, database sessions", () => ({ session: { strategy: "database" } })),
  play("credentials alone, tokens", (kit) => ({ providers: [password(kit)], session: { strategy: "jwt" } })),
  play("credentials alone, the strategy of the adapter", (kit) => ({ providers: [password(kit)] })),
  play("credentials alone, database sessions", (kit) => ({
    providers: [password(kit)],
    session: { strategy: "database" }
  })),
  play("credentials without authorize", (kit) => ({ providers: [password(kit, { authorize: undefined })] })),
  play("email without an adapter", (kit) => ({ providers: [email(kit)], adapter: undefined })),
  play("email without an adapter, tokens", (kit) => ({
    providers: [email(kit)],
    adapter: undefined,
    session: { strategy: "jwt" }
  })),
  play("email", (kit) => ({ providers: [email(kit), oauth(kit)] })),
  ...emailMethods.map((method) =>
    play(`email, an adapter without ${method}`, (kit) => ({ providers: [email(kit)], adapter: lacking(kit, method) }))
  ),
  ...["createUser", "updateUser", "createSession"].map((method) =>
    play(`email, an adapter that lacks ${method}`, (kit) => ({
      providers: [email(kit)],
      adapter: lacking(kit, method)
    }))
  ),
  play("WebAuthn", keys(key()), json),
  play("WebAuthn without the experiment", (kit) => ({ providers: [oauth(kit), key()] })),
  play("WebAuthn with the experiment off", (kit) => ({
    providers: [oauth(kit), key()],
    experimental: { enableWebAuthn: false }
  })),
  play("WebAuthn without an adapter", (kit) => ({ ...keys(key())(kit), adapter: undefined })),
  ...keyMethods.map((method) =>
    play(`WebAuthn, an adapter without ${method}`, (kit) => ({ ...keys(key())(kit), adapter: lacking(kit, method) }))
  ),
  play("WebAuthn twice on one page", keys(key(), key({ id: "passkey" }))),
  play("WebAuthn twice, one on the page", keys(key(), key({ id: "passkey", enableConditionalUI: false })), json),
  play("WebAuthn without a field that says so", keys(key({ formFields: { email: { label: "Email" } } }))),
  play("WebAuthn without fields", keys(key({ formFields: {} }))),
  play("WebAuthn with a version that is none", keys(key({ simpleWebAuthnBrowserVersion: "latest" }))),
  play("WebAuthn without a version", keys(key({ simpleWebAuthnBrowserVersion: false })), json)
]
