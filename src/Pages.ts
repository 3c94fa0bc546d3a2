/**
 * Draws the built-in pages: a reference that an application may replace by functions of its own.
 *
 * A page function gets plain data and answers a status, headers and HTML; destination, token and error value have been
 * decided before. The default is loaded when the first page is shown. For other addresses of the pages alone there is
 * the option `pages`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Pages from "./pages/BuiltInPages.ts"
import { lazily } from "./internal/Lazily.ts"

export type { Page, PageTheme } from "./pages/BuiltInPages.ts"

/**
 * The functions that draw.
 *
 * @category models
 * @since 0.1.0
 */
export type PageFunctions = Pick<
  typeof Pages,
  "clientError" | "confirm" | "error" | "signIn" | "signOut" | "verifyRequest"
>

/** The default renderer, loaded once for the process. @internal */
export const builtIn: Effect.Effect<PageFunctions> = lazily(
  (): Promise<PageFunctions> => import("./pages/BuiltInPages.ts")
)

/**
 * Draws the pages.
 *
 * @category references
 * @since 0.1.0
 */
export const PageRenderer: Context.Reference<Effect.Effect<PageFunctions>> = Context.Reference(
  "effect-doorman/PageRenderer",
  { defaultValue: () => builtIn }
)

/**
 * Pages of the application: those that are given replace the built-in ones.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (own: Partial<PageFunctions>): Layer.Layer<never> =>
  Layer.succeed(
    PageRenderer,
    Effect.map(builtIn, (functions) => ({ ...functions, ...own }))
  )
