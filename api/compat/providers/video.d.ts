import { Video as preset, type VideoProfile as Shape } from "../../Provider/Video.ts";
import type { Factory } from "../ProviderModule.ts";
export interface VideoProfile extends Shape {
}
declare const Video: Factory<typeof preset, VideoProfile>;
export { Video as default };
