import type { NamedUser, SignInOptions } from "../actions/ServerSignIn.ts";
import type { Profile } from "../models/Shape.ts";
import type { OIDCConfig } from "../compat/providers.ts";
import type { ServerAuth } from "../server/ServerAuth.ts";
import type { FaultName } from "./idp/Faults.ts";
import type { ProviderRequest } from "./idp/Transport.ts";
import type { Algorithm } from "./idp/TestKeys.ts";
import type { Client, ProviderUser } from "./idp/Users.ts";
import { type StorageState } from "./StorageState.ts";
export { siteOrigin } from "./Browser.ts";
export type { FaultFacts } from "./idp/Fault.ts";
export { type FaultName, faults } from "./idp/Faults.ts";
export type { Algorithm } from "./idp/TestKeys.ts";
export type { ProviderRequest } from "./idp/Transport.ts";
export type { Client, ProviderUser } from "./idp/Users.ts";
export type { StorageCookie, StorageState } from "./StorageState.ts";
export type { NamedUser, ServerAuth, SignInOptions } from "../index.ts";
export declare const secret = "for tests only: 0123456789 abcdefghijklmnopqrstuvwxyz";
export interface TestProviderOptions {
    readonly issuer?: string;
    readonly clients?: readonly [Client, ...ReadonlyArray<Client>];
    readonly users?: ReadonlyArray<ProviderUser>;
    readonly algorithm?: Algorithm;
    readonly seed?: string;
}
export interface TestProvider {
    readonly issuer: string;
    readonly provider: (more?: Partial<Omit<OIDCConfig<Profile>, "type">>) => OIDCConfig<Profile>;
    readonly fetch: typeof globalThis.fetch;
    readonly authorize: (authorizationUrl: string | URL, consent?: {
        readonly as?: string | undefined;
        readonly decline?: string | undefined;
    }) => Promise<URL>;
    readonly requests: ReadonlyArray<ProviderRequest>;
    readonly setUser: (user: ProviderUser) => void;
    readonly revoke: (sub: string) => void;
    readonly set: (...faults: ReadonlyArray<FaultName>) => void;
    readonly reset: () => void;
}
export declare const createTestProvider: (options?: TestProviderOptions) => TestProvider;
export interface TestMail {
    readonly to: string;
    readonly url: string;
    readonly expires: Date;
}
export interface TestMailbox {
    readonly mails: ReadonlyArray<TestMail>;
    readonly sendVerificationRequest: (mail: {
        readonly identifier: string;
        readonly url: string;
        readonly expires: Date;
    }) => void;
    readonly clear: () => void;
}
export declare const createMailbox: () => TestMailbox;
export interface TestBrowserOptions {
    readonly origin?: string;
    readonly basePath?: string;
    readonly providers?: ReadonlyArray<TestProvider>;
    readonly mailbox?: TestMailbox;
}
export interface StepFailure extends Error {
    readonly _tag: "StepFailed";
    readonly step: string;
    readonly status: number;
    readonly location: string | undefined;
    readonly body: string;
    readonly error: string | undefined;
    readonly code: string | undefined;
}
export interface TestSession {
    readonly user?: Readonly<Record<string, unknown>>;
    readonly expires: string;
    readonly [claim: string]: unknown;
}
export interface TestRequest {
    readonly method?: "DELETE" | "GET" | "HEAD" | "PATCH" | "POST" | "PUT";
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
}
export interface TestSignIn {
    readonly callbackUrl?: string;
}
export interface TestBrowser {
    readonly open: (address: string) => Promise<Response>;
    readonly fetch: (address: string, request?: TestRequest) => Promise<Response>;
    readonly submit: (address: string, fields?: Readonly<Record<string, string>>) => Promise<Response>;
    readonly session: () => Promise<TestSession | null>;
    readonly signIn: (provider: string, consent?: TestSignIn & {
        readonly as?: string;
    }) => Promise<string>;
    readonly signInWith: (provider: string, fields: Readonly<Record<string, string>>, start?: TestSignIn) => Promise<string>;
    readonly askForLink: (provider: string, email: string, start?: TestSignIn) => Promise<TestMail>;
    readonly followLink: (link: string) => Promise<string>;
    readonly signOut: () => Promise<void>;
    readonly become: (user: {
        readonly storageState: StorageState;
    }) => Promise<void>;
    readonly another: () => TestBrowser;
}
export type TestApplication = ((request: Request) => Promise<Response> | Response) | {
    readonly handler: (request: Request) => Promise<Response>;
};
export declare const createBrowser: (application: TestApplication, options?: TestBrowserOptions) => TestBrowser;
export interface SignedInUser {
    readonly cookie: string;
    readonly storageState: StorageState;
}
export declare const signedInAs: (auth: Pick<ServerAuth, "basePath" | "signIn">, user: NamedUser<string>, { origin, ...options }?: SignInOptions & {
    readonly origin?: string;
}) => Promise<SignedInUser>;
