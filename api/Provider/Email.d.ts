import type { AnswerKind } from "../internal/Answer.ts";
import type { EmailFactory, EmailUserConfig, MailServer } from "./Preset.ts";
export interface EmailOptions<Kind extends AnswerKind = "effect" | "value"> extends EmailUserConfig<Kind> {
    server?: MailServer | undefined;
}
export declare const Email: EmailFactory<Pick<EmailOptions, "server">>;
