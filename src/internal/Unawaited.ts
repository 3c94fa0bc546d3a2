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

/** A prototype between the promise and its own: a member of each would cost every read of a session. */
class Guarded extends Promise<unknown> {}
for (const name of ["user", "userId", "id", "expires"]) {
  Object.defineProperty(Guarded.prototype, name, forgotten(name))
}

/** The same promise, on which reading a member of a session throws. */
export const unawaited = <A>(promise: Promise<A>): Promise<A> => {
  Object.setPrototypeOf(promise, Guarded.prototype)
  return promise
}
