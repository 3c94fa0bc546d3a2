export { layer, layerSharedState, type LayerOptions, layerSweeper, make, migrate, type Options } from "./sql/SqlAdapter.ts";
export type { OpenError } from "./sql/SqlAdapter.ts";
export type { SweepOptions } from "./sql/Sweep.ts";
export type { Secrets } from "./sql/TokenCipher.ts";
