import { Reddit as preset, type RedditProfile as Shape } from "../../Provider/Reddit.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface RedditProfile extends Claims<Shape> {
}
declare const Reddit: Factory<typeof preset, RedditProfile>;
export { Reddit as default };
