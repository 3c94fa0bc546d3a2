/** Every case of the benchmark by its name. */
import { callbackCases } from "./callback.mjs"
import { csrfCases } from "./csrf.mjs"
import { databaseCases } from "./database.mjs"
import { formCases } from "./forms.mjs"
import { providerCases } from "./providers.mjs"
import { sessionCases } from "./session.mjs"
import { tokenCases } from "./tokens.mjs"

const cases = new Map(
  [
    ...sessionCases,
    ...databaseCases,
    ...csrfCases,
    ...providerCases,
    ...formCases,
    ...callbackCases,
    ...tokenCases
  ].map((entry) => [entry.id, entry])
)

/** The case of a name, or an error that lists the names there are. */
export const caseOf = (id) => {
  const found = cases.get(id)
  if (found === undefined) throw new Error(`no case "${id}"; there are: ${[...cases.keys()].join(", ")}`)
  return found
}
