import { Authentik as preset, type AuthentikProfile as Shape } from "../../Provider/Authentik.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface AuthentikProfile extends Claims<Shape> {
}
declare const Authentik: Factory<typeof preset, AuthentikProfile>;
export { Authentik as default };
