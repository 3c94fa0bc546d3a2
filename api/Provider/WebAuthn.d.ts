import type { AnswerKind } from "../internal/Answer.ts";
import type { Factory, WebAuthnConfig, WebAuthnUserConfig } from "./Preset.ts";
export declare const WebAuthn: Factory<WebAuthnConfig<"value">, WebAuthnUserConfig<AnswerKind>, WebAuthnUserConfig<"value">>;
