/**
 * `Naver` of `Provider/Naver.ts`, under the name `providers/naver`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Naver as preset, type NaverProfile as Shape } from "../../Provider/Naver.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface NaverProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Naver.ts` says what it needs. @category providers @since 0.1.0 */
const Naver: Factory<typeof preset, NaverProfile> = preset

export { Naver as default }
