/**
 * `Spotify` of `Provider/Spotify.ts`, under the name `providers/spotify`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Spotify as preset, type SpotifyProfile as Shape } from "../../Provider/Spotify.ts"
import type { Claims, Factory, Member } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface SpotifyProfile extends Claims<Shape> {}

/** Part of a profile. @category models @since 0.1.0 */
export interface SpotifyImage extends Member {}

/** The factory of the preset; `Provider/Spotify.ts` says what it needs. @category providers @since 0.1.0 */
const Spotify: Factory<typeof preset, SpotifyProfile> = preset

export { Spotify as default }
