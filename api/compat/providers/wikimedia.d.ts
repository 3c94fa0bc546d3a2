import { Wikimedia as preset, type WikimediaProfile as Shape } from "../../Provider/Wikimedia.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface WikimediaProfile extends Claims<Shape> {
}
export type WikimediaGroup = string;
export type WikimediaGrant = string;
export type WikimediaRight = string;
declare const Wikimedia: Factory<typeof preset, WikimediaProfile>;
export { Wikimedia as default };
