import { type ResponseCookie } from "./Cookie.ts";
import type { Problem } from "./telemetry/Problem.ts";
export interface AuthResponse {
    readonly status?: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly cookies: ReadonlyArray<ResponseCookie>;
    readonly body?: unknown;
    readonly text?: string;
    readonly redirect?: string;
}
export declare const json: (body: unknown, cookies?: ReadonlyArray<ResponseCookie>, status?: number) => AuthResponse;
export declare const written: (body: unknown, text: string, cookies: ReadonlyArray<ResponseCookie>) => AuthResponse;
export declare const kept: (body: () => unknown, text: string) => AuthResponse;
export declare const problem: (details: Problem, cookies?: ReadonlyArray<ResponseCookie>, headers?: Readonly<Record<string, string>>) => AuthResponse;
export declare const empty: (status: number, cookies?: ReadonlyArray<ResponseCookie>, headers?: Readonly<Record<string, string>>) => AuthResponse;
export declare const redirect: (url: string, cookies?: ReadonlyArray<ResponseCookie>, status?: 303) => AuthResponse;
export declare const page: (rendered: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
}, cookies?: ReadonlyArray<ResponseCookie>) => AuthResponse;
export declare const withCookies: (response: AuthResponse, cookies: ReadonlyArray<ResponseCookie>) => AuthResponse;
export declare const returningRedirect: (response: AuthResponse) => AuthResponse;
export declare const toWeb: (response: AuthResponse) => Response;
