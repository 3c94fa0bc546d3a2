import { Auth0 as preset, type Auth0Profile as Shape } from "../../Provider/Auth0.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface Auth0Profile extends Claims<Shape> {
}
declare const Auth0: Factory<typeof preset, Auth0Profile>;
export { Auth0 as default };
