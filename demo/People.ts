/**
 * The two people who have a password. The application keeps passwords, not the library, which only asks
 * whose they are.
 */
import { createHash, randomUUID, timingSafeEqual } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { asUserId } from "../src/models/Id.ts"
import type { AdapterUser } from "../src/Models.ts"
import type { Store } from "./Store.ts"

const people: ReadonlyArray<{
  readonly login: string
  readonly name: string
  readonly email: string
  readonly password: string
}> = [
  { login: "ada", name: "Ada Lovelace", email: "ada@app.example", password: "analytical-engine" },
  { login: "grace", name: "Grace Hopper", email: "grace@app.example", password: "first-compiler" }
]

/** Does the user with this address have a password? */
export const hasPassword = (email: string): boolean => people.some((person) => person.email === email)

/** Puts them into the store, where they are not there already. */
export const settlePeople = async ({ adapter, run }: Store): Promise<void> => {
  for (const { email, name } of people) {
    await run(
      Effect.flatMap(adapter.getUserByEmail(email), (known) =>
        Option.isSome(known)
          ? Effect.void
          : Effect.catchTag(
              // The store may give another id. The address is not proven yet.
              Effect.asVoid(adapter.createUser({ id: asUserId(randomUUID()), name, email, emailVerified: null })),
              "AdapterError",
              // Another process that starts at this moment was faster.
              (error) => (error.reason === "unique" ? Effect.void : Effect.fail(error))
            )
      )
    )
  }
}

/** The user with this name and password, as the store knows them; else `null`. */
export const checkPassword = async (
  { adapter, run }: Store,
  login: string | undefined,
  password: string | undefined
): Promise<AdapterUser | null> => {
  const person = people.find((one) => one.login === login)
  // Compares also for a name that no user has, so that both wrong answers take the same time.
  const right = samePassword(password ?? "", person?.password ?? "")
  if (person === undefined || !right) return null
  return Option.getOrNull(await run(adapter.getUserByEmail(person.email)))
}

// Real applications keep a slow hash of the password (scrypt, Argon2id); a demo with published ones has nothing to keep.
const samePassword = (given: string, wanted: string): boolean => timingSafeEqual(sha256(given), sha256(wanted))

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest()
