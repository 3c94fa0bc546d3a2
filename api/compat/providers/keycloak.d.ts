import { Keycloak as preset, type KeycloakProfile as Shape } from "../../Provider/Keycloak.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface KeycloakProfile extends Claims<Shape> {
}
declare const Keycloak: Factory<typeof preset, KeycloakProfile>;
export { Keycloak as default };
