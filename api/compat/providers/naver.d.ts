import { Naver as preset, type NaverProfile as Shape } from "../../Provider/Naver.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface NaverProfile extends Claims<Shape> {
}
declare const Naver: Factory<typeof preset, NaverProfile>;
export { Naver as default };
