import type { AnswerKind } from "../internal/Answer.ts";
import type { Factory, WebAuthnConfig, WebAuthnUserConfig } from "./Preset.ts";
export declare const Passkey: Factory<WebAuthnConfig<"value">, WebAuthnUserConfig<AnswerKind>, WebAuthnUserConfig<"value">>;
export declare const relatedOrigins: (origins: ReadonlyArray<string>) => Response;
