/**
 * `Kakao` of `Provider/Kakao.ts`, under the name `providers/kakao`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Kakao as preset, type KakaoProfile as Shape } from "../../Provider/Kakao.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface KakaoProfile extends Claims<Shape> {}

/** A word of the platform. @category models @since 0.1.0 */
export type DateTime = string

/** A word of the platform. @category models @since 0.1.0 */
export type Gender = string

/** A word of the platform. @category models @since 0.1.0 */
export type Birthday = string

/** A word of the platform. @category models @since 0.1.0 */
export type AgeRange = string

/** The factory of the preset; `Provider/Kakao.ts` says what it needs. @category providers @since 0.1.0 */
const Kakao: Factory<typeof preset, KakaoProfile> = preset

export { Kakao as default }
