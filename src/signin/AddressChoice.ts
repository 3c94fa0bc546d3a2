/**
 * The proof of an address that waits for a choice: a user holds the address without proof.
 *
 * The browser that proved the address holds the proof in a sealed cookie for ten minutes. A sign-in by a method of that user
 * in the same browser makes the address theirs. `POST signin/‹provider›` with `account=new` begins a new account instead,
 * which takes the address. Nothing is written to the store before the person chose.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Settings, cookiesFor } from "../config/Settings.ts"
import { AuthRequest } from "../http/AuthRequest.ts"
import { clear, type ResponseCookie, set } from "../http/Cookie.ts"
import { singleValueOf } from "../http/CookieHeader.ts"
import { type AdapterError, type SharedStateError, Verification } from "../Errors.ts"
import * as Base64Url from "../crypto/Base64Url.ts"
import type { AdapterUser, User } from "../Models.ts"
import { Seal } from "../browser/Seal.ts"
import type { AdapterShape } from "../storage/AdapterShape.ts"
import { useOnce } from "../storage/AdapterState.ts"
import { isAddressOf } from "./ProvenAddress.ts"

/** Seconds for which the person may choose. */
const maxAge = 600

const AddressProof = Schema.Struct({
  /** Names the proof, which counts once. */
  id: Schema.String,
  /** Id of the provider that proved the address. */
  provider: Schema.String,
  email: Schema.String,
  /** Id of the user who holds the address. */
  holder: Schema.String,
  /** Where the sign-in leads. */
  target: Schema.String,
  /** Seconds since 1970. */
  until: Schema.Number,
  /** The person chose a new account, and a provider has to confirm the address again. */
  startsAnew: Schema.optional(Schema.Boolean)
})

/**
 * A proven address and the user who holds it without proof.
 *
 * @category models
 * @since 0.1.0
 */
export type AddressProof = typeof AddressProof.Type

const decode = Schema.decodeUnknownOption(AddressProof)

/**
 * Did a person who was asked before choose a new account? Then the user who holds the address is not theirs.
 *
 * @category guards
 * @since 0.1.0
 */
export const startsAnew = ({
  account,
  held
}: {
  readonly account: { readonly provider: string }
  readonly held?: AddressProof | undefined
}): boolean => held?.startsAnew === true && held.provider === account.provider

/**
 * Seals a proof into a cookie.
 *
 * @category combinators
 * @since 0.1.0
 */
export const holdProof = Effect.fnUntraced(function* (
  proof: Omit<AddressProof, "id" | "until"> & Partial<Pick<AddressProof, "id" | "until">>
): Effect.fn.Return<ResponseCookie, never, Settings | AuthRequest | Seal | SecureRandom.SecureRandom> {
  const { addressProof } = cookiesFor(yield* Settings, (yield* AuthRequest).url)
  const { randomBytes } = yield* SecureRandom.SecureRandom
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const { id = Base64Url.encode(yield* randomBytes(16)), until = now + maxAge } = proof
  const { seal } = yield* Seal
  const value = yield* seal(addressProof.name, { ...proof, id, until }, until - now)
  return set(addressProof, value, { maxAge: until - now })
})

/**
 * The proof that this browser holds.
 *
 * @category combinators
 * @since 0.1.0
 */
export const heldProof = (
  settings: Settings["Service"],
  { cookies, url }: AuthRequest["Service"]
): Effect.Effect<AddressProof | undefined, never, Seal> => {
  const { name } = cookiesFor(settings, url).addressProof
  const value = singleValueOf(cookies, name)
  return value === undefined || value === "" ? Effect.undefined : openedProof(name, value)
}

const openedProof = Effect.fnUntraced(function* (
  name: string,
  value: string
): Effect.fn.Return<AddressProof | undefined, never, Seal> {
  const opened = yield* Effect.flatMap(Seal, ({ open }) => open(name, value))
  const proof = opened.ok ? Option.getOrUndefined(decode(opened.claims)) : undefined
  return proof === undefined || proof.until * 1000 <= (yield* Clock.currentTimeMillis) ? undefined : proof
})

/**
 * Removes the cookie.
 *
 * @category combinators
 * @since 0.1.0
 */
export const forgetProof = (
  settings: Settings["Service"],
  { cookies, url }: AuthRequest["Service"]
): ReadonlyArray<ResponseCookie> => {
  const { addressProof } = cookiesFor(settings, url)
  return cookies.values.has(addressProof.name) ? [clear(addressProof)] : []
}

/** Uses a proof up: `true` for the first use. Part of the unit of work where the store remembers used keys. */
const isFirstProof = (
  adapter: AdapterShape,
  { id, until }: AddressProof
): Effect.Effect<boolean, AdapterError | SharedStateError> =>
  useOnce(adapter, "address", `address proof ${id}`, (until + 1) * 1000)

/**
 * May the proof mark the address of its user? It is used up then. On a store that remembers no used keys the mark itself is
 * what happens once, because a unit of work that fails would lose a use that is remembered elsewhere.
 *
 * @category combinators
 * @since 0.1.0
 */
export const mayMark = (
  adapter: AdapterShape,
  proof: AddressProof
): Effect.Effect<boolean, AdapterError | SharedStateError> =>
  adapter.methods.has("useOnce") ? isFirstProof(adapter, proof) : Effect.succeed(true)

/**
 * Uses a proof up; fails when it was used before.
 *
 * @category combinators
 * @since 0.1.0
 */
export const useProof = Effect.fnUntraced(function* (
  adapter: AdapterShape,
  proof: AddressProof
): Effect.fn.Return<void, AdapterError | SharedStateError | Verification> {
  if (yield* isFirstProof(adapter, proof)) return
  return yield* new Verification({ provider: proof.provider, detail: "The proof of the address was used before" })
})

/**
 * Is this the user who was asked for, with the address that this browser proved?
 *
 * @category guards
 * @since 0.1.0
 */
export const isProofOf = (
  proof: AddressProof | undefined,
  user: User & Partial<Pick<AdapterUser, "emailVerified">>
): proof is AddressProof => proof !== undefined && proof.holder === user.id && isAddressOf(user, proof.email)
