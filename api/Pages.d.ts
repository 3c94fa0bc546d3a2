import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Pages from "./pages/BuiltInPages.ts";
export type { Page, PageTheme } from "./pages/BuiltInPages.ts";
export type PageFunctions = Pick<typeof Pages, "clientError" | "confirm" | "error" | "signIn" | "signOut" | "verifyRequest">;
export declare const PageRenderer: Context.Reference<Effect.Effect<PageFunctions>>;
export declare const layer: (own: Partial<PageFunctions>) => Layer.Layer<never>;
