/**
 * A promise that says so where code without types reads a session from it: every promise counts as true, so a missing `await` would
 * let every visitor in.
 *
 * @since 0.1.0
 */
const forgotten = (name: string): PropertyDescriptor => ({
  get: () => {
    throw new TypeError(`getSession(…) answers a Promise: write await before it, then read ${name}.`)
  }
})

const guard = (): object => {
  const prototype = {}
  Object.setPrototypeOf(prototype, Promise.prototype)
  const names = ["user", "userId", "id", "expires"]
  return Object.defineProperties(prototype, Object.fromEntries(names.map((name) => [name, forgotten(name)])))
}

/** A prototype between the promise and its own: a member of each would cost every read of a session. */
const guarded = guard()

/** A promise on which reading a member of a session throws. */
export const unawaited = <A>(promise: Promise<A>): Promise<A> => {
  Object.setPrototypeOf(promise, guarded)
  return promise
}
