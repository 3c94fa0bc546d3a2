import { Slack as preset, type SlackProfile as Shape } from "../../Provider/Slack.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface SlackProfile extends Claims<Shape> {
}
declare const Slack: Factory<typeof preset, SlackProfile>;
export { Slack as default };
