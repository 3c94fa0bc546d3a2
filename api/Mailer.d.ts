import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Redacted from "effect/Redacted";
import type { MailerOfBoth, PlainMail } from "./models/PlainMailer.ts";
import type { EmailSignInError } from "./Errors.ts";
export { parse as parseAddress } from "./models/EmailAddress.ts";
export type { EmailAddressFault } from "./models/EmailAddress.ts";
export type { MailerOfBoth, PlainMail, PlainMailer } from "./models/PlainMailer.ts";
export interface Mail {
    readonly to: string;
    readonly from: string;
    readonly subject: string;
    readonly text: Redacted.Redacted;
    readonly html: Redacted.Redacted;
    readonly url: Redacted.Redacted;
}
declare const Mailer_base: Context.ServiceClass<Mailer, "effect-doorman/Mailer", {
    readonly send: (mail: Mail) => Effect.Effect<void, EmailSignInError>;
    readonly from?: string | undefined;
    readonly package?: "nodemailer" | undefined;
}>;
export declare class Mailer extends Mailer_base {
}
export interface CapturedMail extends PlainMail {
    readonly sentAt: number;
}
declare const Mailbox_base: Context.ServiceClass<Mailbox, "effect-doorman/Mailer/Mailbox", {
    readonly mails: Effect.Effect<ReadonlyArray<CapturedMail>>;
    readonly clear: Effect.Effect<void>;
}>;
export declare class Mailbox extends Mailbox_base {
}
export declare const capture: (capacity?: number) => Mailer["Service"] & Mailbox["Service"] & MailerOfBoth;
export declare const layerCapture: (capacity?: number) => Layer.Layer<Mailer | Mailbox>;
