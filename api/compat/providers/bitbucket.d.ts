import { Bitbucket as preset, type BitbucketProfile as Shape } from "../../Provider/Bitbucket.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface BitbucketProfile extends Claims<Shape> {
}
declare const Bitbucket: Factory<typeof preset, BitbucketProfile>;
export { Bitbucket as default };
