import { Reddit as preset, type RedditProfile as Shape } from "../../Provider/Reddit.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Reddit: Factory<typeof preset, Profile>;
export { Reddit as default };
