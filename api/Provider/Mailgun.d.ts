import type { AnswerKind } from "../internal/Answer.ts";
import type { EmailFactory, EmailUserConfig } from "./Preset.ts";
export interface MailgunOptions<Kind extends AnswerKind = "effect" | "value"> extends EmailUserConfig<Kind> {
    region?: "US" | "EU" | "us" | "eu" | undefined;
}
export declare const Mailgun: EmailFactory<Pick<MailgunOptions, "region">>;
