import type { VerificationRequestParams } from "../preset/Provider.ts";
import type { EmailConfig, EmailUserConfig } from "../preset/ProviderOptions.ts";
export interface LoopsOptions<R = never, RNormalize = R, RToken = R> extends EmailUserConfig<R, RNormalize, RToken> {
    transactionalId?: string | undefined;
}
export declare const Loops: <R = never, RNormalize = never, RToken = never>(options?: LoopsOptions<R, RNormalize, RToken>) => EmailConfig<VerificationRequestParams, R, RNormalize, RToken>;
