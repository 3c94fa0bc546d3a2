import { FreshBooks as preset, type FreshBooksProfile as Shape } from "../../Provider/FreshBooks.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
interface Profile extends Claims<Shape> {
}
declare const FreshBooks: Factory<typeof preset, Profile>;
export { FreshBooks as default };
