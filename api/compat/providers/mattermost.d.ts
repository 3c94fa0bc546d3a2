import { Mattermost as preset, type MattermostProfile as Shape } from "../../Provider/Mattermost.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface MattermostProfile extends Claims<Shape> {
}
declare const Mattermost: Factory<typeof preset, MattermostProfile>;
export { Mattermost as default };
