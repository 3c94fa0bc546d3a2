/**
 * The predicates behind the rows of `docs/compatibility.md`: one per row, by id. A predicate says exactly which
 * differences its row explains; a difference no predicate explains fails the differential tests.
 *
 * Rows about one member of an answer name the aspect. Rows about whole answers (a refusal instead of an action) are told
 * by what both sides answered; they also explain what follows from it in the later steps of the same scenario.
 */
import type { Observation } from "./Observation.ts"
import {
  answers,
  asksForRefused,
  aspect,
  cleared,
  configurationError,
  cookieless,
  cookiesIn,
  type Deviation,
  differBy,
  errorOf,
  failedThere,
  faulty,
  isBack,
  isCheck,
  isReference,
  isTarget,
  isUnknownError,
  json,
  lacksRoom,
  member,
  named,
  ofAnotherSite,
  onlyDiffersIn,
  refusedAtProvider,
  refusedNow,
  row,
  sameUrl,
  sealedClaim,
  sentWithout,
  showsToken,
  starts,
  trait,
  wantsProblem,
  requestedTargets,
  within
} from "./Predicates.ts"

/** The lines for the logger, without those about one provider or one option. */
const logsOfTheRest = ({ logs }: Observation): ReadonlyArray<string> =>
  logs.filter((line) => line !== "error InvalidConfiguration")

/** Mistakes that stop Auth.js altogether, and one provider here. */
const partErrors = [
  "error InvalidEndpoints",
  "error MissingAuthorize",
  "error MissingAdapter",
  "error MissingAdapterMethods",
  "error ExperimentalFeatureNotEnabled",
  "error DuplicateConditionalUI",
  "error MissingWebAuthnAutocomplete",
  // A version of the script that is none.
  "error AuthError"
]

/** Every deviation, in the order of the document. */
export const deviations: ReadonlyArray<Deviation> = [
  // Headers of every answer
  row(
    "headers/no-store",
    (d) => d.kind === "extra" && aspect(d, "header.cache-control", "header.expires", "header.pragma")
  ),
  row("headers/vary", (d) => aspect(d, "header.vary") && d.kind === "extra" && d.ours === "Cookie"),
  row("headers/nosniff", (d) => aspect(d, "header.x-content-type-options") && d.ours === "nosniff"),
  row("headers/referrer-policy", (d) => aspect(d, "header.referrer-policy") && d.kind === "extra"),
  row(
    "headers/request-id",
    (d, { ours }) =>
      d.kind === "extra" &&
      isReference(d.ours) &&
      ((aspect(d, "header.x-request-id") && ours.location === undefined) ||
        (aspect(d, "location.query.request_id", "body.url.query.request_id") && errorOf(ours) !== undefined))
  ),
  // Pages
  row(
    "pages/security-headers",
    (d, { ours }) =>
      ours.page !== undefined &&
      d.kind === "extra" &&
      aspect(
        d,
        "header.content-security-policy",
        "header.x-frame-options",
        "header.permissions-policy",
        "header.cross-origin-opener-policy",
        "header.cross-origin-resource-policy"
      )
  ),
  row(
    "pages/charset",
    (d) => aspect(d, "header.content-type") && d.peer === "text/html" && d.ours === "text/html; charset=utf-8"
  ),
  row("pages/design", (d) => aspect(d, "page.title", "page.links")),
  row(
    "pages/callback-url-field",
    (d) =>
      (aspect(d, "page.form.fields") && differBy(d, "callbackUrl:hidden")) ||
      (aspect(d, "page.form.value.callbackUrl") && d.kind === "extra")
  ),
  row(
    "pages/callback-url-checked",
    (d, { url }) =>
      aspect(d, "page.form.value.callbackUrl") &&
      url.searchParams.has("callbackUrl") &&
      String(d.ours).startsWith(url.origin)
  ),
  row(
    "pages/query-is-no-input",
    (d, { url }) => aspect(d, "page.form.value.csrfToken") && url.searchParams.has("csrfToken") && d.ours === "<csrf>"
  ),
  row(
    "pages/sign-out-action",
    (d, { url }) => aspect(d, "page.form.action") && d.ours === `${url.origin}${url.pathname}`
  ),
  row("pages/no-token-when-unprotected", (d, { peer, url }) => {
    const given = ["", url.searchParams.get("csrfToken")]
    return (
      (aspect(d, "page.form.fields") &&
        !json(d.ours).includes("csrfToken") &&
        peer.page?.forms.every((form) => given.includes(form.values["csrfToken"] ?? "none")) === true) ||
      (aspect(d, "page.form.value.csrfToken") && d.kind === "absent" && given.includes(String(d.peer)))
    )
  }),
  // Routing and bodies
  row(
    "routing/not-found",
    (d, place) =>
      answers(place, undefined, 400) &&
      (place.ours.body === "Bad request." || place.ours.body === null) &&
      (place.peer.status !== 400 ||
        (aspect(d, "body") && place.ours.body === null && /session/.test(place.url.pathname)))
  ),
  row(
    "routing/method",
    (_, place) =>
      answers(place, undefined, 405) ||
      (place.method === "HEAD" && place.action === "callback" && errorOf(place.ours) === "Configuration")
  ),
  row("routing/raw-unknown", (_, place) => place.scenario.group === "raw" && place.ours.thrown === "UnknownAction"),
  row("body/too-large", (_, place) => answers(place, undefined, 413)),
  row("body/type", (_, place) => answers(place, undefined, 415)),
  row("body/type-name", (_, { headers, method }) => {
    const type = headers["content-type"]
    return method === "POST" && type !== undefined && type !== type.toLowerCase()
  }),
  row("body/malformed", (_, place) => answers(place, undefined, 400) && json(place.ours.body).startsWith('{"message"')),
  row("body/empty", (_, place) => named(place, "body: JSON empty") && errorOf(place.ours) === "MissingCSRF"),
  // Cross-site request forgery
  row(
    "csrf/bound-to-session",
    (d, place) =>
      (within(place, 2, "csrf: token of before the sign-in") && errorOf(place.ours) === "MissingCSRF") ||
      (place.step > 0 && aspect(d, "cookie.csrf-token", "cookie.xsrf") && d.kind === "extra" && showsToken(place)) ||
      (aspect(d, "callback.order") && differBy(d, "decode"))
  ),
  row(
    "csrf/cookie-with-token",
    (d, place) =>
      aspect(d, "cookie.csrf-token", "cookie.xsrf") &&
      d.kind === "absent" &&
      (!(showsToken(place) && place.ours.status === 200 && place.ours.location === undefined) ||
        place.earlier.some((before) => before.aspect === d.aspect && before.kind === "extra"))
  ),
  row(
    "csrf/other-site",
    (_, place) =>
      place.method === "POST" &&
      ofAnotherSite(place) &&
      place.ours.calls.every(({ name }) => name === "decode") &&
      json(place.ours.logs.filter((line) => !line.startsWith("warn "))) === '["error MissingCSRF"]'
  ),
  row("csrf/marker-of-any-copy", (_, place) => named(place, "csrf: the marker of another copy")),
  // Where to go afterwards
  row(
    "callback-url/hostile",
    (_, { action, ours, peer }) =>
      peer.logs.includes("error InvalidCallbackUrl") && ((ours.status ?? 500) < 500 || action === "error")
  ),
  row(
    "callback-url/post-only",
    (d, place) =>
      aspect(d, "cookie.callback-url", "cookie.back") &&
      (place.method === "GET" || place.action === "session"
        ? d.kind === "absent"
        : d.kind === "extra" && place.earlier.some((before) => before.aspect === d.aspect && before.kind === "absent"))
  ),
  row(
    "callback-url/from-the-form",
    (d, place) =>
      (named(place, "visit: wrong password first") || /^(?:generated|wide)/.test(place.scenario.group)) &&
      isTarget(d) &&
      place.earlier.some((before) => /^cookie\.(?:callback-url|back)(?:\.value)?$/.test(before.aspect))
  ),
  row(
    "callback-url/canonical",
    (d) =>
      aspect(d, "cookie.callback-url.value", "page.form.value.callbackUrl", "callback.redirect.url") &&
      sameUrl(d.peer, d.ours)
  ),
  row(
    "callback-url/refused",
    (d, place) =>
      asksForRefused(place) && (isTarget(d) || (json(place.peer.logs) === '["error TypeError"]' && failedThere(place)))
  ),
  row(
    "callback-url/two-targets",
    (d, place) =>
      requestedTargets(place).size > 1 &&
      (aspect(d, "location.target", "body.url.target", "page.form.value.callbackUrl", "callback.order") ||
        starts(d, "cookie.callback-url", "callback.redirect"))
  ),
  row(
    "callback-url/room",
    (d, place) => lacksRoom(place) && (starts(d, "cookie.callback-url") || aspect(d, "page.form.value.callbackUrl"))
  ),
  row("callback-url/redirect-callback-when-needed", (d) => aspect(d, "callback.order") && differBy(d, "redirect")),
  row(
    "callback-url/redirect-callback-always",
    (d, place) =>
      trait(place, "redirect callback", "redirect callback to another site") &&
      requestedTargets(place).size === 0 &&
      (isTarget(d) || aspect(d, "callback.redirect.url"))
  ),
  row("callback-url/redirect-callback-fails", (_, place) => trait(place, "redirect callback throws")),
  row(
    "callback-url/redirect-callback-absolute",
    (d, place) =>
      (trait(place, "redirect callback answers a path") && isTarget(d)) ||
      (trait(place, "redirect callback that obeys") && isTarget(d) && d.ours === `${place.url.origin}${String(d.peer)}`)
  ),
  // Custom pages
  row("custom-pages/own-query", (d, place) => trait(place, "pages with a query of their own") && starts(d, "location")),
  row(
    "custom-pages/error-encoded",
    (d, place) =>
      (starts(d, "location.query", "body.url.query.error") &&
        (place.action === "error" || place.action === "signin") &&
        isUnknownError(d)) ||
      (starts(d, "location.query") && named(place, "custom-page: error?error=a%26b"))
  ),
  row(
    "custom-pages/absolute",
    (d, place) =>
      (aspect(d, "location.target", "body.url.target") && d.ours === `${place.url.origin}${String(d.peer)}`) ||
      (trait(place, "own pages elsewhere") && place.peer.thrown === "TypeError" && aspect(d, "kind", "thrown")) ||
      (trait(place, "own pages elsewhere") &&
        (place.peer.thrown === "TypeError" || aspect(d, "location", "location.target") || starts(d, "body.url.")) &&
        String(place.ours.location?.target).startsWith("https://login.example/"))
  ),
  row(
    "custom-pages/code",
    (d, place) =>
      aspect(d, "location.query.code") &&
      d.kind === "extra" &&
      place.action === "signin" &&
      d.ours === place.url.searchParams.get("code")
  ),
  // Answers as JSON and raw answers
  row(
    "json-answer/location-of-errors",
    (d, place) =>
      aspect(d, "location") &&
      d.kind === "extra" &&
      errorOf(place.ours) === errorOf(place.peer) &&
      place.peer.status === 200
  ),
  row(
    "json-answer/problem",
    (d, place) =>
      wantsProblem(place) &&
      place.ours.headers["content-type"] === "application/problem+json" &&
      (starts(d, "header.", "location", "body") ||
        aspect(d, "status", "page") ||
        (starts(d, "cookie.") && cookieless(d)))
  ),
  row(
    "raw/status",
    (d, place) => place.ours.kind === "raw" && aspect(d, "status") && d.kind === "extra" && d.ours === 200
  ),
  row("raw/page-headers", (d, place) => named(place, "raw: GET signin") && starts(d, "header.") && d.kind === "extra"),
  // Configuration
  row(
    "configuration/refused-early",
    (_, place) =>
      named(place, "page: two providers with one id", "stored-configuration: a strategy that is none") &&
      place.ours.logs.includes("error InvalidConfiguration") &&
      (place.ours.status === 500 || errorOf(place.ours) === "Configuration")
  ),
  row(
    "configuration/trust-unset",
    (_, place) =>
      place.scenario.name.startsWith("broken-configuration: host trust unset") &&
      place.peer.logs.includes("error UntrustedHost") &&
      !place.ours.logs.includes("error UntrustedHost")
  ),
  row(
    "configuration/one-part",
    (d, place) =>
      (aspect(d, "logs") && json(logsOfTheRest(place.ours)) === json(place.peer.logs)) ||
      (["broken-configuration", "stored-configuration"].includes(place.scenario.group) &&
        place.ours.status !== 500 &&
        partErrors.some((line) => place.peer.logs.includes(line))) ||
      (named(place, "callback: oauth, unsupported client authentication") && isTarget(d)) ||
      (named(
        place,
        "sign-in-start: oauth, redirect proxy that is no URL",
        "sign-in-start: oauth, no client id",
        "callback: oauth, unsupported client authentication"
      ) &&
        place.ours.logs.includes("error InvalidConfiguration") &&
        errorOf(place.ours) === "Configuration")
  ),
  row(
    "configuration/adapter",
    (d, place) =>
      (trait(place, "adapter beside the jwt strategy") || place.scenario.group === "stored-configuration") &&
      place.ours.logs.includes("error MissingAdapterMethods") &&
      (aspect(d, "logs") ||
        ((place.ours.status === 500 || errorOf(place.ours) === "Configuration") && place.peer.status !== 500))
  ),
  row(
    "configuration/credentials-and-database",
    (d, place) =>
      (place.scenario.name.startsWith("broken-configuration: credentials with database sessions") &&
        aspect(d, "logs") &&
        json(d.ours) === '["error MissingAdapter"]') ||
      (named(place, "stored-configuration: credentials alone, database sessions") &&
        place.peer.logs.includes("error UnsupportedStrategy") &&
        place.ours.status !== 500)
  ),
  row(
    "configuration/debug-warning",
    (d, place) =>
      aspect(d, "logs") &&
      ((trait(place, "debug") && differBy(d, "warn debug-enabled")) ||
        (trait(place, "experimental WebAuthn") && differBy(d, "warn experimental-webauthn")) ||
        (place.scenario.group === "stored-configuration" && differBy(d, "warn experimental-webauthn")))
  ),
  row("configuration/weak-secret", (_, place) => place.ours.logs.includes("error WeakSecret")),
  row(
    "configuration/signed-out",
    (d, { ours, peer }) =>
      peer.status === 500 &&
      (ours.status === 500 || errorOf(ours) === "Configuration") &&
      (aspect(d, "status", "header.content-type") || starts(d, "body", "location"))
  ),
  // Sign-in at a provider
  row("flow/cookie", (d) => aspect(d, "cookie.flow")),
  row(
    "flow/opaque-state",
    (d) =>
      aspect(d, "location.query.state", "body.url.query.state") && d.peer === "<sealed state>" && d.ours === "<state>"
  ),
  row(
    "flow/state-always",
    (d) => aspect(d, "location.query.state", "body.url.query.state", "cookie.state") && d.kind === "extra"
  ),
  row(
    "flow/nonce-always",
    (d) =>
      (aspect(d, "location.query.nonce", "body.url.query.nonce", "cookie.nonce") && d.kind === "extra") ||
      (starts(d, "callback.", "event.") && onlyDiffersIn(d, "nonce"))
  ),
  row(
    "sign-out/every-variant",
    (d) =>
      aspect(d, "cookie.session-token", "cookie.sid") &&
      cleared(d.peer) &&
      cleared(d.ours) &&
      cookiesIn(d.ours).length > cookiesIn(d.peer).length
  ),
  row("flow/one-record", (d) => isCheck(d, "") && d.kind === "absent"),
  row(
    "flow/pkce-always",
    (d) =>
      starts(
        d,
        "location.query.code_challenge",
        "body.url.query.code_challenge",
        "cookie.pkce.code_verifier",
        "outbound.form.code_verifier"
      ) && d.kind === "extra"
  ),
  row(
    "flow/configured-parameters",
    (d) => aspect(d, "location.query.scope") && d.peer === "undefined" && d.ours === "openid profile email"
  ),
  row("flow/query-allow-list", (d, place) => {
    const name = d.aspect.replace("location.query.", "")
    return (
      starts(d, "location.query.") &&
      place.action === "signin" &&
      place.url.searchParams.has(name) &&
      d.kind !== "extra"
    )
  }),
  row(
    "flow/start-fails",
    (d, place) =>
      /^OAuthSignin(\/\w+)?$/.test(errorOf(place.ours) ?? "") &&
      configurationError(place.peer) &&
      starts(d, "location", "body.url", "logs")
  ),
  row(
    "flow/refused",
    (d, place) =>
      refusedAtProvider(place) &&
      (errorOf(place.ours) ?? "").startsWith("OAuthCallbackError/flow_") &&
      (starts(d, "location", "body.url", "logs", "outbound", "callback.order", "event.order") ||
        (d.kind === "absent" && (isCheck(d, "") || aspect(d, "cookie.session-token", "cookie.sid"))) ||
        (place.ours.writes.length === 0 && (starts(d, "store.", "stored.") || aspect(d, "lookups", "sequence"))))
  ),
  row(
    "flow/provider-fails",
    (d, place) =>
      refusedAtProvider(place) &&
      (configurationError(place.peer) || errorOf(place.peer) === "OAuthCallbackError") &&
      starts(d, "location", "body.url", "logs", "outbound")
  ),
  row(
    "flow/back-when-signed-in",
    (d, place) => isBack(place) && (starts(d, "location", "body", "logs", "outbound") || place.peer.kind === "thrown")
  ),
  row(
    "flow/ahead-of-time",
    (_, place) =>
      place.action === "callback" && place.headers["purpose"] === "prefetch" && answers(place, undefined, 204)
  ),
  row(
    "callback/discovery-remembered",
    (d) => aspect(d, "outbound.requests") && sentWithout(d.peer, "/.well-known/") === sentWithout(d.ours, "/jwks")
  ),
  row("callback/claims-at-userinfo", (d, place) =>
    aspect(d, "outbound.requests")
      ? place.ours.person?.email === undefined &&
        sentWithout(d.peer, "/.well-known/") === sentWithout(d.ours, "/jwks", "/userinfo")
      : faulty(place, "id-token-thin") && place.step >= 1 && !refusedAtProvider(place)
  ),
  row(
    "callback/discovery-without-userinfo",
    (_, place) => faulty(place, "discovery-no-userinfo") && place.step >= 1 && !refusedAtProvider(place)
  ),
  row(
    "callback/id-token-of-oauth",
    (_, place) => faulty(place, "token-with-id-token") && place.step >= 1 && !refusedAtProvider(place)
  ),
  row(
    "callback/client-certificate",
    (_, place) => named(place, "callback: oauth, client certificate") && place.step >= 1 && !refusedAtProvider(place)
  ),
  row(
    "callback/issuer-unknown",
    (_, place) =>
      named(place, "callback-parameters: right iss", "callback-parameters: other iss") &&
      place.step >= 1 &&
      !refusedAtProvider(place)
  ),
  row(
    "callback/expires-in-clamped",
    (_, place) => faulty(place, "token-expires-negative") && place.step >= 1 && !refusedAtProvider(place)
  ),
  row(
    "callback/profile-fetch",
    (d) =>
      aspect(d, "callback.profile") &&
      json(d.ours) === json([...(Array.isArray(d.peer) ? d.peer : []), { fetch: "<function>" }])
  ),
  row("id-token/signature", (_, place) => faulty(place, "id-token-bad-signature") && refusedNow(place)),
  row("id-token/audience", (_, place) => faulty(place, "id-token-two-audiences-azp") && refusedNow(place)),
  row("userinfo/status", (_, place) => faulty(place, "userinfo-401") && refusedNow(place)),
  row(
    "userinfo/account-id",
    (d) =>
      d.aspect.endsWith(".account") &&
      member(d.peer, "providerAccountId") === "<uuid>" &&
      onlyDiffersIn(d, "providerAccountId")
  ),
  row(
    "userinfo/subject",
    (d, place) =>
      ((faulty(place, "userinfo-empty", "userinfo-array", "userinfo-null", "userinfo-object-id") ||
        named(
          place,
          "callback: oauth, own userinfo request answers nothing",
          "callback: oauth, profile throws",
          "callback: oauth, profile answers null"
        )) &&
        refusedNow(place)) ||
      (faulty(place, "userinfo-numeric-id") &&
        d.aspect.endsWith(".account") &&
        json(d.peer).replace(":4711", ':"4711"') === json(d.ours))
  ),
  // Sessions
  row(
    "session/exp-required",
    (_, place) =>
      place.scenario.given.includes("session-without-exp") &&
      place.ours.calls.length === 0 &&
      place.ours.events.length === 0
  ),
  row(
    "session/a256gcm",
    (_, place) =>
      place.scenario.given.includes("session-a256gcm") && /JWTSessionError|SignOutError/.test(json(place.ours.logs))
  ),
  row(
    "session/chunk-names",
    (d, place) =>
      (place.ours.logs.length === 0 &&
        (place.scenario.given.includes("session-chunks-and-plain") ||
          place.scenario.given.includes("session-similar-name"))) ||
      (place.scenario.given.includes("session-chunk-gap") &&
        aspect(d, "cookie.session-token") &&
        d.kind === "extra" &&
        cleared(d.ours))
  ),
  row(
    "session/callback-fails",
    (_, place) =>
      trait(place, "session callback throws", "session callback answers nothing", "jwt callback throws") &&
      ((place.action === "session" && json(place.ours.logs) === '["error JWTSessionError"]') ||
        (place.action === "signout" &&
          place.earlier.some(
            (before) => before.aspect === "cookie.session-token" && before.kind === "absent" && cleared(before.peer)
          )))
  ),
  row(
    "session/sign-out-without-session",
    (d, place) =>
      place.action === "signout" &&
      json(place.peer.events) === '[{"name":"signOut","args":{"token":null}}]' &&
      place.ours.events.length === 0 &&
      (aspect(d, "event.order") || (aspect(d, "logs") && differBy(d, "error SignOutError")))
  ),
  row(
    "session/too-large",
    (d, place) =>
      (place.scenario.name.includes("long token") || trait(place, "a long token")) &&
      aspect(d, "logs", "alarms") &&
      differBy(d, "error JWTSessionError")
  ),
  row(
    "session/library-claim",
    (d) =>
      /^cookie\.[^.]+(?:\.[^.]+)?\.claim$/.test(d.aspect) &&
      d.kind === "extra" &&
      /^\{(?:"acr":"[^"]*",)?(?:"amr":\[[^\]]*\],)?(?:"at":\d+,)?"sid":"<sid>","v":1\}$/.test(json(d.ours))
  ),
  row("session/browser-cookie", (d) => aspect(d, "cookie.browser") && d.kind === "extra"),
  row("session/encode-fails", (d, place) => trait(place, "own codec that throws") && aspect(d, "logs")),
  row(
    "session/reserved-claims",
    (d) =>
      aspect(d, "callback.jwt.session", "callback.session.newSession") &&
      sealedClaim({ sealed: d.ours }, "sub") === undefined &&
      onlyDiffersIn(d, "sub", "exp", "iat", "nbf", "jti", "iss", "aud")
  ),
  row(
    "session/update-age",
    (d, place) =>
      named(place, "configuration: update age of one hour") &&
      ((place.method === "GET" && aspect(d, "cookie.session-token") && d.kind === "absent" && place.step <= 2) ||
        (place.step === 2 &&
          (aspect(d, "body.expires") ||
            (aspect(d, "callback.session.session", "event.session.session") && onlyDiffersIn(d, "expires")))) ||
        (place.step === 3 &&
          aspect(d, "callback.jwt.token", "callback.session.token", "event.session.token") &&
          onlyDiffersIn(d, "iat", "exp")))
  ),
  // Credentials
  row(
    "credentials/user-without-id",
    (_, place) => trait(place, "authorize answers id zero") && (configurationError(place.ours) || place.step > 0)
  ),
  row("credentials/declared-fields", (d) => aspect(d, "callback.signIn.credentials", "callback.authorize")),
  // Debug lines
  row("logs/debug", (d) => aspect(d, "debugged")),
  row(
    "logs/client-mistakes",
    (d, place) =>
      aspect(d, "logs") &&
      (place.ours.status === 400 ||
        place.ours.status === 404 ||
        errorOf(place.ours) === "Configuration" ||
        place.ours.thrown === "InvalidProvider") &&
      place.ours.logs.every((line) => line.startsWith("warn ")) &&
      ["error UnknownAction", "error Error", "error InvalidProvider", "error MissingAdapter", "error TypeError"].some(
        // The warning beside it is written once a process.
        (line) => differBy(d, line, "warn experimental-webauthn")
      )
  ),
  row("logs/visitors", (d, place) => aspect(d, "alarms") && place.ours.alarms.length < place.peer.alarms.length),
  row("logs/warnings", (d, place) => aspect(d, "advice") && place.peer.advice.length === 0)
]

/**
 * Deviations that can be seen only when one visit is answered by both: the left side of such a difference is the answer
 * without a change of sides.
 */
export const crossings: ReadonlyArray<Deviation> = [
  row(
    "crossing/library-claim",
    (d) =>
      (d.aspect.startsWith("cookie.") && d.aspect.endsWith(".claim")) ||
      (aspect(d, "callback.jwt.token", "callback.session.token", "event.session.token", "event.signOut.token") &&
        onlyDiffersIn(d, "effect-doorman"))
  ),
  row(
    "crossing/token-kept",
    (d, place) => aspect(d, "cookie.csrf-token", "cookie.xsrf") && d.kind === "absent" && showsToken(place)
  ),
  row(
    "crossing/attempt",
    (d) =>
      (aspect(d, "cookie.flow") && d.kind === "absent" && cleared(d.peer)) ||
      (isCheck(d, "") && d.kind === "extra" && cleared(d.ours))
  ),
  row(
    "crossing/discovery",
    (d) =>
      aspect(d, "outbound.requests") && sentWithout(d.peer, "/.well-known/") === sentWithout(d.ours, "/.well-known/")
  ),
  row(
    "crossing/room",
    (d, place) => lacksRoom(place) && aspect(d, "cookie.callback-url", "page.form.value.callbackUrl")
  ),
  row(
    "crossing/nonce",
    (d, place) =>
      within(place, 2, "visit: at an OpenID provider, default checks") &&
      !aspect(d, "status", "kind") &&
      !starts(d, "header.") &&
      place.ours.logs.every((line) => line === "error CallbackRouteError")
  ),
  row(
    "crossing/one-record",
    (d, place) =>
      within(
        place,
        2,
        "visit: at an OAuth provider",
        "visit: at an OAuth provider, default checks",
        "visit: at an OAuth provider, https",
        "visit: at an OpenID provider",
        "visit: at an OpenID provider, default checks"
      ) &&
      !aspect(d, "status", "kind") &&
      !starts(d, "header.")
  ),
  row(
    "crossing/pkce",
    (d, place) =>
      within(place, 2, "visit: at an OAuth provider, state only") &&
      !aspect(d, "status", "kind") &&
      !starts(d, "header.")
  )
]
