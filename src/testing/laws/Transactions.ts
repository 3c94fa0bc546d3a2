/**
 * Laws of units of work.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { AdapterMethod } from "../../storage/AdapterShape.ts"
import { absent, type Draw, present, law, type Law, Objection, same, type Watch } from "./Law.ts"

const needs: ReadonlyArray<AdapterMethod> = [
  "transaction",
  "createUser",
  "getUser",
  "getUserByEmail",
  "updateUser",
  "linkAccount",
  "getUserByAccount",
  "createSession",
  "getSessionAndUser",
  "deleteSession"
]

/** A program that changes a little of everything, and a look at whether all of it or nothing of it counts. */
const makeWork = ({ account, soon, store, stored, text, user }: Draw) =>
  Effect.gen(function* () {
    const before = yield* stored({ name: "before" })
    const earlierToken = text()
    yield* store.createSession({ sessionToken: earlierToken, userId: before.id, expires: soon })
    const email = user().email ?? ""
    const newAccount = account(before.id)
    const laterToken = text()
    const work = Effect.gen(function* () {
      const row = yield* store.createUser(user({ email }))
      yield* store.linkAccount(newAccount)
      yield* store.linkAccount(account(row.id))
      yield* store.createSession({ sessionToken: laterToken, userId: row.id, expires: soon })
      yield* store.updateUser({ id: before.id, name: "after" })
      yield* store.deleteSession(earlierToken)
      yield* present(store.getUserByEmail(email), "a user within the transaction that creates it")
      yield* absent(store.getSessionAndUser(earlierToken), "a session within the transaction that deletes it")
    })
    const nothing = Effect.gen(function* () {
      yield* absent(store.getUserByEmail(email), "a user who was taken back")
      yield* absent(store.getUserByAccount(newAccount), "an account that was taken back")
      yield* absent(store.getSessionAndUser(laterToken), "a session that was taken back")
      yield* present(store.getSessionAndUser(earlierToken), "a session whose deletion was taken back")
      yield* same((yield* present(store.getUser(before.id), "the user")).name, "before", "the name")
    })
    const everything = Effect.gen(function* () {
      yield* present(store.getUserByEmail(email), "the created user")
      yield* same((yield* present(store.getUserByAccount(newAccount), "the linked account")).id, before.id, "its user")
      yield* present(store.getSessionAndUser(laterToken), "the created session")
      yield* absent(store.getSessionAndUser(earlierToken), "the deleted session")
      yield* same((yield* present(store.getUser(before.id), "the user")).name, "after", "the name")
    })
    return { work, nothing, everything }
  })

const objection = new Objection({ reason: "the failure of the program" })

export const transactionLaws: ReadonlyArray<Law> = [
  law({
    name: "a transaction that succeeds counts",
    demands: "It answers what its program answers, sees its own changes, and all of them are there afterwards.",
    needs,
    check: (draw) =>
      Effect.gen(function* () {
        const { everything, work } = yield* makeWork(draw)
        yield* same(yield* draw.store.transaction(Effect.as(work, 42)), 42, "the answer")
        yield* everything
      })
  }),
  law({
    name: "a transaction that fails leaves nothing",
    demands: "It fails with the failure of its program, everything is as it was, and a repeat succeeds.",
    needs,
    check: (draw) =>
      Effect.gen(function* () {
        const { everything, nothing, work } = yield* makeWork(draw)
        const result = yield* Effect.result(draw.store.transaction(Effect.andThen(work, Effect.fail(objection))))
        if (result._tag === "Success")
          return yield* Effect.fail(new Objection({ reason: "it succeeds although its program fails" }))
        if (result.failure !== objection) return yield* Effect.fail(result.failure)
        yield* nothing
        yield* draw.store.transaction(work)
        yield* everything
      })
  }),
  law({
    name: "a transaction that dies leaves nothing",
    demands: "A defect of the program takes everything back.",
    needs,
    check: (draw) =>
      Effect.gen(function* () {
        const { nothing, work } = yield* makeWork(draw)
        yield* Effect.exit(draw.store.transaction(Effect.andThen(work, Effect.die("a defect of the program"))))
        yield* nothing
      })
  }),
  law({
    name: "a transaction that is interrupted leaves nothing",
    demands: "An interruption between its calls takes everything back, and the next transaction is not held up.",
    needs,
    check: (draw) =>
      Effect.gen(function* () {
        const { everything, nothing, work } = yield* makeWork(draw)
        const latch = yield* Deferred.make<void>()
        const waiting = Effect.andThen(Deferred.succeed(latch, undefined), Effect.never)
        const fiber = yield* Effect.forkChild(draw.store.transaction(Effect.andThen(work, waiting)))
        yield* Effect.raceFirst(Deferred.await(latch), Fiber.join(fiber))
        yield* Fiber.interrupt(fiber)
        yield* nothing
        yield* draw.store.transaction(work)
        yield* everything
      })
  }),
  law({
    name: "a transaction within another can fail alone",
    demands: "What the inner one did is taken back, what the outer one did counts.",
    needs,
    check: (draw) =>
      Effect.gen(function* () {
        const { store } = draw
        const outer = yield* makeWork(draw)
        const inner = yield* makeWork(draw)
        const failing: Watch = store.transaction(Effect.andThen(inner.work, Effect.fail(objection)))
        yield* store.transaction(
          Effect.andThen(
            outer.work,
            Effect.catch(failing, (error) => (error === objection ? Effect.void : Effect.fail(error)))
          )
        )
        yield* outer.everything
        yield* inner.nothing
      })
  }),
  law({
    name: "a transaction within one that fails leaves nothing",
    demands: "An inner transaction counts only when the outer one does.",
    needs,
    check: (draw) =>
      Effect.gen(function* () {
        const { store } = draw
        const outer = yield* makeWork(draw)
        const inner = yield* makeWork(draw)
        const both = Effect.andThen(outer.work, store.transaction(inner.work))
        yield* Effect.catch(store.transaction(Effect.andThen(both, Effect.fail(objection))), (error): Watch =>
          error === objection ? Effect.void : Effect.fail(error)
        )
        yield* outer.nothing
        yield* inner.nothing
      })
  }),
  law({
    name: "transactions at once do not mix",
    demands: "Of sixteen at once, every other one failing, exactly the others count.",
    needs,
    check: (draw) =>
      Effect.gen(function* () {
        const works = yield* Effect.forEach(Array.from({ length: 16 }), () => makeWork(draw))
        yield* Effect.forEach(
          works,
          ({ work }, index): Watch =>
            index % 2 === 0
              ? draw.store.transaction(work)
              : Effect.catch(draw.store.transaction(Effect.andThen(work, Effect.fail(objection))), (error) =>
                  error === objection ? Effect.void : Effect.fail(error)
                ),
          { concurrency: "unbounded", discard: true }
        )
        for (const [index, { everything, nothing }] of works.entries()) yield* index % 2 === 0 ? everything : nothing
      })
  }),
  law({
    name: "a transaction does not undo what others do meanwhile",
    demands: "Calls from elsewhere during a transaction that fails are kept.",
    needs,
    check: (draw) =>
      Effect.gen(function* () {
        const { store } = draw
        const { nothing, work } = yield* makeWork(draw)
        const one = yield* draw.stored({ name: "before" })
        const inside = yield* Deferred.make<void>()
        const failing = store.transaction(
          Effect.gen(function* () {
            yield* work
            yield* Deferred.succeed(inside, undefined)
            for (let turns = 0; turns < 20; turns++) yield* Effect.yieldNow
            return yield* Effect.fail(objection)
          })
        )
        const fiber = yield* Effect.forkChild(
          Effect.catch(failing, (error): Watch => (error === objection ? Effect.void : Effect.fail(error)))
        )
        yield* Effect.raceFirst(Deferred.await(inside), Fiber.join(fiber))
        yield* store.updateUser({ id: one.id, name: "after" })
        const other = yield* draw.stored()
        yield* Fiber.join(fiber)
        yield* nothing
        yield* same((yield* present(store.getUser(one.id), "the user")).name, "after", "the name")
        yield* present(store.getUser(other.id), "a user who was created meanwhile")
      })
  })
]
