import { PingId as preset, type PingIdProfile as Shape } from "../../Provider/PingId.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface PingProfile extends Claims<Shape> {
}
declare const PingId: Factory<typeof preset, PingProfile>;
export { PingId as default };
