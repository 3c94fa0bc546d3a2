/**
 * `BattleNet` of `Provider/BattleNet.ts`, under the name `providers/battlenet`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { BattleNet as preset, type BattleNetProfile as Shape } from "../../Provider/BattleNet.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface BattleNetProfile extends Claims<Shape> {}

/** A word of the platform. @category models @since 0.1.0 */
export type BattleNetIssuer = string

/** The factory of the preset; `Provider/BattleNet.ts` says what it needs. @category providers @since 0.1.0 */
const BattleNet: Factory<typeof preset, BattleNetProfile> = preset

export { BattleNet as default }
