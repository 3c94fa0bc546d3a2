/**
 * Laws of sessions, and of what removes them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { absent, at, claim, found, law, type Law, refused, same, sameSecond } from "./Law.ts"

const farAhead = at("2099-12-31T23:59:59Z")
const longAgo = at("2001-02-03T04:05:06Z")

export const sessionLaws: ReadonlyArray<Law> = [
  law({
    name: "a session is found with its user",
    demands: "createSession answers the session, and its token finds it together with the user whose it is.",
    needs: ["createUser", "createSession", "getSessionAndUser"],
    check: ({ soon, store, stored, text }) =>
      Effect.gen(function* () {
        const [one, other] = [yield* stored(), yield* stored()]
        const [mine, theirs] = [text(), text()]
        const created = yield* store.createSession({ sessionToken: mine, userId: one.id, expires: soon })
        yield* store.createSession({ sessionToken: theirs, userId: other.id, expires: farAhead })
        yield* sameSecond(created.expires, soon, "the end in the answer")
        const { session, user } = yield* found(store.getSessionAndUser(created.sessionToken), "the session")
        yield* same(session.sessionToken, created.sessionToken, "the token")
        yield* same(session.userId, one.id, "the user id of the session")
        yield* same(user.id, one.id, "the user")
        yield* same(user.email, one.email, "the address of the user")
        yield* sameSecond(session.expires, soon, "the end")
        const second = yield* found(store.getSessionAndUser(theirs), "the session of the other user")
        yield* same(second.user.id, other.id, "the other user")
        yield* sameSecond(second.session.expires, farAhead, "the end of the other session")
      })
  }),
  law({
    name: "unknown sessions are not found",
    demands: "A token that nobody has finds nothing, and neither does another case or a part of one.",
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
    demands: "Whether a session has ended is for the caller to say, so it is answered until somebody removes it.",
    needs: ["createUser", "createSession", "getSessionAndUser"],
    check: ({ store, stored, text }) =>
      Effect.gen(function* () {
        const sessionToken = text()
        yield* store.createSession({ sessionToken, userId: (yield* stored()).id, expires: longAgo })
        const { session } = yield* found(store.getSessionAndUser(sessionToken), "the ended session")
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
        yield* refused(
          store.createSession({ sessionToken, userId: other.id, expires: farAhead }),
          "a second session with the same token",
          "unique"
        )
        const { session, user } = yield* found(store.getSessionAndUser(sessionToken), "the session")
        yield* same(user.id, one.id, "the user")
        yield* sameSecond(session.expires, soon, "the end")
      })
  }),
  law({
    name: "a session of nobody is not found",
    demands: "createSession for a user who is not there is refused, or the session is not found.",
    needs: ["createUser", "createSession", "getSessionAndUser"],
    check: ({ soon, store, stored, text, unknownId }) =>
      Effect.gen(function* () {
        yield* stored()
        const sessionToken = text()
        yield* Effect.result(store.createSession({ sessionToken, userId: unknownId(), expires: soon }))
        yield* absent(store.getSessionAndUser(sessionToken), "a session of nobody")
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
          const answer = yield* found(store.updateSession({ sessionToken: moved, expires }), "the changed session")
          yield* sameSecond(answer.expires, expires, "the end in the answer")
          yield* same(answer.userId, one.id, "the user in the answer")
          const { session, user } = yield* found(store.getSessionAndUser(moved), "the session")
          yield* sameSecond(session.expires, expires, "the end")
          yield* same(user.id, one.id, "the user")
        }
        const { session } = yield* found(store.getSessionAndUser(stays), "the other session")
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
        yield* found(store.getSessionAndUser(stays), "the other session")
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
        yield* found(store.getSessionAndUser(current), "the session that was named")
        yield* store.deleteSessions(one.id)
        yield* absent(store.getSessionAndUser(current), "the last session of the user")
        yield* found(store.getSessionAndUser(theirs), "the session of the other user")
      })
  }),
  law({
    name: "sweep removes what has ended, in bounded steps",
    demands: "No more rows of a kind at once than it may, all of them in the end, and none that ends later.",
    needs: ["createUser", "createSession", "getSessionAndUser", "sweep"],
    check: ({ store, stored, text }) =>
      Effect.gen(function* () {
        const one = yield* stored()
        const ended = [text(), text(), text()]
        const stays = text()
        for (const sessionToken of ended) yield* store.createSession({ sessionToken, userId: one.id, expires: longAgo })
        yield* store.createSession({ sessionToken: stays, userId: one.id, expires: farAhead })
        const before = at(longAgo.getTime() + 1000)
        const remaining = Effect.map(
          Effect.forEach(ended, store.getSessionAndUser),
          (all) => all.filter(Option.isSome).length
        )
        yield* store.sweep(at(longAgo.getTime() - 1000), 1000)
        yield* same(yield* remaining, 3, "the number of sessions that end later than asked for")
        yield* store.sweep(before, 1)
        yield* claim((yield* remaining) >= 2, "one step of one row removes more than one session")
        for (let steps = 0; steps < 1000 && (yield* remaining) > 0; steps++)
          yield* claim((yield* store.sweep(before, 100)) > 0, "a sweep removes nothing although something has ended")
        yield* same(yield* remaining, 0, "the number of ended sessions")
        yield* found(store.getSessionAndUser(stays), "a session that has not ended")
      })
  })
]
