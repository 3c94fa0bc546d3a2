/**
 * The imports of database adapters for Auth.js: the types of storage, and the test for dates in text.
 *
 * Adapters for programs with Effect are made of `Adapter.ts`; both kinds may stand as `adapter` in the options.
 *
 * @since 0.1.0
 */
export type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken
} from "../models/Shape.ts"
export type { AdapterAccountType, AuthJsAdapter as Adapter } from "../authjs/AuthJsAdapter.ts"
export type { Awaitable } from "./Settings.ts"

/** A date and a time with a zone (RFC 3339 section 5.6), the whole text; years may have six digits and a sign. */
const dateTime = /^(?:\d{4}|[+-]\d{6})-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/

/**
 * Is this text a date and a time with a zone, as JSON has it for a `Date`?
 *
 * @category guards
 * @since 0.1.0
 */
export const isDate = (value: unknown): value is string =>
  typeof value === "string" && dateTime.test(value) && !Number.isNaN(Date.parse(value))
