/**
 * The environment variables of this process: the one place that reads them, for checks and for `createAuth`. Elsewhere the
 * application gives what options are filled with (`Environment.ts`).
 *
 * @since 0.1.0
 */

/** A variable of this process; `undefined` where it is not set or empty, or where there are no variables. */
export const processVariable = (name: string): string | undefined =>
  typeof process === "undefined" ? undefined : process.env[name] || undefined

/** The environment variables of this process, to complete options with; empty where the runtime has none. */
export const processEnvironment = (): Readonly<Record<string, unknown>> =>
  typeof process === "undefined" ? {} : process.env
