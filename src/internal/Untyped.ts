/**
 * A value that application code written for Auth.js reads as it is, because it has no type there.
 *
 * It stands in the types of compatible entry points only, where a stricter type would refuse programs that work. Nothing in
 * the library reads a value through it.
 *
 * @since 0.1.0
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type Unchecked = any

/**
 * A value, or a promise of one.
 *
 * @category models
 * @since 0.1.0
 */
export type Awaitable<T> = T | PromiseLike<T>

/**
 * Everything that is no Effect. Written out, because `unknown` would take Effects of every requirement.
 *
 * @category models
 * @since 0.1.0
 */
export type Plain =
  | bigint
  | boolean
  | null
  | number
  | string
  | symbol
  | undefined
  // A function without a return statement has this type.
  // eslint-disable-next-line typescript/no-invalid-void-type
  | void
  | (object & { readonly "~effect/Effect"?: never })
