/**
 * Rounds of cases, forward and backward by turns, in processor time: for the small measurements that stand by themselves. The
 * comparisons with peers are measured by `interleave.mjs`.
 */

/** Microseconds of processor time for one call. */
const measure = async (run, calls) => {
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call++) await run()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / calls
}

/** One row for each round: the microseconds of every case, by name. Five rounds before them count for nothing. */
export const inRounds = async (cases, { calls, rounds }) => {
  const names = Object.keys(cases)
  const rows = []
  for (let round = -5; round < rounds; round++) {
    const row = {}
    for (const name of round % 2 === 0 ? names : names.toReversed()) row[name] = await measure(cases[name], calls)
    if (round >= 0) rows.push(row)
  }
  return rows
}

/** Two digits behind the point. */
export const rounded = (number) => Math.round(number * 100) / 100
