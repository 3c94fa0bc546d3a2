import { Threads as preset, type ThreadsProfile as Shape } from "../../Provider/Threads.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface ThreadsProfile extends Claims<Shape> {
}
declare const Threads: Factory<typeof preset, ThreadsProfile>;
export { Threads as default };
