/**
 * Remembers, on stores that cannot record it in the transaction of the sign-in, which one-time proofs were used.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import { type EndedSessionsService, makeMemory } from "../EndedSessions.ts"

/**
 * Uses of proofs within the last minute. The default remembers in this process.
 *
 * @category references
 * @since 0.1.0
 */
export const ProofUses: Context.Reference<EndedSessionsService> = Context.Reference(
  "effect-doorman/actions/ProofUses",
  { defaultValue: makeMemory }
)
