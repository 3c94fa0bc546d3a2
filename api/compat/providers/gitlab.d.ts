import { GitLab as preset, type GitLabProfile as Shape } from "../../Provider/GitLab.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface GitLabProfile extends Claims<Shape> {
}
declare const GitLab: Factory<typeof preset, GitLabProfile>;
export { GitLab as default };
