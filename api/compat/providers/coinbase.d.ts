import { Coinbase as preset, type CoinbaseProfile as Shape } from "../../Provider/Coinbase.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface CoinbaseProfile extends Claims<Shape> {
}
declare const Coinbase: Factory<typeof preset, CoinbaseProfile>;
export { Coinbase as default };
