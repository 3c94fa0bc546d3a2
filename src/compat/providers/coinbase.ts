/**
 * `Coinbase` of `Provider/Coinbase.ts`, under the name `providers/coinbase`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Coinbase as preset, type CoinbaseProfile as Shape } from "../../Provider/Coinbase.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Coinbase.ts` says what it needs. @category providers @since 0.1.0 */
const Coinbase: Factory<typeof preset, Profile> = preset

export { Coinbase as default }
