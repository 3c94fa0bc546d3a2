import type { AnswerKind } from "../internal/Answer.ts";
import type { EmailFactory, EmailUserConfig } from "./Preset.ts";
export interface LoopsOptions<Kind extends AnswerKind = "effect" | "value"> extends EmailUserConfig<Kind> {
    transactionalId?: string | undefined;
}
export declare const Loops: EmailFactory<Pick<LoopsOptions, "transactionalId">>;
