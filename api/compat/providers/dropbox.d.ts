import { Dropbox as preset, type DropboxProfile as Shape } from "../../Provider/Dropbox.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface DropboxProfile extends Claims<Shape> {
}
declare const Dropbox: Factory<typeof preset, DropboxProfile>;
export { Dropbox as default };
