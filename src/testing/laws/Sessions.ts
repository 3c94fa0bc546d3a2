/**
 * Laws of sessions, and of what removes them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SessionId, type UserId } from "../../models/Id.ts"
import { detailNames, detailsOf, type SessionDetails, sessionIdOf } from "../../storage/Details.ts"
import { absent, at, claim, type Draw, present, law, type Law, rejects, same, sameSecond } from "./Law.ts"

const farAhead = at("2099-12-31T23:59:59Z")
const longAgo = at("2001-02-03T04:05:06Z")

/** Signs a user in and answers the token. */
const signedIn = ({ soon, store, text }: Draw, userId: UserId, expires = soon) =>
  Effect.map(store.createSession({ sessionToken: text(), userId, expires }), ({ sessionToken }) => sessionToken)

/** The ids of a user's sessions, in order. */
const idsOf = ({ store }: Draw, userId: UserId) =>
  Effect.map(store.listSessions(userId), (sessions) => sessions.map(({ id }) => id))

const sameIds = (found: ReadonlyArray<string>, expected: ReadonlyArray<string>, what: string) =>
  claim(found.join() === expected.join(), `${what} are ${found.join(", ")} instead of ${expected.join(", ")}`)

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

/** Are these details of a row those that were written? */
const sameDetails = (row: object, expected: SessionDetails, names: ReadonlyArray<keyof SessionDetails>) =>
  Effect.forEach(
    names,
    (name) => {
      const [is, was] = [detailsOf(row)[name], expected[name]]
      return is instanceof Date && was instanceof Date ? sameSecond(is, was, name) : same(is, was, name)
    },
    { discard: true }
  )

export const sessionLaws: ReadonlyArray<Law> = [
  law({
    name: "a session is found with its user",
    demands: "createSession answers the session, and its token finds it together with the user whose it is.",
    needs: ["createUser", "createSession", "getSessionAndUser"],
    check: ({ soon, store, stored, text }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const [mine, theirs] = [text(), text()]
        const row = yield* store.createSession({ sessionToken: mine, userId: one.id, expires: soon })
        yield* store.createSession({ sessionToken: theirs, userId: other.id, expires: farAhead })
        yield* sameSecond(row.expires, soon, "the end in the answer")
        const { session, user } = yield* present(store.getSessionAndUser(row.sessionToken), "the session")
        yield* same(session.sessionToken, row.sessionToken, "the token")
        yield* same(session.userId, one.id, "the user id of the session")
        yield* same(user.id, one.id, "the user")
        yield* same(user.email, one.email, "the address of the user")
        yield* sameSecond(session.expires, soon, "the end")
        const second = yield* present(store.getSessionAndUser(theirs), "the session of the other user")
        yield* same(second.user.id, other.id, "the other user")
        yield* sameSecond(second.session.expires, farAhead, "the end of the other session")
      })
  }),
  law({
    name: "unknown sessions are not found",
    demands: "An unknown token finds nothing, and neither does another case or a part of one.",
    needs: ["createUser", "createSession", "getSessionAndUser"],
    check: ({ soon, store, stored, text }) =>
      Effect.gen(function* () {
        const token = `${text()}a`
        yield* store.createSession({ sessionToken: token, userId: (yield* stored()).id, expires: soon })
        for (const other of [text(), token.toUpperCase(), token.slice(0, -1), `${token} `, "", "%", "*"])
          yield* absent(store.getSessionAndUser(other), `the session ${JSON.stringify(other)}`)
      })
  }),
  law({
    name: "an ended session is answered with its end",
    demands: "The caller decides whether a session has ended, so the store returns it until it is removed.",
    needs: ["createUser", "createSession", "getSessionAndUser"],
    check: ({ store, stored, text }) =>
      Effect.gen(function* () {
        const sessionToken = text()
        yield* store.createSession({ sessionToken, userId: (yield* stored()).id, expires: longAgo })
        const { session } = yield* present(store.getSessionAndUser(sessionToken), "the ended session")
        yield* sameSecond(session.expires, longAgo, "the end")
      })
  }),
  law({
    name: "a session token belongs to one session",
    demands: "A second session with the same token is refused, and the first one stays as it is.",
    needs: ["createUser", "createSession", "getSessionAndUser"],
    check: ({ soon, store, stored, text }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const sessionToken = text()
        yield* store.createSession({ sessionToken, userId: one.id, expires: soon })
        yield* rejects(
          store.createSession({ sessionToken, userId: other.id, expires: farAhead }),
          "a second session with the same token",
          "unique"
        )
        const { session, user } = yield* present(store.getSessionAndUser(sessionToken), "the session")
        yield* same(user.id, one.id, "the user")
        yield* sameSecond(session.expires, soon, "the end")
      })
  }),
  law({
    name: "a session of an unknown user is not found",
    demands: "createSession for a user who is not there is refused, or the session is not found.",
    needs: ["createUser", "createSession", "getSessionAndUser"],
    check: ({ soon, store, stored, text, unknownId }) =>
      Effect.gen(function* () {
        yield* stored()
        const sessionToken = text()
        yield* Effect.result(store.createSession({ sessionToken, userId: unknownId(), expires: soon }))
        yield* absent(store.getSessionAndUser(sessionToken), "a session of an unknown user")
      })
  }),
  law({
    name: "updateSession moves the end of that session",
    demands: "The end is the new one, the user is the same, and other sessions stay.",
    needs: ["createUser", "createSession", "getSessionAndUser", "updateSession"],
    check: ({ soon, store, stored, text }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const [moved, stays] = [text(), text()]
        yield* store.createSession({ sessionToken: moved, userId: one.id, expires: soon })
        yield* store.createSession({ sessionToken: stays, userId: one.id, expires: soon })
        for (const expires of [farAhead, longAgo]) {
          const answer = yield* present(store.updateSession({ sessionToken: moved, expires }), "the changed session")
          yield* sameSecond(answer.expires, expires, "the end in the answer")
          yield* same(answer.userId, one.id, "the user in the answer")
          const { session, user } = yield* present(store.getSessionAndUser(moved), "the session")
          yield* sameSecond(session.expires, expires, "the end")
          yield* same(user.id, one.id, "the user")
        }
        const { session } = yield* present(store.getSessionAndUser(stays), "the other session")
        yield* sameSecond(session.expires, soon, "the end of the other session")
      })
  }),
  law({
    name: "updateSession never brings a session back",
    demands: "For a session that was deleted, or never was, it answers nothing, creates nothing and does not fail.",
    needs: ["createUser", "createSession", "getSessionAndUser", "updateSession", "deleteSession"],
    check: ({ soon, store, stored, text }) =>
      Effect.gen(function* () {
        const sessionToken = text()
        yield* store.createSession({ sessionToken, userId: (yield* stored()).id, expires: soon })
        yield* store.deleteSession(sessionToken)
        for (const token of [sessionToken, text()]) {
          yield* absent(store.updateSession({ sessionToken: token, expires: farAhead }), "a change of no session")
          yield* absent(store.getSessionAndUser(token), "a session that was only changed")
        }
      })
  }),
  law({
    name: "deleteSession removes that session",
    demands: "It is gone for good, others stay, and deleting what is not there does not fail.",
    needs: ["createUser", "createSession", "getSessionAndUser", "deleteSession"],
    check: ({ soon, store, stored, text }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const [gone, stays] = [text(), text()]
        yield* store.createSession({ sessionToken: gone, userId: one.id, expires: soon })
        yield* store.createSession({ sessionToken: stays, userId: one.id, expires: soon })
        const answer = Option.getOrUndefined(yield* store.deleteSession(gone))
        if (answer !== undefined) {
          yield* same(answer.sessionToken, gone, "the token in the answer")
          yield* same(answer.userId, one.id, "the user in the answer")
        }
        yield* absent(store.getSessionAndUser(gone), "the deleted session")
        yield* absent(store.deleteSession(gone), "a session that is deleted already")
        yield* absent(store.deleteSession(text()), "a session that never was")
        yield* present(store.getSessionAndUser(stays), "the other session")
      })
  }),
  law({
    name: "listSessions answers the sessions of the user",
    demands:
      "All of theirs that have not ended, the one that ends last first, none of others, and an empty list for an unknown user.",
    needs: ["createUser", "createSession", "listSessions"],
    check: (draw) =>
      Effect.gen(function* () {
        const { soon, store, stored, unknownId } = draw
        const [one, other, newcomer] = [yield* stored(), yield* stored(), yield* stored()]
        const hour = 3_600_000
        const first = yield* signedIn(draw, one.id)
        const third = yield* signedIn(draw, one.id, at(soon.getTime() + 2 * hour))
        const second = yield* signedIn(draw, one.id, at(soon.getTime() + hour))
        yield* signedIn(draw, one.id, at(soon.getTime() - hour - 1000))
        const theirs = yield* signedIn(draw, other.id, farAhead)
        const sessions = yield* store.listSessions(one.id)
        yield* same(sessions.length, 3, "the number of sessions")
        yield* sameIds(
          sessions.map(({ id }) => id),
          [third, second, first].map(sessionIdOf),
          "the sessions of the user"
        )
        for (const [index, session] of sessions.entries())
          yield* sameSecond(session.expires, at(soon.getTime() + (2 - index) * hour), "the end")
        yield* sameIds(yield* idsOf(draw, other.id), [sessionIdOf(theirs)], "the sessions of the other user")
        for (const id of [newcomer.id, unknownId()])
          yield* sameIds(yield* idsOf(draw, id), [], "the sessions of an unknown user")
      })
  }),
  law({
    name: "the id of a session stays",
    demands: "It is sessionIdOf of the token, whatever becomes of its end and of other sessions.",
    needs: ["createUser", "createSession", "updateSession", "deleteSession", "listSessions"],
    check: (draw) =>
      Effect.gen(function* () {
        const { store, stored } = draw
        const { id: userId } = yield* stored()
        const [before, kept] = [yield* signedIn(draw, userId), yield* signedIn(draw, userId)]
        const both = [before, kept].map(sessionIdOf).sort()
        yield* sameIds((yield* idsOf(draw, userId)).toSorted(), both, "the ids")
        yield* store.updateSession({ sessionToken: kept, expires: farAhead })
        yield* sameIds(yield* idsOf(draw, userId), [kept, before].map(sessionIdOf), "the ids after a change")
        yield* store.deleteSession(before)
        yield* sameIds(yield* idsOf(draw, userId), [sessionIdOf(kept)], "the ids after a session less")
      })
  }),
  law({
    name: "the id of a session is no token",
    demands: "It finds no session, changes none and deletes none, whatever is put before it.",
    needs: ["createUser", "createSession", "getSessionAndUser", "updateSession", "deleteSession", "listSessions"],
    check: (draw) =>
      Effect.gen(function* () {
        const { soon, store, stored } = draw
        const { id: userId } = yield* stored()
        const token = yield* signedIn(draw, userId)
        for (const { id } of yield* store.listSessions(userId)) {
          yield* claim(!id.includes(token), "the id holds the token")
          for (const sessionToken of [id, `sha256:${id}`]) {
            yield* absent(store.getSessionAndUser(sessionToken), "a session by its id")
            yield* absent(
              store.updateSession({ sessionToken, expires: farAhead }),
              "a session that is changed by its id"
            )
            yield* absent(store.deleteSession(sessionToken), "a session that is deleted by its id")
          }
        }
        const { session } = yield* present(store.getSessionAndUser(token), "the session")
        yield* sameSecond(session.expires, soon, "the end")
      })
  }),
  law({
    name: "endSession ends that session",
    demands:
      "It answers true, the session is gone for good and others stay; a second time and for unknown ids it answers false.",
    needs: ["createUser", "createSession", "getSessionAndUser", "endSession"],
    check: (draw) =>
      Effect.gen(function* () {
        const { store, stored, text } = draw
        const { id: userId } = yield* stored()
        const [stays, gone, last] = [
          yield* signedIn(draw, userId),
          yield* signedIn(draw, userId),
          yield* signedIn(draw, userId)
        ]
        const id = sessionIdOf(gone)
        yield* same(yield* store.endSession(userId, id), true, "the answer for a session")
        yield* absent(store.getSessionAndUser(gone), "the ended session")
        yield* same(yield* store.endSession(userId, id), false, "the answer for a session that is ended already")
        for (const other of [sessionIdOf(text()), sessionIdOf(id), SessionId.make(`${id.slice(0, -1)}-`)])
          yield* same(yield* store.endSession(userId, other), false, "the answer for a session that never was")
        for (const token of [stays, last]) yield* present(store.getSessionAndUser(token), "another session")
      })
  }),
  law({
    name: "endSession ends nothing of others",
    demands: "With the id of another user's session it answers false, and that session stays.",
    needs: ["createUser", "createSession", "getSessionAndUser", "endSession"],
    check: (draw) =>
      Effect.gen(function* () {
        const { store, stored, unknownId } = draw
        const [one, other] = [yield* stored(), yield* stored()]
        const [mine, theirs] = [yield* signedIn(draw, one.id), yield* signedIn(draw, other.id)]
        for (const userId of [one.id, unknownId()])
          yield* same(
            yield* store.endSession(userId, sessionIdOf(theirs)),
            false,
            "the answer for the session of another"
          )
        yield* present(store.getSessionAndUser(theirs), "the session of the other user")
        yield* present(store.getSessionAndUser(mine), "the session of the user")
        yield* same(yield* store.endSession(other.id, sessionIdOf(theirs)), true, "the answer for one's own session")
      })
  }),
  law({
    name: "deleteSessions ends the sessions of the user",
    demands: "All of theirs but the one that is named, none of others.",
    needs: ["createUser", "createSession", "getSessionAndUser", "deleteSessions"],
    check: ({ soon, store, stored, text }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const [first, second, current, theirs] = [text(), text(), text(), text()]
        for (const sessionToken of [first, second, current])
          yield* store.createSession({ sessionToken, userId: one.id, expires: soon })
        yield* store.createSession({ sessionToken: theirs, userId: other.id, expires: soon })
        yield* store.deleteSessions(one.id, current)
        yield* absent(store.getSessionAndUser(first), "a session of the user")
        yield* absent(store.getSessionAndUser(second), "another session of the user")
        yield* present(store.getSessionAndUser(current), "the session that was named")
        yield* store.deleteSessions(one.id)
        yield* absent(store.getSessionAndUser(current), "the last session of the user")
        yield* present(store.getSessionAndUser(theirs), "the session of the other user")
      })
  }),
  law({
    name: "a session keeps its details",
    demands:
      "Look-ups answer lastSeenAt, authenticatedAt, all of amr, and acr; lists answer every detail; a session without has none.",
    needs: ["createUser", "createSession", "getSessionAndUser", "listSessions", "touchSession"],
    check: ({ soon, store, stored, text }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const [detailed, plain] = [text(), text()]
        yield* store.createSession({ sessionToken: detailed, userId: one.id, expires: soon, ...details })
        yield* store.createSession({ sessionToken: plain, userId: one.id, expires: soon })
        const { session } = yield* present(store.getSessionAndUser(detailed), "the session")
        yield* sameDetails(session, details, ["lastSeenAt", "authenticatedAt", "amr", "acr"])
        const sessions = yield* store.listSessions(one.id)
        for (const listed of sessions)
          yield* sameDetails(listed, listed.id === sessionIdOf(detailed) ? details : {}, detailNames)
        const bare = yield* present(store.getSessionAndUser(plain), "the session without details")
        yield* sameDetails(bare.session, {}, ["lastSeenAt", "authenticatedAt", "amr", "acr"])
      })
  }),
  law({
    name: "touchSession changes when that session was last seen",
    demands: "Its end and its other details stay, other sessions stay, and nothing happens for an unknown token.",
    needs: ["createUser", "createSession", "getSessionAndUser", "listSessions", "touchSession"],
    check: ({ soon, store, stored, text }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const [seen, other, unknown] = [text(), text(), text()]
        for (const sessionToken of [seen, other])
          yield* store.createSession({ sessionToken, userId: one.id, expires: soon, ...details })
        const lastSeenAt = at(details.lastSeenAt.getTime() + 600_000)
        yield* store.touchSession(seen, lastSeenAt)
        yield* store.touchSession(unknown, lastSeenAt)
        const { session } = yield* present(store.getSessionAndUser(seen), "the session")
        yield* sameSecond(session.expires, soon, "the end of the session")
        for (const listed of yield* store.listSessions(one.id)) {
          const expected = listed.id === sessionIdOf(seen) ? { ...details, lastSeenAt } : details
          yield* sameDetails(listed, expected, detailNames)
        }
        yield* absent(store.getSessionAndUser(unknown), "the session of an unknown token")
      })
  }),
  law({
    name: "sweep removes what has ended, in bounded steps",
    demands: "No more rows of a kind at once than it may, all of them in the end, and none that ends later.",
    needs: ["createUser", "createSession", "getSessionAndUser", "sweep"],
    check: ({ store, stored, text }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const expiredTokens = [text(), text(), text()]
        const stays = text()
        for (const sessionToken of expiredTokens)
          yield* store.createSession({ sessionToken, userId: one.id, expires: longAgo })
        yield* store.createSession({ sessionToken: stays, userId: one.id, expires: farAhead })
        const before = at(longAgo.getTime() + 1000)
        const remaining = Effect.map(
          Effect.forEach(expiredTokens, store.getSessionAndUser),
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
      })
  })
]
