/**
 * `FortyTwoSchool` of `Provider/FortyTwoSchool.ts`, under the name `providers/42-school`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { FortyTwoSchool as preset, type FortyTwoSchoolProfile as Shape } from "../../Provider/FortyTwoSchool.ts"
import type { Claims, Factory, Member } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface FortyTwoProfile extends Claims<Shape> {}

/** Part of a profile. @category models @since 0.1.0 */
export interface UserData extends Member {}

/** Part of a profile. @category models @since 0.1.0 */
export interface CursusUser extends Member {}

/** Part of a profile. @category models @since 0.1.0 */
export interface ProjectUser extends Member {}

/** Part of a profile. @category models @since 0.1.0 */
export interface Achievement extends Member {}

/** Part of a profile. @category models @since 0.1.0 */
export interface LanguagesUser extends Member {}

/** Part of a profile. @category models @since 0.1.0 */
export interface TitlesUser extends Member {}

/** Part of a profile. @category models @since 0.1.0 */
export interface ExpertisesUser extends Member {}

/** Part of a profile. @category models @since 0.1.0 */
export interface Campus extends Member {}

/** Part of a profile. @category models @since 0.1.0 */
export interface CampusUser extends Member {}

/** Part of a profile. @category models @since 0.1.0 */
export interface Image extends Member {}

/** The factory of the preset; `Provider/FortyTwoSchool.ts` says what it needs. @category providers @since 0.1.0 */
const FortyTwoSchool: Factory<typeof preset, FortyTwoProfile> = preset

export { FortyTwoSchool as default }
