/**
 * `FreshBooks` of `Provider/FreshBooks.ts`, under the name `providers/freshbooks`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { FreshBooks as preset, type FreshBooksProfile as Shape } from "../../Provider/FreshBooks.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/FreshBooks.ts` says what it needs. @category providers @since 0.1.0 */
const FreshBooks: Factory<typeof preset, Profile> = preset

export { FreshBooks as default }
