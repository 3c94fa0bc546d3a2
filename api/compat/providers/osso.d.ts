import { Osso as preset, type OssoProfile as Shape } from "../../Provider/Osso.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface OssoProfile extends Claims<Shape> {
}
declare const Osso: Factory<typeof preset, OssoProfile>;
export { Osso as default };
