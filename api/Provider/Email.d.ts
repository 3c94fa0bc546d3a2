import { type NodemailerOptions as EmailOptions } from "./Nodemailer.ts";
import type { VerificationRequestParams } from "../preset/Provider.ts";
import type { EmailConfig } from "../preset/ProviderOptions.ts";
export type { NodemailerOptions as EmailOptions } from "./Nodemailer.ts";
export declare const Email: <R = never, RNormalize = never, RToken = never>(options?: EmailOptions<R, RNormalize, RToken>) => EmailConfig<VerificationRequestParams, R, RNormalize, RToken>;
