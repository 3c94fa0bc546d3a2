import { GitHub as preset, type GitHubProfile as Shape } from "../../Provider/GitHub.ts";
import type { Claims, Factory, Member } from "../ProviderModule.ts";
export interface GitHubProfile extends Claims<Shape> {
}
export interface GitHubEmail extends Member {
}
declare const GitHub: Factory<typeof preset, GitHubProfile>;
export { GitHub as default };
