import { FreshBooks as preset, type FreshBooksProfile as Shape } from "../../Provider/FreshBooks.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface FreshBooksProfile extends Claims<Shape> {
}
declare const FreshBooks: Factory<typeof preset, FreshBooksProfile>;
export { FreshBooks as default };
