/**
 * The environment variables of this process: the one place that reads them, for checks alone. What options are filled with
 * is given by the application (`Environment.ts`).
 *
 * @since 0.1.0
 */

/** A variable of this process; `undefined` where it is not set or empty, or where there are no variables. */
export const processVariable = (name: string): string | undefined =>
  typeof process === "undefined" ? undefined : process.env[name] || undefined
