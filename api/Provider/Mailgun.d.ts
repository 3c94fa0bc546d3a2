import type { EmailFactory, EmailUserConfig } from "./Preset.ts";
export interface MailgunOptions<R = never, RNormalize = R, RToken = R> extends EmailUserConfig<R, RNormalize, RToken> {
    region?: "US" | "EU" | "us" | "eu" | undefined;
}
export declare const Mailgun: EmailFactory<Pick<MailgunOptions, "region">>;
