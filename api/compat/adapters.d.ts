export type { AdapterAccount, AdapterAuthenticator, AdapterSession, AdapterUser, VerificationToken } from "../models/Shape.ts";
export type { AdapterAccountType, AuthJsAdapter as Adapter } from "../authjs/AuthJsAdapter.ts";
export type { Awaitable } from "./Settings.ts";
export declare const isDate: (value: unknown) => value is string;
