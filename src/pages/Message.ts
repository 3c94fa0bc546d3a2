/**
 * Messages of the built-in pages about a failure: one plain sentence or two for each value the library itself puts into a
 * page's `error` and `code` parameters.
 *
 * A value is only ever looked up, never shown: whatever is not listed (a name of `Object.prototype` included) gets the
 * general text. These are not the messages of the error classes, which are for developers.
 */
import type { FailureCode } from "../Errors.ts"

/** A text and its weight: a `notice` asks for something, an `error` reports a failure. */
export interface Message {
  readonly kind: "error" | "notice"
  readonly text: string
}

// `credentials` is missing on purpose: it adds nothing to the text of `CredentialsSignin`.
const codes: ReadonlyMap<string, Message> = new Map<FailureCode, Message>([
  [
    "flow_missing",
    {
      kind: "error",
      text: "Your browser did not bring back the cookie that belongs to this sign-in. Allow cookies for this site and finish in the browser you started in."
    }
  ],
  [
    "flow_mismatch",
    {
      kind: "error",
      text: "That answer belongs to another sign-in attempt, so it was not used. Please start again here."
    }
  ],
  ["flow_expired", { kind: "error", text: "That sign-in took too long and has expired. Please try again." }],
  [
    "flow_other_host",
    { kind: "notice", text: "You started signing in at another address of this site. Please start again here." }
  ],
  [
    "flow_used",
    { kind: "notice", text: "That sign-in was already finished. If you are not signed in, please try again." }
  ],
  ["flow_unknown_key", { kind: "notice", text: "This site was updated while you were signing in. Please try again." }],
  ["access_denied", { kind: "notice", text: "The sign-in was cancelled. You can try again or choose another way." }],
  [
    "login_required",
    { kind: "notice", text: "The sign-in service asks you to sign in there first. Please try again." }
  ],
  [
    "provider_unavailable",
    {
      kind: "error",
      text: "The sign-in service is not answering right now. Wait a moment and try again, or choose another way."
    }
  ],
  [
    "provider_error",
    {
      kind: "error",
      text: "The sign-in service reported a problem on its side. Please try again, or choose another way."
    }
  ],
  [
    "invalid_response",
    {
      kind: "error",
      text: "The answer of the sign-in service made no sense, so you were not signed in. Please try again, or choose another way."
    }
  ],
  [
    "invalid_token",
    {
      kind: "error",
      text: "The answer of the sign-in service could not be verified, so you were not signed in. Please try again."
    }
  ],
  [
    "profile_invalid",
    {
      kind: "error",
      text: "The sign-in service did not pass on the details this site needs. Try again and agree to share them, or choose another way."
    }
  ]
])

// The errors a failure code may refine; on every other one a code means nothing.
const detailCodes: ReadonlySet<string> = new Set([
  "Callback",
  "InvalidCheck",
  "OAuthCallbackError",
  "OAuthSignin",
  "OAuthSignInError",
  "Signin"
])

const tooManyAttempts: Message = {
  kind: "notice",
  text: "There were too many attempts. Wait a minute, then try again."
}
const invalidEmail: Message = {
  kind: "notice",
  text: "That is not an email address we can write to. Check it and try again."
}
const emailSignin: Message = {
  kind: "error",
  text: "The email could not be sent right now. That is a problem of this site, not of your address. Please try again later."
}
const oauthSignin: Message = {
  kind: "error",
  text: "The sign-in service could not be reached. Please try again, or choose another way."
}
const notLinked: Message = {
  kind: "error",
  text: "This email address already belongs to an account that signs in another way. Please use that way."
}

const signInMessages: ReadonlyMap<string, Message> = new Map<string, Message>([
  ["Signin", { kind: "error", text: "The sign-in could not be started. Please try again, or choose another way." }],
  ["OAuthSignin", oauthSignin],
  ["OAuthSignInError", oauthSignin],
  [
    "OAuthCallbackError",
    {
      kind: "error",
      text: "The sign-in service sent you back without signing you in. Please try again, or choose another way."
    }
  ],
  [
    "OAuthCreateAccount",
    {
      kind: "error",
      text: "No account could be created from that sign-in. Try another account, or choose another way."
    }
  ],
  [
    "EmailCreateAccount",
    {
      kind: "error",
      text: "No account could be created for that email address. Try another address, or choose another way."
    }
  ],
  ["Callback", { kind: "error", text: "The sign-in could not be finished. Please try again, or choose another way." }],
  [
    "InvalidCheck",
    { kind: "error", text: "That sign-in could not be matched to this browser. Please start again here." }
  ],
  [
    "UnprovenAddress",
    {
      kind: "notice",
      text: "An account already uses this email address, but the address was never confirmed. If the account is yours, sign in the way you did before."
    }
  ],
  ["OAuthAccountNotLinked", notLinked],
  ["AccountNotLinked", notLinked],
  ["EmailSignin", emailSignin],
  ["EmailSignInError", emailSignin],
  ["CredentialsSignin", { kind: "error", text: "Those details do not match an account. Check them and try again." }],
  [
    "WebAuthnVerificationError",
    { kind: "error", text: "Your passkey could not be verified. Please try again, or choose another way." }
  ],
  ["SessionRequired", { kind: "notice", text: "Please sign in to see that page." }],
  [
    "MissingCSRF",
    {
      kind: "notice",
      text: "That form had expired, so nothing was sent. Please try again, with cookies allowed for this site."
    }
  ]
])

const signInFailure: Message = {
  kind: "error",
  text: "You could not be signed in. Please try again, or choose another way."
}

/** The message above the sign-in form for a value of `error` and, where it says more, of `code`; `undefined` without an error. */
export const signInMessage = (error: string | undefined, code: string | undefined): Message | undefined => {
  if (error === undefined || error === "") return undefined
  if (error === "CredentialsSignin" && code === "throttled") return tooManyAttempts
  if (error === "EmailSignin" && code === "email_invalid") return invalidEmail
  const detail = code !== undefined && detailCodes.has(error) ? codes.get(code) : undefined
  return detail ?? signInMessages.get(error) ?? signInFailure
}

/** One page that is nothing but a message. */
export interface Notice {
  readonly status: number
  readonly title: string
  readonly text: string
  /** Whether starting again can help. */
  readonly retry: boolean
}

const notices: ReadonlyMap<string, Notice> = new Map<string, Notice>([
  [
    "Configuration",
    {
      status: 500,
      title: "This site has a sign-in problem",
      text: "Something is wrong with how sign-in is set up here, and only the people who run this site can fix it. Please try again later.",
      retry: false
    }
  ],
  [
    "AccessDenied",
    {
      status: 403,
      title: "You don’t have access",
      text: "This account is not allowed to sign in here. If you have another one, try that.",
      retry: true
    }
  ],
  [
    "SessionConflict",
    {
      status: 200,
      title: "Two accounts at once",
      text: "Your browser sent the sessions of two different accounts, so neither was used and both were removed. Please sign in again. If you come back to this page, delete the cookies of this site in the settings of your browser: open its privacy settings, look for cookies and site data, and search for the name of this site.",
      retry: true
    }
  ],
  [
    "WebAuthnVerificationError",
    {
      status: 200,
      title: "That passkey did not work",
      text: "It could not be verified, or it is not known here any more. Try again, or sign in another way.",
      retry: true
    }
  ],
  [
    "Verification",
    {
      status: 403,
      title: "This link no longer works",
      text: "A sign-in link works once and for a limited time. It may have been used already or be too old. Request a new one to sign in.",
      retry: true
    }
  ]
])

const failure: Notice = {
  status: 200,
  title: "Something went wrong",
  text: "The sign-in did not work this time. Please start again.",
  retry: true
}

/** The message of the error page for a value of `error` and, on a general failure, of `code`. */
export const errorNotice = (error: string | undefined, code: string | undefined): Notice => {
  const notice = error === undefined ? undefined : notices.get(error)
  if (notice !== undefined) return notice
  const detail = code === undefined ? undefined : codes.get(code)
  return detail === undefined ? failure : { ...failure, text: detail.text }
}

const clientErrors: ReadonlyMap<number, Omit<Notice, "status">> = new Map([
  [
    400,
    {
      title: "That request can’t be read",
      text: "The address or the form sent was not complete. Please start again.",
      retry: true
    }
  ],
  [
    403,
    {
      title: "That request was refused",
      text: "It did not come from a page of this site. Please start again.",
      retry: true
    }
  ],
  [404, { title: "Page not found", text: "There is nothing at this address. It may have been mistyped.", retry: true }],
  [
    405,
    {
      title: "That doesn’t work this way",
      text: "This address cannot be opened like this. Please start again.",
      retry: true
    }
  ],
  [
    408,
    {
      title: "That took too long",
      text: "The form did not arrive in time. Please check your connection and start again.",
      retry: true
    }
  ],
  [
    413,
    { title: "That was too much", text: "More was sent than this address takes. Please start again.", retry: true }
  ],
  [
    415,
    {
      title: "That form can’t be read",
      text: "It was sent in a format this address does not take. Please start again.",
      retry: true
    }
  ],
  [429, { title: "Too many attempts", text: "Please wait a little before you try again.", retry: true }]
])

/** The message of the page for a refused request; `status` is 400 to 499, anything else counts as 400. */
export const clientErrorNotice = (status: number): Notice => {
  const valid = Number.isInteger(status) && status >= 400 && status <= 499 ? status : 400
  const notice = clientErrors.get(valid) ?? clientErrors.get(400)
  return { status: valid, title: "", text: "", retry: true, ...notice }
}
