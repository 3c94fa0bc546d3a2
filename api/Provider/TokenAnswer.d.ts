import * as Effect from "effect/Effect";
type Body = Readonly<Record<string, unknown>>;
export declare const changed: (change: (body: Body, status: number) => Body) => (response: Response) => Effect.Effect<Response>;
export declare const bearer: (response: Response) => Effect.Effect<Response>;
export {};
