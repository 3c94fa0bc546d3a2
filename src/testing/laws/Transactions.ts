/**
 * Laws of units of work.
 *
 * @since 0.1.0
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { AdapterMethod } from "../../storage/AdapterShape.ts"
import { absent, claim, type Draw, finds, law, type Law, Objection, present, same, type Watch } from "./Law.ts"

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
const makeWork = ({ account, signIn, store, stored, text, user }: Draw) =>
  Effect.gen(function* () {
    const before = yield* stored({ name: "before" })
    const earlier = yield* signIn(before.id)
    const [email, later, newAccount] = [`${text()}@laws.example`, text(), account(before.id)]
    const work = Effect.gen(function* () {
      const { id } = yield* store.createUser(user({ email }))
      yield* store.linkAccount(newAccount)
      yield* store.linkAccount(account(id))
      yield* signIn(id, { sessionToken: later })
      yield* store.updateUser({ id: before.id, name: "after" })
      yield* store.deleteSession(earlier)
      yield* present(store.getUserByEmail(email), "a user within the transaction that creates it")
      yield* absent(store.getSessionAndUser(earlier), "a session within the transaction that deletes it")
    })
    const nothing = Effect.gen(function* () {
      yield* absent(store.getUserByEmail(email), "a user who was taken back")
      yield* absent(store.getUserByAccount(newAccount), "an account that was taken back")
      yield* absent(store.getSessionAndUser(later), "a session that was taken back")
      yield* present(store.getSessionAndUser(earlier), "a session whose deletion was taken back")
      yield* same((yield* present(store.getUser(before.id), "the user")).name, "before", "the name")
    })
    const everything = Effect.gen(function* () {
      yield* present(store.getUserByEmail(email), "the created user")
      yield* finds(store.getUserByAccount(newAccount), before.id, "the user of the linked account")
      yield* present(store.getSessionAndUser(later), "the created session")
      yield* absent(store.getSessionAndUser(earlier), "the deleted session")
      yield* same((yield* present(store.getUser(before.id), "the user")).name, "after", "the name")
    })
    return { work, nothing, everything }
  })

const objection = new Objection({ reason: "the failure of the program" })

/** Runs a transaction whose program fails at its end. Objects unless that failure is its failure. */
const failing = ({ store }: Draw, work: Watch): Watch =>
  Effect.flatMap(Effect.result(store.transaction(Effect.andThen(work, Effect.fail(objection)))), (result) => {
    if (result._tag === "Success") return claim(false, "it succeeds although its program fails")
    return result.failure === objection ? Effect.void : Effect.fail(result.failure)
  })

export const transactionLaws: ReadonlyArray<Law> = [
  law(
    "a transaction that succeeds counts",
    "It answers what its program answers, sees its own changes, and all of them are there afterwards.",
    needs,
    function* (draw) {
      const { everything, work } = yield* makeWork(draw)
      yield* same(yield* draw.store.transaction(Effect.as(work, 42)), 42, "the answer")
      yield* everything
    }
  ),
  law(
    "a transaction that fails leaves nothing",
    "It fails with the failure of its program, everything is as it was, and a repeat succeeds.",
    needs,
    function* (draw) {
      const { everything, nothing, work } = yield* makeWork(draw)
      yield* failing(draw, work)
      yield* nothing
      yield* draw.store.transaction(work)
      yield* everything
    }
  ),
  law(
    "a transaction that dies leaves nothing",
    "A defect of the program takes everything back.",
    needs,
    function* (draw) {
      const { nothing, work } = yield* makeWork(draw)
      yield* Effect.exit(draw.store.transaction(Effect.andThen(work, Effect.die("a defect of the program"))))
      yield* nothing
    }
  ),
  law(
    "a transaction that is interrupted leaves nothing",
    "An interruption between its calls takes everything back, and the next transaction is not held up.",
    needs,
    function* (draw) {
      const { everything, nothing, work } = yield* makeWork(draw)
      const latch = yield* Deferred.make<void>()
      const waiting = Effect.andThen(Deferred.succeed(latch, undefined), Effect.never)
      const fiber = yield* Effect.forkChild(draw.store.transaction(Effect.andThen(work, waiting)))
      yield* Effect.raceFirst(Deferred.await(latch), Fiber.join(fiber))
      yield* Fiber.interrupt(fiber)
      yield* nothing
      yield* draw.store.transaction(work)
      yield* everything
    }
  ),
  law(
    "a transaction within another can fail alone",
    "What the inner one did is taken back, what the outer one did counts.",
    needs,
    function* (draw) {
      const [outer, inner] = [yield* makeWork(draw), yield* makeWork(draw)]
      yield* draw.store.transaction(Effect.andThen(outer.work, failing(draw, inner.work)))
      yield* outer.everything
      yield* inner.nothing
    }
  ),
  law(
    "a transaction within one that fails leaves nothing",
    "An inner transaction counts only when the outer one does.",
    needs,
    function* (draw) {
      const [outer, inner] = [yield* makeWork(draw), yield* makeWork(draw)]
      yield* failing(draw, Effect.andThen(outer.work, draw.store.transaction(inner.work)))
      yield* outer.nothing
      yield* inner.nothing
    }
  ),
  law(
    "transactions at once do not mix",
    "Of sixteen at once, every other one failing, exactly the others count.",
    needs,
    function* (draw) {
      const works = yield* Effect.forEach(Array.from({ length: 16 }), () => makeWork(draw))
      yield* Effect.forEach(
        works,
        ({ work }, index) => (index % 2 === 0 ? draw.store.transaction(work) : failing(draw, work)),
        { concurrency: "unbounded", discard: true }
      )
      for (const [index, { everything, nothing }] of works.entries()) yield* index % 2 === 0 ? everything : nothing
    }
  ),
  law(
    "a transaction does not undo what others do meanwhile",
    "Calls from elsewhere during a transaction that fails are kept.",
    needs,
    function* (draw) {
      const { store, stored } = draw
      const { nothing, work } = yield* makeWork(draw)
      const one = yield* stored({ name: "before" })
      const inside = yield* Deferred.make<void>()
      const slow = Effect.andThen(
        Effect.andThen(work, Deferred.succeed(inside, undefined)),
        Effect.replicateEffect(Effect.yieldNow, 20, { discard: true })
      )
      const fiber = yield* Effect.forkChild(failing(draw, slow))
      yield* Effect.raceFirst(Deferred.await(inside), Fiber.join(fiber))
      yield* store.updateUser({ id: one.id, name: "after" })
      const other = yield* stored()
      yield* Fiber.join(fiber)
      yield* nothing
      yield* same((yield* present(store.getUser(one.id), "the user")).name, "after", "the name")
      yield* present(store.getUser(other.id), "a user who was created meanwhile")
    }
  )
]
