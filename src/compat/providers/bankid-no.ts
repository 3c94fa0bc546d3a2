/**
 * `BankIdNo` of `Provider/BankIdNo.ts`, under the name `providers/bankid-no`.
 *
 * Written by `tools/build/compat-providers.mjs`.
 *
 * @since 0.1.0
 */
import { BankIdNo as preset, type BankIdNoProfile as Shape } from "../../Provider/BankIdNo.ts"
import type { Claims, Factory } from "../ProviderModule.ts"

/** What the platform says about a person. @category models @since 0.1.0 */
export interface BankIDNorwayProfile extends Claims<Shape> {}

/** The factory of the preset; `Provider/BankIdNo.ts` says what it needs. @category providers @since 0.1.0 */
const BankIdNo: Factory<typeof preset, BankIDNorwayProfile> = preset

export { BankIdNo as default }
