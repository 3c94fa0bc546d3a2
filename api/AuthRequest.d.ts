import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { MalformedRequest, MethodNotAllowed, PayloadTooLarge, RequestTimeout, UnknownAction, UnsupportedMediaType } from "./Errors.ts";
import { type AuthAction } from "./internal/AuthAction.ts";
import { type CookieHeader } from "./internal/CookieHeader.ts";
export type RequestFailure = MalformedRequest | MethodNotAllowed | PayloadTooLarge | RequestTimeout | UnknownAction | UnsupportedMediaType;
declare const AuthRequest_base: Context.ServiceClass<AuthRequest, "effect-doorman/AuthRequest", {
    readonly method: "GET" | "POST";
    readonly isHead?: boolean;
    readonly url: URL;
    readonly origin: string;
    readonly action: AuthAction;
    readonly providerId: string | undefined;
    readonly body: Readonly<Record<string, unknown>> | undefined;
    readonly cookies: CookieHeader;
    readonly headers: Headers;
    readonly fromServer?: boolean;
    readonly refusedSessions?: ReadonlyArray<string>;
}>;
export declare class AuthRequest extends AuthRequest_base {
}
export declare const route: (basePath: string, pathname: string) => {
    readonly action: AuthAction;
    readonly providerId: string | undefined;
} | undefined;
export declare const trailingAction: (pathname: string) => {
    readonly basePath: string;
    readonly action: AuthAction;
} | undefined;
export type RequestBody = ReadableStream | null | "used";
export interface RequestParts {
    readonly method: string;
    readonly url: URL;
    readonly headers: Headers;
    readonly cookie: string | null | undefined;
    readonly body: () => RequestBody;
}
export declare const fromWeb: (request: Request, basePath: string, url?: import("url").URL) => Effect.Effect<AuthRequest["Service"], RequestFailure>;
export declare const fromParts: ({ body, cookie, headers, method, url }: RequestParts, basePath: string) => Effect.Effect<AuthRequest["Service"], RequestFailure>;
export declare const field: (request: AuthRequest["Service"], name: string) => string | undefined;
export declare const isPrefetch: ({ headers, method }: AuthRequest["Service"]) => boolean;
export declare const toWeb: (request: AuthRequest["Service"]) => Request;
export {};
