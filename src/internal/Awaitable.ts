/**
 * A value, or a promise of one.
 *
 * @category models
 * @since 0.1.0
 */
export type Awaitable<T> = T | PromiseLike<T>
