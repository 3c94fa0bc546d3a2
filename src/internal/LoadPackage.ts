/**
 * Loads a package by a name in a parameter: bundlers do not look for it, and the runtime finds it beside the bundle, or not.
 *
 * @since 0.1.0
 */
export const loadPackage = (name: string): Promise<unknown> => import(/* webpackIgnore: true */ /* @vite-ignore */ name)
