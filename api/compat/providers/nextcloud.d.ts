import { Nextcloud as preset, type NextcloudProfile as Shape } from "../../Provider/Nextcloud.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface NextcloudProfile extends Claims<Shape> {
}
declare const Nextcloud: Factory<typeof preset, NextcloudProfile>;
export { Nextcloud as default };
