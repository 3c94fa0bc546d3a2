/**
 * The parts of `oauth4webapi` and `jose` that are used: token requests, pushed requests, authorization responses, signatures and decryption. A module of its
 * own, so that a bundle that loads it later holds these parts alone.
 *
 * @since 0.1.0
 */
export { compactDecrypt, createLocalJWKSet, jwtVerify } from "jose"
export {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  ClientSecretJwt,
  ClientSecretPost,
  customFetch,
  DPoP,
  expectNoState,
  modifyAssertion,
  None,
  nopkce,
  PrivateKeyJwt,
  processPushedAuthorizationResponse,
  pushedAuthorizationRequest,
  TlsClientAuth,
  userInfoRequest,
  validateAuthResponse
} from "oauth4webapi"
