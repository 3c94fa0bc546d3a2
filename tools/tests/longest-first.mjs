/**
 * Starts the files that take longest first, so that no worker is still busy when the others have nothing left to do.
 *
 * The runner goes by the size of the files, and these are short. `npm test -- --reporter=json` has the durations.
 */
import { BaseSequencer } from "vitest/node"

const longest = [
  "faults/Faults.test.ts",
  "differential/Doors.test.ts",
  "examples/ManyMachines.test.ts",
  "speed/Allocation.test.ts",
  "real/DemoJourney.test.ts",
  "real/Browser.test.ts",
  "compat/Types.test.ts",
  "fuzz/Planted.test.ts",
  "faults/Abandoned.test.ts",
  "differential/Differential.test.ts",
  "sql/Postgres.test.ts",
  "differential/Storage.test.ts",
  "real/Passkey.test.ts",
  "real/HostileSilence.test.ts",
  "speed/Heap.test.ts",
  "examples/Hosts.test.ts",
  "Provider/Catalogue.test.ts",
  "workshop/Reference.test.ts",
  "sql/Sqlite.test.ts",
  "fuzz/Fuzz.test.ts"
]

/** @param {import("vitest/node").TestSpecification} file */
const rank = ({ moduleId }) => {
  const index = longest.findIndex((name) => moduleId.endsWith(`/test/${name}`))
  return index === -1 ? longest.length : index
}

export default class LongestFirst extends BaseSequencer {
  /** @override @param {Array<import("vitest/node").TestSpecification>} files */
  async sort(files) {
    const sorted = await super.sort(files)
    // One project after the other: a process that files share ends when a file of another project comes next.
    return sorted.sort((a, b) => a.project.name.localeCompare(b.project.name) || rank(a) - rank(b))
  }
}
