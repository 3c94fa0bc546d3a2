/** The library under test, from its sources. */
import { Auth, customFetch } from "../../src/index.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import type { Library } from "./Site.ts"

export const library: Library = { Auth, customFetch, Passkey }
