import type { TokenSet } from "../Models.ts";
export interface ConfiguredProvider {
    readonly id?: string;
    readonly name?: string;
    readonly issuer?: string;
    readonly clientId?: string;
    readonly clientSecret?: string;
    readonly authorization?: {
        readonly url: URL;
    };
    readonly token?: {
        readonly url: URL;
    };
    readonly userinfo?: {
        readonly url: URL;
    };
    readonly [member: string]: unknown;
}
export interface UserinfoContext {
    readonly tokens: TokenSet;
    readonly provider: ConfiguredProvider;
    readonly fetch: typeof globalThis.fetch;
}
export interface ProfileContext {
    readonly fetch: typeof globalThis.fetch;
}
export interface ClientPrivateKey {
    readonly key: InstanceType<typeof globalThis.CryptoKey>;
    readonly kid?: string | undefined;
}
export interface TokenRequestContext {
    readonly params: Readonly<Record<string, string>>;
    readonly checks: {
        readonly code_verifier: string | undefined;
    };
    readonly provider: ConfiguredProvider;
    readonly redirectUri: string;
    readonly fetch: typeof globalThis.fetch;
}
