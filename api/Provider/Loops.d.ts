import type { EmailFactory, EmailUserConfig } from "./Preset.ts";
export interface LoopsOptions<R = never, RNormalize = R, RToken = R> extends EmailUserConfig<R, RNormalize, RToken> {
    transactionalId?: string | undefined;
}
export declare const Loops: EmailFactory<Pick<LoopsOptions, "transactionalId">>;
