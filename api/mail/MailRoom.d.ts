import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type * as HttpClient from "effect/http/HttpClient";
import type { EmailSignInError } from "../Errors.ts";
import type { Mailer } from "../Mailer.ts";
import type { LinkMail } from "./LinkMail.ts";
export type { LinkMail } from "./LinkMail.ts";
declare const MailRoom_base: Context.ServiceClass<MailRoom, "effect-doorman/mail/MailRoom", {
    readonly send: (mail: LinkMail) => Effect.Effect<void, EmailSignInError>;
}>;
export declare class MailRoom extends MailRoom_base {
    static readonly make: (mailer: Mailer["Service"] | undefined, client: HttpClient.HttpClient) => MailRoom["Service"];
}
