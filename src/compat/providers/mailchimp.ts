/**
 * `Mailchimp` of `Provider/Mailchimp.ts`, under the name `providers/mailchimp`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { Mailchimp as preset, type MailchimpProfile as Shape } from "../../Provider/Mailchimp.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
interface Profile extends Claims<Shape> {}

/** The factory of the preset; `Provider/Mailchimp.ts` says what it needs. @category providers @since 0.1.0 */
const Mailchimp: Factory<typeof preset, Profile> = preset

export { Mailchimp as default }
