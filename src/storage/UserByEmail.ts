/**
 * Looks a user up by an address.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { inOwnScript, isSame } from "../models/EmailAddress.ts"
import type { AdapterError } from "../Errors.ts"
import type { AdapterUser } from "../Models.ts"
import type { AdapterShape } from "./AdapterShape.ts"
import { logOtherRow } from "./AskedRow.ts"

const spellings = (address: string): ReadonlyArray<string> =>
  [address, inOwnScript(address)].filter((spelling) => spelling !== undefined)

/** Does the store answer an address with this user, whatever address the row has? */
export const isFoundBy = (
  adapter: Pick<AdapterShape, "getUserByEmail">,
  address: string,
  id: string
): Effect.Effect<boolean, AdapterError> =>
  Effect.map(
    Effect.forEach(spellings(address), (spelling) => adapter.getUserByEmail(spelling)),
    (found) => found.some(Option.exists((user) => user.id === id))
  )

/**
 * The user who has exactly this address. A row that Auth.js wrote may have the domain in its own script. A store whose
 * collation ignores accents may return the user of another address, who is then not signed in. Every spelling is asked for,
 * found or not: the calls are the same for an address without a user.
 */
export const userByEmail = Effect.fnUntraced(function* (
  adapter: Pick<AdapterShape, "getUserByEmail">,
  address: string
): Effect.fn.Return<Option.Option<AdapterUser>, AdapterError> {
  const rows = (yield* Effect.forEach(spellings(address), (spelling) => adapter.getUserByEmail(spelling))).flatMap(
    Option.toArray
  )
  const users = rows.filter(({ email }) => isSame(email, address))
  if (users.length < rows.length)
    yield* logOtherRow(
      "getUserByEmail",
      "the user of another address, who is not signed in: compare addresses byte by byte"
    )
  return Option.fromUndefinedOr(users[0])
})
