/**
 * Checks the rows that a store answers: a row that was not asked for, or that contradicts another one, does not count, and the log says
 * so.
 *
 * A store may answer such a row because it compares inexactly (a collation that ignores case, a cut key, a cache under a wrong name). The
 * row of another user must not sign a user in. What differs is logged by the names of members, never by values.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AdapterError } from "../Errors.ts"
import type { AdapterMethod, AdapterShape } from "./AdapterShape.ts"
import { only } from "./MakeAdapter.ts"
import { member } from "../internal/ThrownValue.ts"
import { callByName, makeMethods, methodTable, type TableMethod } from "./MethodTable.ts"

const contradiction = (method: AdapterMethod, answer: string): AdapterError =>
  new AdapterError({ method, reason: "invalid", detail: `${method} answered ${answer}` })

/** Logs that a store answered another row than was asked for. The library ignores that row. */
export const logOtherRow = (method: AdapterMethod, answer: string): Effect.Effect<void> =>
  Effect.logError(contradiction(method, answer))

/** The answer of a method without rows that differ from its arguments. What was written is not known when another row is answered. */
const checkAnswer = (
  method: TableMethod,
  args: ReadonlyArray<unknown>,
  answer: unknown
): Effect.Effect<unknown, AdapterError> => {
  const { gives, match = [] } = methodTable[method]
  const [first] = args
  const isAsked = (row: unknown): boolean =>
    match.every((name, place) => member(row, name) === (typeof first === "object" ? member(first, name) : args[place]))
  const other = `a row with another ${match.join(" or ")}`
  if (gives === "list" && Array.isArray(answer)) {
    const rows: ReadonlyArray<unknown> = answer.filter(isAsked)
    return rows.length === answer.length ? Effect.succeed(answer) : Effect.as(logOtherRow(method, other), rows)
  }
  if (gives === "option" && Option.isOption(answer))
    return Option.isNone(answer) || isAsked(answer.value)
      ? Effect.succeed(answer)
      : Effect.as(logOtherRow(method, other), Option.none())
  return isAsked(answer) ? Effect.succeed(answer) : Effect.fail(contradiction(method, other))
}

/**
 * A session under another token than the one that was asked for is that of another person where the store finds it by that
 * token too. Where it does not, the store keeps tokens in a form of its own, such as a digest.
 */
const sessionOf =
  (store: AdapterShape): AdapterShape["getSessionAndUser"] =>
  (sessionToken) =>
    Effect.flatMap(store.getSessionAndUser(sessionToken), (found) => {
      if (Option.isNone(found)) return Effect.succeed(found)
      const { session, user } = found.value
      const method = "getSessionAndUser"
      if (session.userId !== user.id) return Effect.fail(contradiction(method, "a session of another user"))
      if (session.sessionToken === sessionToken) return Effect.succeed(found)
      return Effect.flatMap(store.getSessionAndUser(session.sessionToken), (other) =>
        Option.exists(other, (one) => one.session.sessionToken === session.sessionToken)
          ? Effect.as(logOtherRow(method, "a session with another sessionToken"), Option.none())
          : Effect.succeed(Option.some({ session: { ...session, sessionToken }, user }))
      )
    })

/**
 * The same store, with every returned row checked against the query.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withCheckedRows = (store: AdapterShape): AdapterShape =>
  only(
    {
      ...store,
      ...makeMethods(
        (name) =>
          (...args) =>
            methodTable[name].match === undefined
              ? callByName(store, name, args)
              : Effect.flatMap(callByName(store, name, args), (answer) => checkAnswer(name, args, answer))
      ),
      getSessionAndUser: sessionOf(store)
    },
    store.methods
  )
