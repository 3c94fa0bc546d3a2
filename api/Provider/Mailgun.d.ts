import type { VerificationRequestParams } from "../preset/Provider.ts";
import type { EmailConfig, EmailUserConfig } from "../preset/ProviderOptions.ts";
export interface MailgunOptions<R = never, RNormalize = R, RToken = R> extends EmailUserConfig<R, RNormalize, RToken> {
    region?: "US" | "EU" | "us" | "eu" | undefined;
}
export declare const Mailgun: <R = never, RNormalize = never, RToken = never>(options?: MailgunOptions<R, RNormalize, RToken>) => EmailConfig<VerificationRequestParams, R, RNormalize, RToken>;
