/**
 * `Notion` of `Provider/Notion.ts`, under the name `providers/notion`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Notion as preset, type NotionProfile as Shape } from "../../Provider/Notion.ts"
import type { Claims, Factory, Member } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface NotionProfile extends Claims<Shape> {}

/** Part of a profile. @category models @since 0.1.0 */
export interface Person extends Member {}

/** Part of a profile. @category models @since 0.1.0 */
export interface User extends Member {}

/** Part of a profile. @category models @since 0.1.0 */
export interface Owner extends Member {}

/** The factory of the preset; `Provider/Notion.ts` says what it needs. @category providers @since 0.1.0 */
const Notion: Factory<typeof preset, NotionProfile> = preset

export { Notion as default }
