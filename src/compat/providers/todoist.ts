/**
 * `Todoist` of `Provider/Todoist.ts`, under the name `providers/todoist`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Todoist as preset, type TodoistProfile as Shape } from "../../Provider/Todoist.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Todoist.ts` says what it needs. @category providers @since 0.1.0 */
const Todoist: Factory<typeof preset, Profile> = preset

export { Todoist as default }
