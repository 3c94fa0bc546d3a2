/**
 * Where the demo's OpenID provider keeps its codes, sessions and grants: a bounded map in memory, gone with the process.
 * Not for production, where a provider needs a store that survives it.
 */

type Payload = Record<string, unknown>

/** How many records are kept before the oldest is dropped. */
const capacity = 2000

/** Makes the adapter factory that `oidc-provider` asks for; every call has a store of its own. */
export const makeProviderStore = () => {
  const records = new Map<string, Payload>()
  const findBy = (prefix: string, field: string, value: string): Payload | undefined => {
    for (const [key, payload] of records) if (key.startsWith(prefix) && payload[field] === value) return payload
    return undefined
  }
  return (model: string) => {
    const prefix = `${model}:`
    return {
      upsert: async (id: string, payload: Payload): Promise<void> => {
        records.delete(prefix + id)
        records.set(prefix + id, payload)
        const oldest = records.keys().next()
        if (records.size > capacity && !oldest.done) records.delete(oldest.value)
      },
      find: async (id: string): Promise<Payload | undefined> => records.get(prefix + id),
      findByUid: async (uid: string): Promise<Payload | undefined> => findBy(prefix, "uid", uid),
      findByUserCode: async (code: string): Promise<Payload | undefined> => findBy(prefix, "userCode", code),
      destroy: async (id: string): Promise<void> => {
        records.delete(prefix + id)
      },
      consume: async (id: string): Promise<void> => {
        const payload = records.get(prefix + id)
        // Seconds since the epoch, as every time of an OpenID provider.
        if (payload !== undefined) payload["consumed"] = Math.floor(Date.now() / 1000)
      },
      revokeByGrantId: async (grantId: string): Promise<void> => {
        for (const [key, payload] of records) if (payload["grantId"] === grantId) records.delete(key)
      }
    }
  }
}
