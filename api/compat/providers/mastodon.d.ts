import { Mastodon as preset, type MastodonProfile as Shape } from "../../Provider/Mastodon.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface MastodonProfile extends Claims<Shape> {
}
declare const Mastodon: Factory<typeof preset, MastodonProfile>;
export { Mastodon as default };
