/** A store of shared state in memory: it counts its calls, and it can be down. */
import type { StateStore } from "../src/SharedState.ts"

export const makeStore = () => {
  const values = new Map<string, string>()
  const calls = { get: 0, swap: 0 }
  const faults = { isDown: false }
  const answer = <A>(value: () => A): Promise<A> =>
    faults.isDown ? Promise.reject(new Error("The store is down")) : Promise.resolve(value())
  const store: StateStore = {
    get: (key) => {
      calls.get++
      return answer(() => values.get(key))
    },
    swap: ({ after, before, key }) => {
      calls.swap++
      return answer(() => {
        if (values.get(key) !== before) return false
        if (after === undefined) values.delete(key)
        else values.set(key, after)
        return true
      })
    }
  }
  return { store, calls, faults, values }
}
