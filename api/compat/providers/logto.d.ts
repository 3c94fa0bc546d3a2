import { Logto as preset, type LogtoProfile as Shape } from "../../Provider/Logto.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface LogtoProfile extends Claims<Shape> {
}
declare const Logto: Factory<typeof preset, LogtoProfile>;
export { Logto as default };
