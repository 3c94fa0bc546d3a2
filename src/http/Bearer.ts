/**
 * Reads the token of an `Authorization` header with the scheme `Bearer` (RFC 6750 section 2.1).
 *
 * @since 0.1.0
 */
export const bearerOf = (authorization: string | null | undefined): string | undefined =>
  /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? "")?.[1]
