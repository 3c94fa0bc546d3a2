import type { EmailFactory, EmailUserConfig, MailServer } from "./Preset.ts";
export interface EmailOptions<R = never, RNormalize = R, RToken = R> extends EmailUserConfig<R, RNormalize, RToken> {
    server?: MailServer | undefined;
}
export declare const Email: EmailFactory<Pick<EmailOptions, "server">>;
