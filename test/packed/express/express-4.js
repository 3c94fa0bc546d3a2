/** The same application on Express 4. */
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) => next(specifier === "express" ? "express-4" : specifier, context)
})
