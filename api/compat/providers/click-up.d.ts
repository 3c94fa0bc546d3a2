import { ClickUp as preset, type ClickUpProfile as Shape } from "../../Provider/ClickUp.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface ClickUpProfile extends Claims<Shape> {
}
declare const ClickUp: Factory<typeof preset, ClickUpProfile>;
export { ClickUp as default };
