import * as Layer from "effect/Layer";
import type * as Redacted from "effect/Redacted";
import { Mailer } from "../Mailer.ts";
export interface SmtpOptions {
    readonly server: Redacted.Redacted | object;
    readonly from?: string | undefined;
}
export declare const make: ({ from, server }: SmtpOptions) => Mailer["Service"];
export declare const layer: (options: SmtpOptions) => Layer.Layer<Mailer>;
