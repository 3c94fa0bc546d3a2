/**
 * Laws of sessions, and of what removes them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SessionId, type UserId } from "../../models/Id.ts"
import { detailNames, detailsOf, type SessionDetails, sessionIdOf } from "../../storage/Details.ts"
import {
  absent,
  at,
  claim,
  type Draw,
  law,
  type Law,
  present,
  rejects,
  same,
  sameMembers,
  sameSecond,
  type Watch
} from "./Law.ts"

const farAhead = at("2099-12-31T23:59:59Z")
const longAgo = at("2001-02-03T04:05:06Z")
const hour = 3_600_000

const reading = ["createUser", "createSession", "getSessionAndUser"] as const

/** Objects unless a session has this end. */
const sameEnd = ({ store }: Draw, token: string, end: Date): Watch =>
  Effect.flatMap(present(store.getSessionAndUser(token), "the session"), ({ session }) =>
    sameSecond(session.expires, end, "the end")
  )

/** Objects unless the list of a user has the sessions of these tokens, in this order. */
const sameIds = ({ store }: Draw, userId: UserId, tokens: ReadonlyArray<string>, what: string): Watch =>
  Effect.flatMap(store.listSessions(userId), (sessions) =>
    same(sessions.map(({ id }) => id).join(), tokens.map(sessionIdOf).join(), what)
  )

/** Details as a sign-in writes them. The methods are as many and as long as they may be. */
const details = {
  createdAt: at("2026-01-02T03:04:05Z"),
  lastSeenAt: at("2026-01-02T03:14:05Z"),
  authenticatedAt: at("2026-01-01T23:59:59Z"),
  amr: Array.from({ length: 16 }, (_, index) => `${"m".repeat(62)}${index + 10}`).join(" "),
  acr: "urn:laws:gold",
  userAgent: `Laws/1.0 (${"x".repeat(240)})`,
  clientAddress: "2001:db8::1"
} satisfies SessionDetails

export const sessionLaws: ReadonlyArray<Law> = [
  law(
    "a session is found with its user",
    "createSession answers the session, and its token finds it together with the user whose it is.",
    reading,
    function* ({ pair, soon, store, text }) {
      const users = yield* pair
      for (const [place, expires] of [soon, farAhead].entries()) {
        const one = users[place === 0 ? 0 : 1]
        const row = yield* store.createSession({ sessionToken: text(), userId: one.id, expires })
        yield* sameSecond(row.expires, expires, "the end in the answer")
        const { session, user } = yield* present(store.getSessionAndUser(row.sessionToken), "the session")
        yield* sameMembers(session, { sessionToken: row.sessionToken, userId: one.id, expires }, [
          "sessionToken",
          "userId",
          "expires"
        ])
        yield* sameMembers(user, one, ["id", "email"])
      }
    }
  ),
  law(
    "unknown sessions are not found",
    "An unknown token finds nothing, and neither does another case or a part of one.",
    reading,
    function* ({ signIn, store, stored, text }) {
      const token = yield* signIn((yield* stored()).id, { sessionToken: `${text()}a` })
      for (const other of [text(), token.toUpperCase(), token.slice(0, -1), `${token} `, "", "%", "*"])
        yield* absent(store.getSessionAndUser(other), `the session ${JSON.stringify(other)}`)
    }
  ),
  law(
    "an ended session is answered with its end",
    "The caller decides whether a session has ended, so the store returns it until it is removed.",
    reading,
    function* (draw) {
      const token = yield* draw.signIn((yield* draw.stored()).id, { expires: longAgo })
      yield* sameEnd(draw, token, longAgo)
    }
  ),
  law(
    "a session token belongs to one session",
    "A second session with the same token is refused, and the first one stays as it is.",
    reading,
    function* ({ pair, signIn, soon, store }) {
      const [one, other] = yield* pair
      const sessionToken = yield* signIn(one.id)
      const second = signIn(other.id, { sessionToken, expires: farAhead })
      yield* rejects(second, "a second session with the same token", "unique")
      const { session, user } = yield* present(store.getSessionAndUser(sessionToken), "the session")
      yield* same(user.id, one.id, "the user")
      yield* sameSecond(session.expires, soon, "the end")
    }
  ),
  law(
    "a session of an unknown user is not found",
    "createSession for a user who is not there is refused, or the session is not found.",
    reading,
    function* ({ signIn, store, stored, text, unknownId }) {
      yield* stored()
      const sessionToken = text()
      yield* Effect.result(signIn(unknownId(), { sessionToken }))
      yield* absent(store.getSessionAndUser(sessionToken), "a session of an unknown user")
    }
  ),
  law(
    "updateSession moves the end of that session",
    "The end is the new one, the user is the same, and other sessions stay.",
    [...reading, "updateSession"],
    function* (draw) {
      const { signIn, soon, store, stored } = draw
      const { id } = yield* stored()
      const [sessionToken, stays] = [yield* signIn(id), yield* signIn(id)]
      for (const expires of [farAhead, longAgo]) {
        const answer = yield* present(store.updateSession({ sessionToken, expires }), "the changed session")
        const { session, user } = yield* present(store.getSessionAndUser(sessionToken), "the session")
        for (const row of [answer, session]) yield* sameMembers(row, { userId: id, expires }, ["userId", "expires"])
        yield* same(user.id, id, "the user")
      }
      yield* sameEnd(draw, stays, soon)
    }
  ),
  law(
    "updateSession never brings a session back",
    "For a session that was deleted, or never was, it answers nothing, creates nothing and does not fail.",
    [...reading, "updateSession", "deleteSession"],
    function* ({ signIn, store, stored, text }) {
      const deleted = yield* signIn((yield* stored()).id)
      yield* store.deleteSession(deleted)
      for (const sessionToken of [deleted, text()]) {
        yield* absent(store.updateSession({ sessionToken, expires: farAhead }), "a change of no session")
        yield* absent(store.getSessionAndUser(sessionToken), "a session that was only changed")
      }
    }
  ),
  law(
    "deleteSession removes that session",
    "It is gone for good, others stay, and deleting what is not there does not fail.",
    [...reading, "deleteSession"],
    function* ({ signIn, store, stored, text }) {
      const { id } = yield* stored()
      const [gone, stays] = [yield* signIn(id), yield* signIn(id)]
      const answer = yield* store.deleteSession(gone)
      if (Option.isSome(answer))
        yield* sameMembers(answer.value, { sessionToken: gone, userId: id }, ["sessionToken", "userId"])
      yield* absent(store.getSessionAndUser(gone), "the deleted session")
      yield* absent(store.deleteSession(gone), "a session that is deleted already")
      yield* absent(store.deleteSession(text()), "a session that never was")
      yield* present(store.getSessionAndUser(stays), "the other session")
    }
  ),
  law(
    "listSessions answers the sessions of the user",
    "All of theirs that have not ended, the one that ends last first, none of others, and an empty list for an unknown user.",
    ["createUser", "createSession", "listSessions"],
    function* (draw) {
      const { pair, signIn, soon, store, stored, unknownId } = draw
      const [one, other] = yield* pair
      const after = (milliseconds: number) => ({ expires: at(soon.getTime() + milliseconds) })
      const first = yield* signIn(one.id)
      const third = yield* signIn(one.id, after(2 * hour))
      const second = yield* signIn(one.id, after(hour))
      yield* signIn(one.id, after(-hour - 1000))
      const theirs = yield* signIn(other.id, { expires: farAhead })
      yield* sameIds(draw, one.id, [third, second, first], "the sessions of the user")
      for (const [index, session] of (yield* store.listSessions(one.id)).entries())
        yield* sameSecond(session.expires, after((2 - index) * hour).expires, "the end")
      yield* sameIds(draw, other.id, [theirs], "the sessions of the other user")
      for (const id of [(yield* stored()).id, unknownId()])
        yield* sameIds(draw, id, [], "the sessions of an unknown user")
    }
  ),
  law(
    "the id of a session stays",
    "It is sessionIdOf of the token, whatever becomes of its end and of other sessions.",
    ["createUser", "createSession", "updateSession", "deleteSession", "listSessions"],
    function* (draw) {
      const { signIn, soon, store, stored } = draw
      const { id } = yield* stored()
      const before = yield* signIn(id)
      const kept = yield* signIn(id, { expires: at(soon.getTime() - 1000) })
      yield* sameIds(draw, id, [before, kept], "the ids")
      yield* store.updateSession({ sessionToken: kept, expires: farAhead })
      yield* sameIds(draw, id, [kept, before], "the ids after a change")
      yield* store.deleteSession(before)
      yield* sameIds(draw, id, [kept], "the ids after a session less")
    }
  ),
  law(
    "the id of a session is no token",
    "It finds no session, changes none and deletes none, whatever is put before it.",
    [...reading, "updateSession", "deleteSession", "listSessions"],
    function* (draw) {
      const { signIn, soon, store, stored } = draw
      const { id: userId } = yield* stored()
      const token = yield* signIn(userId)
      for (const { id } of yield* store.listSessions(userId)) {
        yield* claim(!id.includes(token), "the id holds the token")
        for (const sessionToken of [id, `sha256:${id}`]) {
          yield* absent(store.getSessionAndUser(sessionToken), "a session by its id")
          yield* absent(store.updateSession({ sessionToken, expires: farAhead }), "a session that is changed by its id")
          yield* absent(store.deleteSession(sessionToken), "a session that is deleted by its id")
        }
      }
      yield* sameEnd(draw, token, soon)
    }
  ),
  law(
    "endSession ends that session",
    "It answers true, the session is gone for good and others stay; a second time and for unknown ids it answers false.",
    [...reading, "endSession"],
    function* ({ signIn, store, stored, text }) {
      const { id: userId } = yield* stored()
      const [stays, gone, last] = [yield* signIn(userId), yield* signIn(userId), yield* signIn(userId)]
      const id = sessionIdOf(gone)
      yield* same(yield* store.endSession(userId, id), true, "the answer for a session")
      yield* absent(store.getSessionAndUser(gone), "the ended session")
      for (const other of [id, sessionIdOf(text()), sessionIdOf(id), SessionId.make(`${id.slice(0, -1)}-`)])
        yield* same(yield* store.endSession(userId, other), false, "the answer for a session that is not there")
      for (const token of [stays, last]) yield* present(store.getSessionAndUser(token), "another session")
    }
  ),
  law(
    "endSession ends nothing of others",
    "With the id of another user's session it answers false, and that session stays.",
    [...reading, "endSession"],
    function* ({ pair, signIn, store, unknownId }) {
      const [one, other] = yield* pair
      const [mine, theirs] = [yield* signIn(one.id), yield* signIn(other.id)]
      for (const userId of [one.id, unknownId()])
        yield* same(
          yield* store.endSession(userId, sessionIdOf(theirs)),
          false,
          "the answer for the session of another"
        )
      for (const token of [theirs, mine]) yield* present(store.getSessionAndUser(token), "a session")
      yield* same(yield* store.endSession(other.id, sessionIdOf(theirs)), true, "the answer for one's own session")
    }
  ),
  law(
    "deleteSessions ends the sessions of the user",
    "All of theirs but the one that is named, none of others.",
    [...reading, "deleteSessions"],
    function* ({ pair, signIn, store }) {
      const [one, other] = yield* pair
      const ended = [yield* signIn(one.id), yield* signIn(one.id)]
      const [current, theirs] = [yield* signIn(one.id), yield* signIn(other.id)]
      yield* store.deleteSessions(one.id, current)
      for (const token of ended) yield* absent(store.getSessionAndUser(token), "a session of the user")
      yield* present(store.getSessionAndUser(current), "the session that was named")
      yield* store.deleteSessions(one.id)
      yield* absent(store.getSessionAndUser(current), "the last session of the user")
      yield* present(store.getSessionAndUser(theirs), "the session of the other user")
    }
  ),
  law(
    "a session keeps its details",
    "Look-ups answer lastSeenAt, authenticatedAt, all of amr, and acr; lists answer every detail; a session without has none.",
    [...reading, "listSessions", "touchSession"],
    function* ({ signIn, store, stored }) {
      const { id } = yield* stored()
      const expected = new Map<string, SessionDetails>()
      for (const given of [details, {}]) {
        const token = yield* signIn(id, given)
        expected.set(sessionIdOf(token), given)
        const { session } = yield* present(store.getSessionAndUser(token), "the session")
        yield* sameMembers(detailsOf(session), given, ["lastSeenAt", "authenticatedAt", "amr", "acr"])
      }
      for (const session of yield* store.listSessions(id))
        yield* sameMembers(detailsOf(session), expected.get(session.id) ?? {}, detailNames)
    }
  ),
  law(
    "touchSession changes when that session was last seen",
    "Its end and its other details stay, other sessions stay, and nothing happens for an unknown token.",
    [...reading, "listSessions", "touchSession"],
    function* (draw) {
      const { signIn, soon, store, stored, text } = draw
      const { id } = yield* stored()
      const [seen, unknown] = [yield* signIn(id, details), text()]
      yield* signIn(id, details)
      const lastSeenAt = at(details.lastSeenAt.getTime() + 600_000)
      for (const token of [seen, unknown]) yield* store.touchSession(token, lastSeenAt)
      yield* sameEnd(draw, seen, soon)
      for (const session of yield* store.listSessions(id)) {
        const expected = session.id === sessionIdOf(seen) ? { ...details, lastSeenAt } : details
        yield* sameMembers(detailsOf(session), expected, detailNames)
      }
      yield* absent(store.getSessionAndUser(unknown), "the session of an unknown token")
    }
  ),
  law(
    "sweep removes what has ended, in bounded steps",
    "No more rows of a kind at once than it may, all of them in the end, and none that ends later.",
    [...reading, "sweep"],
    function* ({ signIn, store, stored }) {
      const { id } = yield* stored()
      const expired = [
        yield* signIn(id, { expires: longAgo }),
        yield* signIn(id, { expires: longAgo }),
        yield* signIn(id, { expires: longAgo })
      ]
      const stays = yield* signIn(id, { expires: farAhead })
      const before = at(longAgo.getTime() + 1000)
      const remaining = Effect.map(
        Effect.forEach(expired, (sessionToken) => store.getSessionAndUser(sessionToken)),
        (all) => all.filter(Option.isSome).length
      )
      yield* store.sweep(at(longAgo.getTime() - 1000), 1000)
      yield* same(yield* remaining, 3, "the number of sessions that end later than asked for")
      yield* store.sweep(before, 1)
      yield* claim((yield* remaining) >= 2, "one step of one row removes more than one session")
      for (let steps = 0; steps < 1000 && (yield* remaining) > 0; steps++)
        yield* claim((yield* store.sweep(before, 100)) > 0, "a sweep removes nothing although something has ended")
      yield* same(yield* remaining, 0, "the number of ended sessions")
      yield* present(store.getSessionAndUser(stays), "a session that has not ended")
    }
  )
]
