/**
 * The modules of the OpenID Foundation's conformance suite for relying parties, by the names of its plans, and what each
 * expects of a client (https://gitlab.com/openid/conformance-suite, https://openid.net/certification/connect_rp_testing).
 *
 * A module is run here when what it asks can be asked of this library. One that is not run says why.
 */
import { logoutParameters, type Outcome } from "./Journeys.ts"
import { type Endpoint, type Part, requestsTo } from "./Site.ts"

/** The suite's expectation of a client: to go on to the end, to stop, or either of both. */
export type Expected = "signs in" | "refreshes" | "signs out" | "refuses" | "signs in or refuses"

/** A module that is run. */
export interface Run {
  readonly module: string
  /** The goal of the person, or of the application. */
  readonly does: "signs in" | "refreshes" | "signs out"
  readonly expected: Expected
  readonly part: Part
  /** The last endpoint that a client may ask when it refuses. */
  readonly lastAsked?: Endpoint
  /** Further checks of the suite. */
  readonly also?: (outcome: Outcome) => boolean
}

/** A module that is not run, and why. */
export interface NotCovered {
  readonly module: string
  readonly reason: string
}

/** A plan of the suite. */
export interface Plan {
  readonly name: string
  readonly modules: ReadonlyArray<Run | NotCovered>
}

const goesOn = (module: string, part: Part, also?: Run["also"]): Run => ({
  module,
  does: "signs in",
  expected: "signs in",
  part,
  ...(also === undefined ? {} : { also })
})

const stops = (
  module: string,
  dial: NonNullable<Part["dials"]>[number],
  lastAsked: Endpoint,
  part: Part = {}
): Run => ({ module, does: "signs in", expected: "refuses", part: { ...part, dials: [dial] }, lastAsked })

const notCovered = (reason: string, ...modules: ReadonlyArray<string>): ReadonlyArray<NotCovered> =>
  modules.map((module) => ({ module, reason }))

/** The keys are asked for before a token is checked. */
const token = "keys"

const isBasic = (outcome: Outcome): boolean =>
  requestsTo(outcome, "token").some(({ headers }) => headers["authorization"]?.startsWith("Basic ") === true)

const isBearer = (outcome: Outcome): boolean =>
  requestsTo(outcome, "userinfo").every(
    ({ headers, url }) => headers["authorization"]?.startsWith("Bearer ") === true && !url.includes("access_token")
  )

/** Was an address asked for, and taken from userinfo? */
const hasClaims = (outcome: Outcome): boolean =>
  outcome.email === "ada@example.com" &&
  requestsTo(outcome, "authorization").some(({ url }) =>
    new URL(url).searchParams.get("scope")?.split(" ").includes("email")
  )

const unsigned: Run = {
  module: "oidcc-client-test-idtoken-sig-none",
  does: "signs in",
  expected: "signs in or refuses",
  part: { dials: ["unsignedToken"] },
  lastAsked: token
}

const basic: ReadonlyArray<Run> = [
  goesOn("oidcc-client-test", {}),
  stops("oidcc-client-test-invalid-iss", "wrongIssuer", token),
  stops("oidcc-client-test-missing-sub", "missingSubject", token),
  stops("oidcc-client-test-invalid-aud", "wrongAudience", token),
  stops("oidcc-client-test-missing-iat", "missingIssueTime", token),
  goesOn("oidcc-client-test-kid-absent-single-jwks", { dials: ["keyWithoutName"] }),
  {
    module: "oidcc-client-test-kid-absent-multiple-jwks",
    does: "signs in",
    expected: "signs in or refuses",
    part: { dials: ["keysWithoutNames"] },
    lastAsked: token
  },
  goesOn("oidcc-client-test-idtoken-sig-rs256", { algorithm: "RS256" }),
  unsigned,
  stops("oidcc-client-test-invalid-sig-rs256", "wrongSignature", token),
  stops("oidcc-client-test-userinfo-invalid-sub", "userinfoOtherSubject", "userinfo"),
  stops("oidcc-client-test-nonce-invalid", "wrongNonce", token),
  goesOn("oidcc-client-test-scope-userinfo-claims", {}, hasClaims),
  goesOn("oidcc-client-test-client-secret-basic", {}, isBasic)
]

const rotated: ReadonlyArray<Run> = [
  goesOn("oidcc-client-test-signing-key-rotation-just-before-signing", { rotation: "before the token is signed" }),
  goesOn("oidcc-client-test-signing-key-rotation", { rotation: "before the sign-in" })
]

const discovered: ReadonlyArray<Run> = [
  goesOn("oidcc-client-test-discovery-openid-config", {}, (outcome) => requestsTo(outcome, "discovery").length === 1),
  goesOn("oidcc-client-test-discovery-jwks-uri-keys", {}, (outcome) => requestsTo(outcome, "keys").length === 1),
  stops("oidcc-client-test-discovery-issuer-mismatch", "discoveryWrongIssuer", "discovery")
]

const refreshing = (module: string, expected: "refreshes" | "refuses", refreshed: Part["refreshed"] = {}): Run => ({
  module: `oidcc-client-test-refresh-token${module}`,
  does: "refreshes",
  expected,
  part: { refreshed },
  lastAsked: token
})

const refreshes: ReadonlyArray<Run> = [
  refreshing("", "refreshes"),
  refreshing("-invalid-issuer", "refuses", { iss: "https://elsewhere.test" }),
  refreshing("-invalid-sub", "refuses", { sub: "grace" })
]

/** The request has what the provider needs to know who signs out and where to, and the browser comes back there. */
const comesBackTo =
  (path: string) =>
  (outcome: Outcome): boolean =>
    outcome.landing === `https://app.example${path}` &&
    ["id_token_hint", "post_logout_redirect_uri", "state"].every((name) => logoutParameters(outcome).has(name))

const loggingOut = (
  module: string,
  expected: "signs out" | "refuses",
  logout: NonNullable<Part["logout"]>,
  path: string
): Run => ({
  module: `oidcc-client-test-rp-${module}`,
  does: "signs out",
  expected,
  part: { logout },
  also: comesBackTo(path)
})

/** Without its state, the return is that of no logout here: the browser goes to the start page. */
const logouts: ReadonlyArray<Run> = [
  loggingOut("init-logout", "signs out", {}, "/goodbye"),
  loggingOut("init-logout-other-state", "signs out", { state: "other" }, ""),
  loggingOut("init-logout-no-state", "signs out", { state: "none" }, "")
]

type Claims = Readonly<Record<string, unknown>>

const backChannel = (module: string, expected: "signs out" | "refuses", claims: Claims, algorithm?: "none" | "ES256") =>
  loggingOut(`backchannel-rpinitlogout${module}`, expected, { token: { claims, algorithm } }, "/goodbye")

const logoutTokens: ReadonlyArray<Run> = [
  backChannel("", "signs out", {}),
  backChannel("-alg-none", "refuses", {}, "none"),
  backChannel("-no-event", "refuses", { events: undefined }),
  backChannel("-with-nonce", "refuses", { nonce: "nonce" }),
  backChannel("-wrong-alg", "refuses", {}, "ES256"),
  backChannel("-wrong-aud", "refuses", { aud: "another-client" }),
  backChannel("-wrong-event", "refuses", { events: { "http://schemas.openid.net/event/another": {} } }),
  backChannel("-wrong-iss", "refuses", { iss: "https://elsewhere.test" })
]

const codeFlowOnly =
  "only the code flow is supported: RFC 9700 section 2.1.2 advises against responses that put tokens into addresses"

const fapi = (name: string) => `fapi2-security-profile-final-client-test-${name}`

/** Requests are pushed, and tokens are bound to a key. */
const fapiHappyPaths: ReadonlyArray<Run> = [
  goesOn(fapi("happy-path"), { profile: { nonce: true, challenge: false } }),
  goesOn(fapi("happy-path-no-dpop-nonce"), { profile: { nonce: false, challenge: false } }),
  goesOn(fapi("rs-dpop-auth-scheme-case-insensitivity"), { profile: { nonce: true, challenge: true } })
]

/** The checks of tokens and answers alone: requests are not pushed, and tokens are not bound to their sender. */
const fapiChecks: ReadonlyArray<Run> = [
  stops(fapi("discovery-issuer-mismatch"), "discoveryWrongIssuer", "discovery"),
  stops(fapi("invalid-iss"), "wrongIssuer", token),
  stops(fapi("invalid-aud"), "wrongAudience", token),
  stops(fapi("invalid-secondary-aud"), "manyAudiences", token),
  stops(fapi("invalid-null-alg"), "unsignedToken", token),
  {
    module: fapi("invalid-alternate-alg"),
    does: "signs in",
    expected: "refuses",
    part: { algorithm: "RS256", expectedAlgorithm: "ES256" },
    lastAsked: token
  },
  stops(fapi("invalid-expired-exp"), "expiredToken", token),
  stops(fapi("invalid-missing-exp"), "missingExpiry", token),
  stops(fapi("invalid-missing-aud"), "missingAudience", token),
  stops(fapi("invalid-missing-iss"), "missingIssuer", token),
  goesOn(fapi("valid-aud-as-array"), { dials: ["listedAudience"] }),
  stops(fapi("invalid-nonce"), "wrongNonce", token),
  stops(fapi("invalid-missing-nonce"), "missingNonce", token),
  stops(fapi("invalid-authorization-response-iss"), "wrongIss", "authorization"),
  stops(fapi("remove-authorization-response-iss"), "missingIss", "authorization"),
  stops(fapi("ensure-authorization-response-with-invalid-state-fails"), "wrongState", "authorization"),
  stops(fapi("ensure-authorization-response-with-invalid-missing-state-fails"), "missingState", "authorization"),
  goesOn(fapi("token-endpoint-response-without-expires_in"), { dials: ["tokenWithoutLifetime"] }),
  goesOn(fapi("token-type-case-insensitivity"), { dials: ["tokenCareless"] })
]

/** Every plan for relying parties that has to do with what this library does. */
export const plans: ReadonlyArray<Plan> = [
  { name: "oidcc-client-basic-certification-test-plan", modules: basic },
  {
    name: "oidcc-client-formpost-basic-certification-test-plan",
    modules: basic.map((row) => ({ ...row, part: { ...row.part, formPost: true } }))
  },
  { name: "oidcc-client-config-certification-test-plan", modules: [...discovered, unsigned, ...rotated] },
  {
    name: "oidcc-client-dynamic-certification-test-plan",
    modules: [
      ...discovered,
      unsigned,
      ...rotated,
      goesOn("oidcc-client-test-userinfo-signed", { signedUserinfo: true }),
      ...notCovered(
        "the issuer is configured, not looked up by an address of a person (WebFinger)",
        "oidcc-client-test-discovery-webfinger-acct",
        "oidcc-client-test-discovery-webfinger-url"
      ),
      ...notCovered("clients are registered by people, not by the library", "oidcc-client-test-dynamic-registration"),
      ...notCovered(
        "request objects are not supported",
        "oidcc-client-test-request-uri-signed-rs256",
        "oidcc-client-test-request-uri-signed-none"
      )
    ]
  },
  {
    name: "oidcc-client-test-plan",
    modules: [
      stops("oidcc-client-test-missing-aud", "missingAudience", token),
      goesOn("oidcc-client-test-idtoken-sig-es256", { algorithm: "ES256" }),
      stops("oidcc-client-test-invalid-sig-es256", "wrongSignature", token, { algorithm: "ES256" }),
      goesOn("oidcc-client-test-userinfo-bearer-header", {}, isBearer),
      ...notCovered(
        "an access token travels in the header alone (RFC 6750 section 2.2 advises against bodies)",
        "oidcc-client-test-userinfo-bearer-body"
      ),
      goesOn("oidcc-client-test-idtoken-sig-hs256", { signedBySecret: "right" }),
      {
        module: "oidcc-client-test-invalid-sig-hs256",
        does: "signs in",
        expected: "refuses",
        part: { signedBySecret: "wrong" },
        lastAsked: token
      },
      ...notCovered(
        "claims of other sources are handed to the application as they came",
        "oidcc-client-test-aggregated-claims",
        "oidcc-client-test-distributed-claims"
      )
    ]
  },
  { name: "oidcc-client-refreshtoken-test-plan", modules: refreshes },
  { name: "oidcc-client-rp-initiated-logout-rp-basic", modules: logouts },
  { name: "oidcc-client-back-channel-logout-rp-basic", modules: logoutTokens },
  {
    name: "oidcc-client-front-channel-logout-rp-basic",
    modules: notCovered(
      "browsers block the cookies that a frame of another site needs; the back channel ends sessions",
      "oidcc-client-test-rp-frontchannel-rpinitlogout",
      "oidcc-client-test-rp-frontchannel-opinitlogout"
    )
  },
  {
    name: "oidcc-client-rp-session-management-rp-basic",
    modules: notCovered(
      "no page of the library watches the session at the provider from a frame",
      "oidcc-client-test-session-management"
    )
  },
  {
    name: "oidcc-client-test-3rd-party-init-login-test-plan",
    modules: notCovered(
      "a sign-in begins at the site, by a request that another site cannot send",
      "oidcc-client-test-3rd-party-init-login"
    )
  },
  {
    name: "fapi2-security-profile-final-client-test-plan",
    modules: [
      ...fapiChecks,
      ...fapiHappyPaths,
      ...notCovered(
        "certificates need TLS, which the network of these modules does not have; test/real/MutualTls.test.ts does",
        fapi("happy-path-no-mtls-endpoint-aliases")
      )
    ]
  },
  ...["implicit", "hybrid", "formpost-implicit", "formpost-hybrid"].map((flow) => ({
    name: `oidcc-client-${flow}-certification-test-plan`,
    modules: notCovered(codeFlowOnly, "all modules")
  }))
]
