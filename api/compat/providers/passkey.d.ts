import type { KeyFactory } from "../ProviderModule.ts";
declare const Passkey: KeyFactory;
export { Passkey as default };
export type { KeyFactory } from "../ProviderModule.ts";
