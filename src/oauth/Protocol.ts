/**
 * The part of `oauth4webapi` that is used: the making of token requests and the reading of authorization responses. A
 * module of its own, so that a bundle that loads it later holds this part alone.
 *
 * @since 0.1.0
 */
export {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  ClientSecretJwt,
  ClientSecretPost,
  customFetch,
  expectNoState,
  modifyAssertion,
  None,
  nopkce,
  PrivateKeyJwt,
  validateAuthResponse
} from "oauth4webapi"
