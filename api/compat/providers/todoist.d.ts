import { Todoist as preset, type TodoistProfile as Shape } from "../../Provider/Todoist.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const Todoist: Factory<typeof preset, Profile>;
export { Todoist as default };
