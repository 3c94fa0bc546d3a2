/** The whole corpus. */
import type { Scenario } from "../Scenario.ts"
import { callbacks } from "./Callbacks.ts"
import { configurations } from "./Configuration.ts"
import { cookies } from "./Cookies.ts"
import { matrix } from "./Matrix.ts"
import { pages } from "./Pages.ts"
import { providerObjects } from "./ProviderObjects.ts"
import { routes } from "./Routes.ts"
import { sequences } from "./Sequences.ts"
import { signIns } from "./SignIn.ts"

/** Every scenario, in a fixed order. */
export const corpus: ReadonlyArray<Scenario> = [
  ...routes,
  ...cookies,
  ...pages,
  ...configurations,
  ...signIns,
  ...callbacks,
  ...sequences,
  ...matrix,
  ...providerObjects
]

/** The names of the groups, in the order of the corpus. */
export const groups: ReadonlyArray<string> = [...new Set(corpus.map((scenario) => scenario.group))]
