/**
 * Reads yes and no as environment variables say them.
 *
 * @since 0.1.0
 */
const no: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"])

/** Is it a yes? Texts that say no, in quotation marks too, count as no; any other value counts by its truthiness. */
export const isYes = (value: unknown): boolean =>
  typeof value === "string"
    ? !no.has(
        value
          .trim()
          .replace(/^(["'])(.*)\1$/, "$2")
          .toLowerCase()
      )
    : Boolean(value)
