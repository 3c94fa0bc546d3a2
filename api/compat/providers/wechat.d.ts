import { WeChat as preset, type WeChatProfile as Shape } from "../../Provider/WeChat.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface WeChatProfile extends Claims<Shape> {
}
declare const WeChat: Factory<typeof preset, WeChatProfile>;
export { WeChat as default };
