/** Passkeys: what is handed out for a ceremony, to whom, and answers that no browser gave. */
import PeerPasskey from "@auth/core/providers/passkey"
import * as nine from "simplewebauthn-server-9"
import type { Config } from "../Implementation.ts"
import type { Kit, PlannedStep, Scenario } from "../Scenario.ts"
import { adasToken, everybody, holding, stored } from "./People.ts"
import { bare, computed, type Fields, get, oauth, type Options, password, post, scenario } from "./Table.ts"

const group = "key"

/** The provider of `@auth/core`, with the functions that it calls. */
const passkey = (more: Fields = {}): Fields => ({
  ...PeerPasskey({}),
  simpleWebAuthn: {
    generateAuthenticationOptions: nine.generateAuthenticationOptions,
    generateRegistrationOptions: nine.generateRegistrationOptions,
    verifyAuthenticationResponse: nine.verifyAuthenticationResponse,
    verifyRegistrationResponse: nine.verifyRegistrationResponse
  },
  ...more
})

const withKeys = (kit: Kit, strategy: string, more: Fields = {}): Config =>
  stored(kit, {
    providers: [passkey(more), oauth(kit), password(kit)],
    experimental: { enableWebAuthn: true },
    session: { strategy }
  })

const presences: ReadonlyArray<readonly [string, "database" | "jwt", Options]> = [
  ["nobody", "database", {}],
  ["Ada", "database", { held: holding(adasToken) }],
  ["a session nobody has", "database", { held: holding("a-token-that-nobody-has") }],
  ["nobody, tokens", "jwt", {}],
  ["Ada, tokens", "jwt", { given: ["session"] }],
  ["a damaged token", "jwt", { given: ["session-tampered"] }],
  ["a token that has ended", "jwt", { given: ["session-expired"] }]
]

const play = (
  name: string,
  steps: ReadonlyArray<PlannedStep>,
  [who, strategy, options]: readonly [string, "database" | "jwt", Options] = ["nobody", "database", {}],
  more: Fields = {}
): Scenario =>
  scenario(group, `${name}, ${who}`, steps, {
    seed: everybody(),
    traits: ["experimental WebAuthn"],
    ...options,
    config: (kit) => withKeys(kit, strategy, more)
  })

const asked: ReadonlyArray<string> = [
  "",
  "?action=authenticate",
  "?action=register",
  "?action=other",
  "?action=",
  "?email=ada@example.com",
  "?email=nobody@example.com",
  "?action=authenticate&email=ada@example.com",
  "?action=authenticate&email=nobody@example.com",
  "?action=register&email=nobody@example.com",
  "?action=register&email=ada@example.com",
  "?action=register&email=no-address",
  "?action=register&action=authenticate"
]

const id = Buffer.from("a-credential-that-nobody-has").toString("base64url")

const clientData = (challenge: string, type: string, origin: string): string =>
  Buffer.from(JSON.stringify({ type, challenge, origin })).toString("base64url")

const answer = (challenge: string, type = "webauthn.get", origin = "http://localhost:3000"): string =>
  JSON.stringify({
    id,
    rawId: id,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: clientData(challenge, type, origin),
      authenticatorData: "AAAA",
      signature: "AAAA",
      attestationObject: "AAAA"
    }
  })

const given: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
  ["nothing", {}],
  ["an action alone", { action: "authenticate" }],
  ["another action", { action: "other", data: answer("x") }],
  ["data that is no JSON", { action: "authenticate", data: "{" }],
  ["data that is null", { action: "authenticate", data: "null" }],
  ["data without an id", { action: "authenticate", data: "{}" }],
  ["data with a number as id", { action: "authenticate", data: '{"id":1}' }],
  ["a key without a ceremony", { action: "authenticate", data: answer("x") }],
  ["a new key without a ceremony", { action: "register", data: answer("x", "webauthn.create") }]
]

/** The challenge of the options that were handed out last. */
const challengeOf = (jsons: ReadonlyArray<unknown>): string => {
  const options: unknown = Reflect.get(Object(jsons.findLast((one) => one !== undefined)), "options")
  return String(Reflect.get(Object(options), "challenge"))
}

const replies: ReadonlyArray<readonly [string, string, (challenge: string) => string]> = [
  ["authenticate", "an unknown key", (challenge) => answer(challenge)],
  [
    "authenticate",
    "an unknown key of another site",
    (challenge) => answer(challenge, "webauthn.get", "https://evil.example")
  ],
  ["authenticate", "another challenge", () => answer("another")],
  ["register", "a statement that is none", (challenge) => answer(challenge, "webauthn.create")],
  ["register", "another challenge", () => answer("another", "webauthn.create")]
]

/** The scenarios. */
export const keyScenarios: ReadonlyArray<Scenario> = [
  ...presences.flatMap((presence) =>
    asked.map((query) => play(`options${query}`, [get(`/auth/webauthn-options/passkey${query}`)], presence))
  ),
  ...["GET", "POST", "PUT", "HEAD", "OPTIONS"].flatMap((method) =>
    [
      "webauthn-options/passkey",
      "webauthn-options/acme",
      "webauthn-options/unknown",
      "webauthn-options",
      "callback/passkey",
      "signin/passkey"
    ].map((path) => play(`${method} ${path}`, [{ make: { method, path: `/auth/${path}` } }]))
  ),
  ...[
    "session",
    "csrf",
    "providers",
    "signin",
    "signin?error=WebAuthnVerificationError",
    "signin?email=a%40example.com",
    "signout",
    "error",
    "verify-request"
  ].map((path) => play(`GET ${path}`, [get(`/auth/${path}`)])),
  play("POST signin/passkey with a token", [get("/auth/csrf"), post("/auth/signin/passkey", { callbackUrl: "/in" })]),
  play("options as JSON", [get("/auth/webauthn-options/passkey", { headers: { "x-auth-return-redirect": "1" } })]),
  play("options of an unknown provider as JSON", [
    get("/auth/webauthn-options/unknown", { headers: { "x-auth-return-redirect": "1" } })
  ]),
  ...given.flatMap(([name, form]) => [
    play(`an answer: ${name}`, [bare("/auth/callback/passkey", { form })]),
    play(`an answer with a token: ${name}`, [get("/auth/csrf"), post("/auth/callback/passkey", form)]),
    play(`an answer in JSON: ${name}`, [bare("/auth/callback/passkey", { json: form })])
  ]),
  ...replies.flatMap(([action, name, make]) =>
    ["nobody@example.com", "ada@example.com"].map((email) =>
      play(`${action}, ${email}: ${name}`, [
        get(`/auth/webauthn-options/passkey?action=${action}&email=${email}`),
        computed(({ jsons }) => ({
          method: "POST",
          path: "/auth/callback/passkey",
          form: { action, data: make(challengeOf(jsons)) }
        })),
        get("/auth/session")
      ])
    )
  )
]
