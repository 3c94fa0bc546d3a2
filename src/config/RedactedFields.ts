/**
 * Redacted fields of credentials providers, which only layers have.
 *
 * @since 0.1.0
 */
import { InvalidConfiguration } from "../Errors.ts"
import { redactedFields } from "../Provider/internal/CredentialForm.ts"
import type { Definition } from "../Provider/internal/Definition.ts"

/** Fields that `authorize` of a layer gets as `Redacted`: functions get plain strings. */
export const redactedFieldProblems = ({ id, options }: Definition): ReadonlyArray<InvalidConfiguration> =>
  [...redactedFields(options["credentials"])].map((name) => {
    const field = `providers.${id}.credentials.${name}.redacted`
    return new InvalidConfiguration({
      provider: id,
      field,
      detail: `${field} is true: only Doorman.layer redacts fields, and authorize of Auth and createAuth gets strings`,
      fix: "Remove redacted from the field."
    })
  })
