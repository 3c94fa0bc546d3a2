/**
 * How often a test repeats what it draws: `gate` in `npm test`, `full` in `npm run test:full`, which runs every night. Both
 * prove the same; the full number finds what is rare.
 */
export const repetitions = (gate: number, full: number): number =>
  process.env["DOORMAN_TESTS"] === "full" ? full : gate
