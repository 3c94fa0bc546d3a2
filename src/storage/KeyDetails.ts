/**
 * What a store may keep of a passkey besides what verifies it.
 *
 * The stores of this library have columns for it. Adapters of Auth.js have not: they never receive a member of it. A store says by
 * its method `describeAuthenticator` that it has room for all of them.
 *
 * @since 0.1.0
 */
import { textIn, timeIn } from "./SessionDetails.ts"

/** The details of a passkey. */
export interface KeyDetails {
  /** The name that its user gave it. */
  readonly label?: string | undefined
  /** When it was registered. */
  readonly createdAt?: Date | undefined
  /** The time of the last sign-in with it. */
  readonly lastUsedAt?: Date | undefined
}

/** The details of a row. Columns of the application with these names that hold something else count as empty. */
export const keyDetailsOf = (row: object): KeyDetails => {
  const [label, createdAt, lastUsedAt] = [textIn(row, "label"), timeIn(row, "createdAt"), timeIn(row, "lastUsedAt")]
  return { ...(label && { label }), ...(createdAt && { createdAt }), ...(lastUsedAt && { lastUsedAt }) }
}
