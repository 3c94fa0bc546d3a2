/**
 * Counts the calls of one warm request: WebCrypto methods, key derivations of `node:crypto`, requests to the
 * provider, and reads of the provider objects of the configuration. Counts, no clock.
 *
 * Options: --ours=<module> --hide-node-crypto --only=<case,case>
 */
import nodeCrypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"
import { parseArgs } from "node:util"
import { caseOf } from "../../bench/cases/index.mjs"
import { hideNodeCrypto, loadImplementation, OURS } from "../../bench/implementation.mjs"

const { values: options } = parseArgs({
  options: {
    ours: { type: "string", default: OURS },
    "hide-node-crypto": { type: "boolean", default: false },
    only: { type: "string" }
  }
})

const WARM_UP = 20
const REQUESTS = 10

const counters = { webCrypto: 0, derivations: 0, providerReads: 0 }
/** WebCrypto calls by method, to show what was called when a count is wrong. */
const methods = {}

const subtle = Object.getPrototypeOf(globalThis.crypto.subtle)
for (const name of Object.getOwnPropertyNames(subtle)) {
  const original = subtle[name]
  if (typeof original !== "function" || name === "constructor") continue
  subtle[name] = function (...args) {
    counters.webCrypto++
    if (name.startsWith("derive")) counters.derivations++
    methods[name] = (methods[name] ?? 0) + 1
    return original.apply(this, args)
  }
}

for (const name of ["hkdf", "hkdfSync", "pbkdf2", "pbkdf2Sync", "scrypt", "scryptSync"]) {
  const original = nodeCrypto[name]
  nodeCrypto[name] = (...args) => {
    counters.derivations++
    return original(...args)
  }
}
syncBuiltinESMExports()

if (options["hide-node-crypto"]) hideNodeCrypto()

/** A configuration whose providers count every read of a member. */
const watched = (implementation) => ({
  ...implementation,
  Auth: (request, config) => {
    if (!seen.has(config)) {
      seen.add(config)
      config.providers = config.providers.map(
        (provider) =>
          new Proxy(provider, {
            get: (target, key, receiver) => {
              counters.providerReads++
              return Reflect.get(target, key, receiver)
            }
          })
      )
    }
    return implementation.Auth(request, config)
  }
})
const seen = new WeakSet()

const implementation = watched(await loadImplementation("ours", options.ours))

const countsOf = async (id) => {
  const contender = caseOf(id).contender(implementation)
  const calls = async (count) => {
    const inputs = await contender.prepare?.(count)
    const before = { ...counters }
    const methodsBefore = { ...methods }
    const requestsBefore = { ...contender.counts }
    for (let i = 0; i < count; i++) await contender.run(inputs?.[i])
    const since = (now, then) =>
      Object.fromEntries(Object.entries(now).map(([key, value]) => [key, (value - (then[key] ?? 0)) / count]))
    return {
      ...since(counters, before),
      methods: Object.fromEntries(Object.entries(since(methods, methodsBefore)).filter(([, value]) => value > 0)),
      requests: since(contender.counts ?? {}, requestsBefore)
    }
  }
  await calls(WARM_UP)
  return calls(REQUESTS)
}

const rows = {}
for (const id of options.only.split(",")) rows[id] = await countsOf(id).catch((error) => ({ error: String(error) }))
process.stdout.write(JSON.stringify(rows))
process.exit(0)
