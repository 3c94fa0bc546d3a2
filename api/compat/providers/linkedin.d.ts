import { LinkedIn as preset, type LinkedInProfile as Shape } from "../../Provider/LinkedIn.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface LinkedInProfile extends Claims<Shape> {
}
declare const LinkedIn: Factory<typeof preset, LinkedInProfile>;
export { LinkedIn as default };
