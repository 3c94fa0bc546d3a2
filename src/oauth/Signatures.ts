/**
 * The parts of `jose` that verify what a provider signs. A module of its own, so that a bundle that loads it later holds these parts
 * alone: most providers that are not of OpenID Connect sign nothing.
 *
 * The entry of `jose` loads 46 files, these two load eleven.
 *
 * @since 0.1.0
 */
export { createLocalJWKSet } from "jose/jwks/local"
export { jwtVerify } from "jose/jwt/verify"
