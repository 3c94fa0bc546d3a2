/**
 * What the measurements are held against. `must` fails a run, `goal` is what may be announced; the `web` pair is for
 * a platform without `node:crypto`. Ratios are the peer's processor time divided by ours.
 */
const bar = (must, goal, webMust, webGoal) => ({ must, goal, web: { must: webMust, goal: webGoal } })

/** Every timed row in the order of the table. */
export const bars = new Map([
  ["session-none", bar(2.5, 3.5, 1.5, 1.9)],
  ["session-small", bar(6, 7.5, 2.5, 3.3)],
  ["session-large", bar(4.2, 5.2, 2.4, 3)],
  ["session-database", bar(2.5, 3.3, 1.5, 1.9)],
  ["csrf-cookie", bar(2.5, 3.3, 1.3, 1.6)],
  ["csrf-none", bar(2.5, 3.3, 1.3, 1.6)],
  ["providers-1", bar(3, 4, 1.5, 1.9)],
  ["providers-10", bar(4, 5, 2.2, 2.7)],
  ["providers-50", bar(7.5, 9, 4.8, 6)],
  ["signin-1", bar(5.5, 7, 2.4, 3.2)],
  ["signin-50", bar(7, 9, 3, 4)],
  ["callback-rs256", bar(6, 8, 2.5, 3.4)],
  ["callback-es256", bar(4.2, 5.2, 2.2, 2.8)],
  ["callback-issuer-only", bar(4, 5, 2.1, 2.6)],
  ["credentials", bar(5, 6.5, 2.2, 2.9)],
  ["signout", bar(5.5, 7, 2.5, 3.2)],
  ["get-token-small", bar(8, 10.5, 3.3, 4.2)],
  ["get-token-large", bar(4.8, 6, 2.6, 3.3)],
  ["decode-small", bar(14, 18, 3.8, 4.8)],
  ["decode-large", bar(8, 10.5, 3.8, 4.8)],
  ["encode-small", bar(8.5, 11, 2.8, 3.6)],
  ["encode-large", bar(5, 6.5, 2.8, 3.6)],
  ["signin-page", bar(3.5, 5, 2.4, 3.2)],
  ["session-new-config", bar(3.5, 4.5, 2, 2.5)]
])

/** Ours divided by the floor, in the same round. */
export const floorBar = { must: 2, goal: 1.6 }

/** Requests per second over HTTP with what users are given, ours divided by the peer's, at each number of connections. */
export const httpBar = { must: 6, goal: 8 }

/** Import time, ours divided by the peer's. */
export const importBars = { main: { must: 2, goal: 1.3 }, token: { must: 1, goal: 0.5 } }

/** Bytes allocated per action, the peer's divided by ours. */
export const allocationBars = {
  "session-none": { must: 1.4, goal: 1.7 },
  "csrf-cookie": { must: 1.4, goal: 1.7 },
  "session-small": { must: 3.8, goal: 4.4 },
  "session-large": { must: 3.2, goal: 3.8 },
  "signin-1": { must: 3.6, goal: 4.4 },
  "callback-rs256": { must: 5, goal: 6 }
}

/** What an action may cost more when something irrelevant to it grows: [case, baseline, bar]. */
export const scalingBars = [
  ["session-100-providers", "session-small", { must: 1.2, goal: 1.05 }],
  ["signin-100", "signin-1", { must: 1.2, goal: 1.05 }],
  ["session-50-cookies", "session-small", { must: 1.5, goal: 1.3 }],
  ["session-database-100000", "session-database", { must: 1.1, goal: 1.05 }]
]

/** Bytes that may stay on the heap per request. */
export const heapBar = { must: 20, goal: 5 }

/** `"goal"`, `"must"` or `"below"` for a value where more is better. */
export const verdictAbove = (value, { must, goal }) => (value >= goal ? "goal" : value >= must ? "must" : "below")

/** `"goal"`, `"must"` or `"below"` for a value where less is better. */
export const verdictUnder = (value, { must, goal }) => (value <= goal ? "goal" : value <= must ? "must" : "below")
