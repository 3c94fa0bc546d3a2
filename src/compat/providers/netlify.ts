/**
 * `Netlify` of `Provider/Netlify.ts`, under the name `providers/netlify`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Netlify as preset, type NetlifyProfile as Shape } from "../../Provider/Netlify.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Netlify.ts` says what it needs. @category providers @since 0.1.0 */
const Netlify: Factory<typeof preset, Profile> = preset

export { Netlify as default }
