import * as HttpApiError from "effect/http-api/HttpApiError";
import * as Schema from "effect/Schema";
declare const NotSignedIn_base: HttpApiError.ProblemClass<NotSignedIn, "NotSignedIn", "urn:effect-doorman:NotSignedIn", 401, {
    readonly code: Schema.tag<"NotSignedIn">;
    readonly remedy: Schema.tag<"Sign in, then repeat the request.">;
}, {}>;
export declare class NotSignedIn extends NotSignedIn_base {
}
declare const NotAllowed_base: HttpApiError.ProblemClass<NotAllowed, "NotAllowed", "urn:effect-doorman:NotAllowed", 403, {
    readonly code: Schema.Literals<readonly ["NotAllowed", "CrossSite"]>;
    readonly remedy: Schema.tag<"Ask somebody who may, or sign in as somebody who may.">;
}, {}>;
export declare class NotAllowed extends NotAllowed_base {
}
declare const SessionUnavailable_base: HttpApiError.ProblemClass<SessionUnavailable, "SessionUnavailable", "urn:effect-doorman:SessionUnavailable", 503, {
    readonly code: Schema.tag<"SessionUnavailable">;
    readonly remedy: Schema.tag<"Repeat the request in a moment.">;
}, {}>;
export declare class SessionUnavailable extends SessionUnavailable_base {
}
declare const SessionMismatch_base: HttpApiError.ProblemClass<SessionMismatch, "SessionMismatch", "urn:effect-doorman:SessionMismatch", 500, {
    readonly code: Schema.tag<"SessionMismatch">;
    readonly remedy: Schema.tag<"Make callbacks.session answer what the schema of the user says.">;
}, {}>;
export declare class SessionMismatch extends SessionMismatch_base {
}
export {};
