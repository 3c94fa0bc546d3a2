import { Osso as preset, type OssoProfile as Shape } from "../../Provider/Osso.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Osso: Factory<typeof preset, Profile>;
export { Osso as default };
