import { BattleNet as preset, type BattleNetProfile as Shape } from "../../Provider/BattleNet.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface BattleNetProfile extends Claims<Shape> {
}
export type BattleNetIssuer = string;
declare const BattleNet: Factory<typeof preset, BattleNetProfile>;
export { BattleNet as default };
