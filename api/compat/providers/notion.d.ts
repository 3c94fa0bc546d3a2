import { Notion as preset, type NotionProfile as Shape } from "../../Provider/Notion.ts";
import type { Claims, Factory, Member } from "../ProviderModule.ts";
export interface NotionProfile extends Claims<Shape> {
}
export interface Person extends Member {
}
export interface User extends Member {
}
export interface Owner extends Member {
}
declare const Notion: Factory<typeof preset, NotionProfile>;
export { Notion as default };
