export type { Columns, Tables } from "./sql/Names.ts";
export { layer, type LayerOptions, layerSweeper, make, migrate, type OpenError, type Options } from "./sql/SqlAdapter.ts";
export type { SweepOptions } from "./sql/Sweep.ts";
export type { Secrets } from "./sql/TokenCipher.ts";
