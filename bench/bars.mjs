/** The ratios that a change may not lose: the processor time of the peer divided by ours. */
export const ratioBars = {
  "session-none": 4,
  "session-small": 7.5,
  "session-large": 4.8,
  "session-database": 2.5,
  "csrf-cookie": 2.8,
  "csrf-none": 2.8,
  "providers-1": 3,
  "providers-10": 5,
  "providers-50": 10,
  "signin-1": 4,
  "signin-50": 4,
  "callback-rs256": 2,
  "callback-es256": 1.7,
  credentials: 2.2,
  signout: 5,
  "get-token-small": 9,
  "get-token-large": 6,
  "decode-small": 12,
  "decode-large": 8,
  "encode-small": 9,
  "encode-large": 5,
  "signin-page": 3
}

/** Requests per second over HTTP, ours divided by the peer's. */
export const httpBar = 4

/** Where there is WebCrypto only: any action, divided by the peer's. */
export const webCryptoBar = 1

/** A magic link asked for on SQLite, beside better-auth. */
export const linkBar = 1

/** Figures that may not be exceeded. */
export const startBars = {
  firstAnswer: ["first answer of the function entry, processor time, ours / theirs", 1.2],
  memory: ["memory after it, ours / theirs", 1.1],
  effectApplication: ["first answer of an Effect application, ms above the same without the library", 110]
}

/** Cost of a session for a handler of an Effect application, in openings of its token. */
export const protectedBars = { route: 5, endpoint: 6 }

/** Milliseconds for which the event loop stands still while a million expired sessions are removed from SQLite. */
export const sweepBar = 20

/** Most that an action may cost when something irrelevant to it grows: [case, baseline, most]. */
export const growthBars = [
  ["session-500-providers", "session-small", 1.1],
  ["signin-500", "signin-1", 1.1],
  ["session-100-cookies", "session-small", 1.4],
  ["session-database-100000", "session-database", 1.1]
]
