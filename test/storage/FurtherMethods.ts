import { type AdapterMethod, authJsMethods } from "../../src/storage/AdapterShape.ts"
import { allMethods } from "../../src/storage/MethodTable.ts"

const standard: ReadonlySet<AdapterMethod> = new Set<AdapterMethod>(authJsMethods)

/** The methods that only some stores have. */
export const furtherMethods: ReadonlyArray<AdapterMethod> = [...allMethods].filter((name) => !standard.has(name))
