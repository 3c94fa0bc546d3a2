/**
 * Encrypted ID tokens (OpenID Connect Core section 10.2, RFC 7516): `jose` decrypts, and what was inside is read as any other
 * ID token, signature included.
 *
 * The keys of the provider's option decide: with them every ID token must be encrypted, and the header must name an algorithm of
 * theirs. Compressed content is refused (RFC 8725 section 3.6).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isJsonObject, readUtf8 } from "../internal/JsonText.ts"
import { lazily } from "../internal/Lazily.ts"
import type { RedirectProvider } from "../Provider/internal/Provider.ts"
import { invalidToken, type OAuthFault } from "./Fault.ts"

/** Algorithms of a key pair (RFC 7518 section 4.1). With a shared key, every party that has it could act as the provider. */
const keyManagement = ["RSA-OAEP", "RSA-OAEP-256", "RSA-OAEP-384", "RSA-OAEP-512"].concat([
  "ECDH-ES",
  "ECDH-ES+A128KW",
  "ECDH-ES+A192KW",
  "ECDH-ES+A256KW"
])

/** RFC 7518 section 5.1: each is authenticated. */
const contentEncryption = ["A128GCM", "A192GCM", "A256GCM", "A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512"]

/** What the client registered for (OpenID Connect Registration section 2), else every algorithm. */
const agreed = (registered: unknown, all: ReadonlyArray<string>): Array<string> =>
  all.filter((one) => registered === undefined || one === registered)

const fault = (error: unknown): OAuthFault =>
  invalidToken(
    isJsonObject(error) && error["code"] === "ERR_JOSE_ALG_NOT_ALLOWED"
      ? "the ID token is encrypted with an algorithm that was not agreed: expected those registered under client, got another"
      : "the ID token cannot be decrypted with a key of idTokenDecryption: expected one that it was encrypted for",
    { fix: "Give idTokenDecryption the private keys of the public ones that are registered at the provider." }
  )

/** Few providers encrypt ID tokens. */
const decryption = lazily(() => import("jose/jwe/compact/decrypt"))

/** The signed token inside of an encrypted ID token. */
export const decryptIdToken = ({ clientMetadata, idTokenDecryption: keys }: RedirectProvider, text: string) => {
  if (text.split(".", 6).length !== 5) {
    return Effect.fail(
      invalidToken("the ID token is not encrypted, which idTokenDecryption asks for", {
        fix: "Register encrypted ID tokens at the provider, or leave idTokenDecryption out."
      })
    )
  }
  const options = {
    keyManagementAlgorithms: agreed(clientMetadata["id_token_encrypted_response_alg"], keyManagement),
    contentEncryptionAlgorithms: agreed(clientMetadata["id_token_encrypted_response_enc"], contentEncryption),
    maxDecompressedLength: 0
  }
  const decrypted = Effect.flatMap(decryption, ({ compactDecrypt }) =>
    Effect.firstSuccessOf(
      keys.map((key) => Effect.tryPromise({ try: () => compactDecrypt(text, key, options), catch: fault }))
    )
  )
  return Effect.flatMap(decrypted, ({ plaintext }) => {
    const signed = readUtf8(plaintext)
    return signed === undefined ? Effect.fail(fault(undefined)) : Effect.succeed(signed)
  })
}
