/**
 * The bars of the measurements. `must` fails a run, `goal` is what may be announced; the `web` pair is for
 * a platform without `node:crypto`. Ratios are the peer's processor time divided by ours.
 */
const bar = (must, goal, floor, webMust, webGoal) => ({ must, goal, floor, web: { must: webMust, goal: webGoal } })
const floor = (must, goal) => ({ must, goal })

/** Every timed row in the order of the table; `floor` is ours divided by the lower bound of the action. */
export const bars = new Map([
  ["session-none", bar(4, 6, floor(1.4, 1.2), 1.5, 1.9)],
  ["session-small", bar(7.5, 10, floor(1.5, 1.3), 2.5, 3.3)],
  ["session-large", bar(4.8, 6, floor(1.5, 1.3), 2.4, 3)],
  ["session-database", bar(2.8, 4, floor(2, 1.5), 1.5, 1.9)],
  ["csrf-cookie", bar(2.8, 4, floor(1.5, 1.3), 1.3, 1.6)],
  ["csrf-none", bar(2.8, 4, floor(1.5, 1.3), 1.3, 1.6)],
  ["providers-1", bar(3, 4.5, floor(2, 1.5), 1.5, 1.9)],
  ["providers-10", bar(5, 7, floor(2, 1.5), 2.2, 2.7)],
  ["providers-50", bar(10, 12, floor(2, 1.5), 4.8, 6)],
  ["signin-1", bar(6.5, 9, floor(2.2, 1.7), 2.4, 3.2)],
  ["signin-50", bar(9, 12, floor(2.2, 1.7), 3.2, 4)],
  ["callback-rs256", bar(2.5, 4, undefined, 1.5, 2)],
  ["callback-es256", bar(2, 3, undefined, 1.5, 2)],
  ["callback-issuer-only", bar(2.5, 4, undefined, 1.5, 2)],
  ["credentials", bar(4.5, 7, floor(2, 1.5), 2.2, 2.9)],
  ["signout", bar(5.5, 7.5, floor(1.8, 1.5), 2.5, 3.2)],
  ["get-token-small", bar(9, 14, floor(1.4, 1.2), 3.3, 4.2)],
  ["get-token-large", bar(6, 8, floor(1.4, 1.2), 2.6, 3.3)],
  ["decode-small", bar(14, 20, floor(1.3, 1.15), 3.8, 4.8)],
  ["decode-large", bar(8.5, 12, floor(1.3, 1.15), 3.8, 4.8)],
  ["encode-small", bar(11, 15, floor(1.15, 1), 2.8, 3.6)],
  ["encode-large", bar(6, 8, floor(1.15, 1), 2.8, 3.6)],
  ["signin-page", bar(4, 5, floor(2, 1.6), 2.4, 3.2)],
  ["session-new-config", bar(3.5, 4.5, undefined, 2, 2.5)]
])

/** Requests per second over HTTP with what users are given, ours divided by the peer's, at each number of connections. */
export const httpBar = { must: 6, goal: 8 }

/**
 * Cost of starting: ours divided by the peer's, in processor time and memory of fresh processes. `effectApplication` is in
 * milliseconds above the same application without the library.
 */
export const startBars = {
  firstAnswer: { must: 1.1, goal: 0.9 },
  memory: { must: 1.1, goal: 1 },
  preset: { must: 0.6, goal: 0.4 },
  jwt: { must: 0.4, goal: 0.25 },
  effectApplication: { must: 60, goal: 35 }
}

/** Files of the package that the first answer of the function entry loads. */
export const filesBar = { must: 12, goal: 12 }

/** Processor time beside better-auth, theirs divided by ours. */
export const betterAuthBars = {
  session: { must: 6, goal: 8 },
  signIn: { must: 8, goal: 12 },
  link: { must: 2, goal: 4 }
}

/** Milliseconds for which the event loop stands still at most while a million expired sessions are removed from SQLite. */
export const sweepBar = { must: 20, goal: 20 }

/** Cost of a session for a handler of an Effect application, in openings of its token. */
export const protectedBar = { must: 3, goal: 2 }

/** Cost of a read of a token session with `session.revocation` and a shared state in memory, ours with it divided by ours without. */
export const revocationBar = { must: 1.15, goal: 1.1 }

/** Steps of the run loop of an action; `test/speed/Calls.test.ts` holds what is reached. */
export const stepBars = {
  "session-none": 20,
  "session-small": 35,
  "signin-1": 45,
  "callback-rs256": 110,
  credentials: 60,
  signout: 40
}

/** Bytes allocated per action, the peer's divided by ours. */
export const allocationBars = {
  "session-none": { must: 1.6, goal: 1.7 },
  "csrf-cookie": { must: 1.6, goal: 1.7 },
  "session-small": { must: 4, goal: 4.4 },
  "session-large": { must: 3.2, goal: 3.8 },
  "signin-1": { must: 3, goal: 4.4 },
  "callback-rs256": { must: 2.5, goal: 6 }
}

/** Permitted growth of an action's cost when something irrelevant to it grows: [case, baseline, bar]. */
export const scalingBars = [
  ["session-500-providers", "session-small", { must: 1.1, goal: 1.05 }],
  ["signin-500", "signin-1", { must: 1.1, goal: 1.05 }],
  ["session-100-cookies", "session-small", { must: 1.4, goal: 1.3 }],
  ["session-database-100000", "session-database", { must: 1.1, goal: 1.05 }]
]

/** Bytes that may stay on the heap per request. */
export const heapBar = { must: 5, goal: 5 }

/** kB of gzip that bundles have at most, by the names of `.size-limit.js`; a second name is taken off the first. */
export const bundleBars = {
  whole: {
    label: "`Auth`, without what is loaded when it is first used",
    must: 130,
    goal: 130,
    bundles: ["Auth, without what is loaded on demand"]
  },
  getToken: { label: "`getToken` on `node:crypto`", must: 6, goal: 6, bundles: ["getToken alone"] },
  preset: {
    label: "one more preset",
    must: 0.6,
    goal: 0.6,
    bundles: ["Auth with two providers", "Auth with one provider"]
  },
  session: {
    label: "the session service alone, beside Effect",
    must: 30,
    goal: 30,
    bundles: ["the session service, beside Effect"]
  },
  contract: {
    label: "the contract of a client, beside Effect",
    must: 8,
    goal: 8,
    bundles: ["the contract of a client, beside Effect"]
  }
}

/** `"goal"`, `"must"` or `"below"` for a value where more is better. */
export const verdictAbove = (value, { must, goal }) => (value >= goal ? "goal" : value >= must ? "must" : "below")

/** `"goal"`, `"must"` or `"below"` for a value where less is better. */
export const verdictUnder = (value, { must, goal }) => (value <= goal ? "goal" : value <= must ? "must" : "below")
