import { Kakao as preset, type KakaoProfile as Shape } from "../../Provider/Kakao.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface KakaoProfile extends Claims<Shape> {
}
export type DateTime = string;
export type Gender = string;
export type Birthday = string;
export type AgeRange = string;
declare const Kakao: Factory<typeof preset, KakaoProfile>;
export { Kakao as default };
