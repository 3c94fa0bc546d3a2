/**
 * `Mastodon` of `Provider/Mastodon.ts`, under the name `providers/mastodon`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Mastodon as preset, type MastodonProfile as Shape } from "../../Provider/Mastodon.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface MastodonProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Mastodon.ts` says what it needs. @category providers @since 0.1.0 */
const Mastodon: Factory<typeof preset, MastodonProfile> = preset

export { Mastodon as default }
