import * as HttpClient from "effect/http/HttpClient";
import * as Layer from "effect/Layer";
import type { MailerOfBoth } from "../models/PlainMailer.ts";
import { Mailer } from "../Mailer.ts";
import type { MailTransport } from "../Provider/internal/Provider.ts";
export interface MailServiceOptions extends Omit<Extract<MailTransport, {
    readonly _tag: "Http";
}>, "_tag"> {
    readonly from?: string | undefined;
}
export declare const make: (client: HttpClient.HttpClient, options: MailServiceOptions) => Mailer["Service"] & MailerOfBoth;
export declare const layer: (options: MailServiceOptions) => Layer.Layer<Mailer, never, HttpClient.HttpClient>;
