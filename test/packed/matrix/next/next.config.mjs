import { dirname } from "node:path"

/** The packages lie above the application. */
const packages = dirname(import.meta.dirname)

export default { turbopack: { root: packages }, outputFileTracingRoot: packages }
