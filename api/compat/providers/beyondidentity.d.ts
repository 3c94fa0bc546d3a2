import { BeyondIdentity as preset, type BeyondIdentityProfile as Shape } from "../../Provider/BeyondIdentity.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface BeyondIdentityProfile extends Claims<Shape> {
}
declare const BeyondIdentity: Factory<typeof preset, BeyondIdentityProfile>;
export { BeyondIdentity as default };
