/**
 * `Yandex` of `Provider/Yandex.ts`, under the name `providers/yandex`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Yandex as preset, type YandexProfile as Shape } from "../../Provider/Yandex.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface YandexProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Yandex.ts` says what it needs. @category providers @since 0.1.0 */
const Yandex: Factory<typeof preset, YandexProfile> = preset

export { Yandex as default }
