import * as Result from "effect/Result";
import { MalformedRequest } from "../Errors.ts";
import { type Members } from "./Merge.ts";
import type { CredentialsProvider } from "./Provider.ts";
export declare const submitted: (provider: CredentialsProvider, body: Members) => Result.Result<Readonly<Record<string, string>>, MalformedRequest>;
