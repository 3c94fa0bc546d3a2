/**
 * What a provider says about the email address in its profiles: whether it was verified, and where that is written.
 *
 * A preset states it once, beside the mapping that picks the address, and the statement travels with its `profile` function:
 * an application that replaces the function has made no statement.
 *
 * @since 0.1.0
 */

/**
 * Where a platform says that an address is verified. `claim`: in the member `email_verified` (OIDC Core section 5.1).
 * `unstated`: nowhere. `no-address`: it gives no address. `user-name`: nowhere, and the preset maps the name of the user where
 * there is no address. A function reads it from a member of the platform's own: `true` and
 * `false` are statements about the address that the same preset maps, everything else is none.
 *
 * @category models
 * @since 0.1.0
 */
export type EmailStatement<P> =
  | "claim"
  | "unstated"
  | "no-address"
  | "user-name"
  | ((profile: P) => boolean | null | undefined)

/**
 * Does a platform return verified addresses only? `true` proves an address about which a profile says nothing. `"stated"`
 * proves the address of a user whom Auth.js stored, and leaves an address of a profile to what the profile says.
 *
 * @category models
 * @since 0.1.0
 */
export type Vouching = boolean | "stated"

const statement: unique symbol = Symbol.for("effect-doorman/email-statement")

interface Stated {
  readonly [statement]: {
    readonly kind: "claim" | "unstated" | "no-address" | "user-name" | "member"
    readonly read: Read
    readonly vouches: Vouching
  }
}
type Read = (profile: unknown) => boolean | undefined

const says = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined)

const readClaim: Read = (profile) =>
  typeof profile === "object" && profile !== null && "email_verified" in profile
    ? says(profile.email_verified)
    : undefined

/**
 * A profile function that carries what its platform says about addresses. `decode` reads the profile, `undefined` for one that
 * does not fit.
 *
 * @internal
 */
export const withEmailStatement = <F extends object, P>(
  profile: F,
  made: EmailStatement<P>,
  decode: (profile: unknown) => P | undefined,
  vouches: Vouching = false
): F => {
  const read: Read =
    typeof made === "function"
      ? (given) => {
          const fields = decode(given)
          return fields === undefined ? undefined : says(made(fields))
        }
      : made === "claim"
        ? readClaim
        : () => undefined
  const statements: Stated = { [statement]: { kind: typeof made === "function" ? "member" : made, read, vouches } }
  return Object.assign(profile, statements)
}

const isStated = (profile: object): profile is Stated => statement in profile

/** What the platform of a profile function says about addresses, if it is that of a preset. @internal */
export const emailStatementOf = (profile: object): Stated[typeof statement] | undefined =>
  isStated(profile) ? profile[statement] : undefined
