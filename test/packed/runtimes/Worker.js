/** The cases as a worker of workerd, which `workerd test` calls. `WORLD` is written into it. */
import { runCases } from "./Cases.js"

export default {
  test: async () => console.log(`RESULT ${JSON.stringify(await runCases(WORLD))}`)
}
