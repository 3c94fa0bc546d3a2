/**
 * The parts of `oauth4webapi` that each sign-in uses: requests of a client that authenticates itself, what they and the other
 * endpoints answer, and authorization responses. A module of its own, so that a bundle that loads it later holds these parts alone.
 *
 * @since 0.1.0
 */
export {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  ClientSecretJwt,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  customFetch,
  discoveryRequest,
  DPoP,
  expectNoNonce,
  expectNoState,
  getValidatedIdTokenClaims,
  isDPoPNonceError,
  None,
  nopkce,
  PrivateKeyJwt,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processGenericTokenEndpointResponse,
  processPushedAuthorizationResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  processUserInfoResponse,
  pushedAuthorizationRequest,
  refreshTokenGrantRequest,
  revocationRequest,
  skipSubjectCheck,
  TlsClientAuth,
  userInfoRequest,
  validateAuthResponse
} from "oauth4webapi"
