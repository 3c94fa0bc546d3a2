/** The library under test, from its sources. */
import { Auth, customFetch } from "../../src/index.ts"
import { Google } from "../../src/Provider/Google.ts"
import { Passkey } from "../../src/Provider/Passkey.ts"
import type { Library } from "./Site.ts"

export const library: Library = { Auth, customFetch, Google, Passkey }
