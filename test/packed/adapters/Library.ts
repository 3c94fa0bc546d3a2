/** The library under test, as it is packed: what the name of Auth.js leads to in this folder. */
import { Auth, customFetch } from "@auth/core"
import Google from "@auth/core/providers/google"
import Passkey from "@auth/core/providers/passkey"
import type { Library } from "../../adapters/Site.ts"

export const library: Library = {
  Auth,
  customFetch,
  Google: Google as Library["Google"],
  Passkey: Passkey as Library["Passkey"]
}
