import { Coinbase as preset, type CoinbaseProfile as Shape } from "../../Provider/Coinbase.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Coinbase: Factory<typeof preset, Profile>;
export { Coinbase as default };
