import * as Layer from "effect/Layer";
import type * as Redacted from "effect/Redacted";
import type { MailerOfBoth } from "../models/PlainMailer.ts";
import { Mailer } from "../Mailer.ts";
export interface SmtpOptions {
    readonly server: string | Redacted.Redacted | object;
    readonly from?: string | undefined;
}
export declare const make: ({ from, server }: SmtpOptions) => Mailer["Service"] & MailerOfBoth;
export declare const layer: (options: SmtpOptions) => Layer.Layer<Mailer>;
