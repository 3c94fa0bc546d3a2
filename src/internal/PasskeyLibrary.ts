/**
 * Loads `@simplewebauthn/server`, which not every application has.
 *
 * The names are written out, so that bundlers take the package along. Where it is not installed each of them has its own
 * sign that this is no mistake: a comment, a rejection that is caught on the spot, a `try` around it.
 *
 * @since 0.1.0
 */

const absent = (cause: unknown): Promise<never> => Promise.reject(cause)

/** The package and its parts, or the reason why it is not available. */
export const load = async (): Promise<unknown> => {
  try {
    const [server, parts] = await Promise.all([
      import(/* turbopackOptional: true */ "@simplewebauthn/server").catch(absent),
      import(/* turbopackOptional: true */ "@simplewebauthn/server/helpers").catch(absent)
    ])
    return { server, parts }
  } catch (cause) {
    return absent(cause)
  }
}
