import { Dropbox as preset, type DropboxProfile as Shape } from "../../Provider/Dropbox.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Dropbox: Factory<typeof preset, Profile>;
export { Dropbox as default };
