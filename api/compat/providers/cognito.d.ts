import { Cognito as preset, type CognitoProfile as Shape } from "../../Provider/Cognito.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface CognitoProfile extends Claims<Shape> {
}
declare const Cognito: Factory<typeof preset, CognitoProfile>;
export { Cognito as default };
