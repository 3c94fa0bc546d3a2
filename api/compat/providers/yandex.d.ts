import { Yandex as preset, type YandexProfile as Shape } from "../../Provider/Yandex.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface YandexProfile extends Claims<Shape> {
}
declare const Yandex: Factory<typeof preset, YandexProfile>;
export { Yandex as default };
