import type { EmailFactory, EmailUserConfig, MailServer } from "./internal/ProviderOptions.ts";
export interface NodemailerOptions<R = never, RNormalize = R, RToken = R> extends EmailUserConfig<R, RNormalize, RToken> {
    server?: MailServer | undefined;
}
export declare const Nodemailer: EmailFactory<Pick<NodemailerOptions, "server">>;
