import { Twitter as preset, type TwitterProfile as Shape } from "../../Provider/Twitter.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface TwitterProfile extends Claims<Shape> {
}
declare const Twitter: Factory<typeof preset, TwitterProfile>;
export { Twitter as default };
