/**
 * `Mailru` of `Provider/Mailru.ts`, under the name `providers/mailru`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Mailru as preset, type MailruProfile as Shape } from "../../Provider/Mailru.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Mailru.ts` says what it needs. @category providers @since 0.1.0 */
const Mailru: Factory<typeof preset, Profile> = preset

export { Mailru as default }
