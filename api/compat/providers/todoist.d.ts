import { Todoist as preset, type TodoistProfile as Shape } from "../../Provider/Todoist.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface TodoistProfile extends Claims<Shape> {
}
declare const Todoist: Factory<typeof preset, TodoistProfile>;
export { Todoist as default };
