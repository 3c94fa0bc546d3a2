/** A row of `test/emails.json`; long ones are written short. */
export interface EmailRow {
  readonly input: unknown
  readonly repeat?: { readonly of: string; readonly times: number }
}

/** The input of the rule in a row. */
export const inputOf = ({ input, repeat }: EmailRow): unknown =>
  typeof input === "string" && repeat !== undefined ? input.replace("{}", repeat.of.repeat(repeat.times)) : input
