import type { VerificationRequestParams } from "../preset/Provider.ts";
import type { EmailConfig, EmailUserConfig } from "../preset/ProviderOptions.ts";
export interface NodemailerOptions<R = never, RNormalize = R, RToken = R> extends EmailUserConfig<R, RNormalize, RToken> {
    server?: string | object | undefined;
}
export declare const Nodemailer: <R = never, RNormalize = never, RToken = never>(options?: NodemailerOptions<R, RNormalize, RToken>) => EmailConfig<VerificationRequestParams, R, RNormalize, RToken>;
