/**
 * The part of `jose` that is used: the verification of signatures. A module of its own, so that a bundle that loads it
 * later holds this part alone.
 *
 * @since 0.1.0
 */
export { compactVerify, importJWK } from "jose"
