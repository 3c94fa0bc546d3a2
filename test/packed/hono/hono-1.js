/** The same application on the first version of @hono/node-server. */
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "@hono/node-server" ? "hono-node-server-1" : specifier, context)
})
