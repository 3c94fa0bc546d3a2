export type * from "../providers.ts";
