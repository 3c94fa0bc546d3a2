/**
 * What next-auth imports from Next.js, without a server around it: `next/server` is the real one; `headers`, `cookies` and
 * `redirect` take the request from here.
 */
import { registerHooks } from "node:module"

const scope = `
  import { AsyncLocalStorage } from "node:async_hooks"
  const storage = (globalThis.requestOfNext ??= new AsyncLocalStorage())
  export const headers = () => storage.getStore().headers
  export const cookies = () => ({ set: (name, value, options) => storage.getStore().cookies.set(name, { value, options }) })
  export const redirect = (url) => { throw Object.assign(new Error("NEXT_REDIRECT"), { to: url }) }
`
const source = `data:text/javascript,${encodeURIComponent(scope)}`

registerHooks({
  resolve: (specifier, context, next) => {
    const name = /^next\/(headers|navigation|server)(?:\.js)?$/.exec(specifier)?.[1]
    if (name === undefined) return next(specifier, context)
    return name === "server" ? next("next/server.js", context) : { url: source, shortCircuit: true }
  }
})

/** Runs something as a part of a request with these headers; the cookies that are set go into the map. */
export const within = async (headers, cookies, run) => {
  await import(source)
  return globalThis.requestOfNext.run({ headers, cookies }, run)
}
