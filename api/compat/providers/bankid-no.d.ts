import { BankIdNo as preset, type BankIdNoProfile as Shape } from "../../Provider/BankIdNo.ts";
import type { Claims, Factory } from "../ProviderModule.ts";
export interface BankIDNorwayProfile extends Claims<Shape> {
}
declare const BankIdNo: Factory<typeof preset, BankIDNorwayProfile>;
export { BankIdNo as default };
