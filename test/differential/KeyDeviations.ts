/** The predicates behind the rows about passkeys in `docs/compatibility.md`, in its order. */
import type { Difference, Place } from "./Compare.ts"
import { aspect, cleared, type Deviation, errorOf, json, member, row, starts } from "./Predicates.ts"

const asks = ({ action, method }: Place): boolean => action === "webauthn-options" && method === "GET"
const answers = ({ action, method }: Place): boolean => action === "callback" && method === "POST"
const actionOf = (body: unknown): unknown => member(body, "action")

/** The action of a request, and its person. */
const asked = ({ url }: Place): { readonly action: string | null; readonly email: string | null } => ({
  action: url.searchParams.get("action"),
  email: url.searchParams.get("email")
})

const isAddress = (text: string): boolean => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text)

/** Holds the browser a session cookie that is no session? */
const hasInvalidSession = ({ scenario }: Place): boolean =>
  scenario.given.some((state) => state === "session-tampered" || state === "session-expired")

/** The members of the options that differ by the library that makes them. */
const isWording = (d: Difference): boolean =>
  (aspect(d, "body.options.extensions") && d.kind === "extra" && json(d.ours) === "{}") ||
  (aspect(d, "body.options.hints") && d.kind === "extra" && json(d.ours) === "[]") ||
  (aspect(d, "body.options.allowCredentials") && d.kind === "absent" && json(d.peer) === "[]") ||
  (aspect(d, "body.options.user") &&
    ["name", "displayName"].every((name) => member(d.peer, name) === member(d.ours, name)) &&
    member(d.peer, "id") === "<hex64>" &&
    member(d.ours, "id") === "<random>")

/** Rows about passkeys. */
export const keyDeviations: ReadonlyArray<Deviation> = [
  row(
    "key/record",
    (d, place) =>
      asks(place) &&
      starts(d, "cookie.challenge.") &&
      (d.aspect !== "cookie.challenge.value" || json(d.ours).includes('"exp":"now+300"'))
  ),
  row("key/options", (d, place) => asks(place) && isWording(d)),
  row("key/owner-is-not-disclosed", (_, place) => {
    const { action, email } = asked(place)
    if (!asks(place) || email === null || !isAddress(email) || place.ours.status !== 200) return false
    return action === "register"
      ? place.peer.status === 400 && actionOf(place.ours.body) === "register"
      : action === null && actionOf(place.ours.body) === "authenticate" && actionOf(place.peer.body) === "register"
  }),
  row(
    "key/address",
    (_, place) =>
      asks(place) &&
      asked(place).email !== null &&
      !isAddress(asked(place).email ?? "") &&
      json(place.ours.body) === '{"error":"Invalid request"}'
  ),
  row(
    "key/two-actions",
    (_, place) =>
      asks(place) &&
      new Set(place.url.searchParams.getAll("action")).size > 1 &&
      json(place.ours.body) === '{"error":"Invalid action"}'
  ),
  row(
    "key/invalid-session",
    (_, place) =>
      asks(place) &&
      hasInvalidSession(place) &&
      errorOf(place.peer) === "Configuration" &&
      place.ours.events.length === 0
  ),
  row(
    "key/field",
    (d) =>
      aspect(d, "page.form.fields") &&
      json(d.ours).replace('"callbackUrl:hidden",', "") === json(d.peer).replace("email:text:", "email:email:")
  ),
  row(
    "key/answer-refused",
    (d, place) =>
      answers(place) &&
      ((errorOf(place.peer) === "Configuration" &&
        errorOf(place.ours) === "WebAuthnVerificationError" &&
        starts(d, "location", "logs", "lookups")) ||
        (errorOf(place.peer) !== undefined &&
          errorOf(place.ours) !== undefined &&
          aspect(d, "cookie.challenge") &&
          d.kind === "extra" &&
          cleared(d.ours)))
  )
]
