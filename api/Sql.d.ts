export { layer, layerSharedState, type LayerOptions, layerSweeper, make, migrate, type Options } from "./sql/SqlAdapter.ts";
