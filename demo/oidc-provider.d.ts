/**
 * The part of `oidc-provider` that the demo and the tests use; the package ships no declarations of its own.
 */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  export interface Interaction {
    readonly uid: string
    readonly prompt: { readonly name: string; readonly details: Readonly<Record<string, unknown>> }
    readonly params: Readonly<Record<string, unknown>>
    readonly session?: { readonly accountId?: string }
    readonly grantId?: string
  }

  export interface Grant {
    addOIDCScope(scope: string): void
    addOIDCClaims(claims: ReadonlyArray<string>): void
    save(): Promise<string>
  }

  export class Provider {
    constructor(issuer: string, configuration?: Readonly<Record<string, unknown>>)
    readonly issuer: string
    readonly Grant: {
      new (properties: { readonly accountId: string; readonly clientId: string }): Grant
      find(id: string): Promise<Grant | undefined>
    }
    callback(): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>
    interactionDetails(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Interaction>
    interactionFinished(
      incoming: IncomingMessage,
      outgoing: ServerResponse,
      result: Readonly<Record<string, unknown>>,
      options?: { readonly mergeWithLastSubmission?: boolean }
    ): Promise<void>
    on(event: string, listener: (...details: Array<unknown>) => void): this
  }
}
