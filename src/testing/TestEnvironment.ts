/**
 * Everything outside of an application, in this process and the same in every run: the provider, randomness, mail, and what
 * was noted for the audit trail.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Audit from "../Audit.ts"
import * as Mailer from "../Mailer.ts"
import { IdentityProvider, type IdentityProviderOptions, type TestProvider } from "./IdentityProvider.ts"
import * as SeededBytes from "./idp/SeededBytes.ts"

/**
 * The emitted audit events, oldest first.
 *
 * @category services
 * @since 0.1.0
 */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly events: Effect.Effect<ReadonlyArray<Audit.AuditEvent>>
    readonly clear: Effect.Effect<void>
  }
>()("effect-doorman/testing/TestEnvironment/AuditLog") {}

/**
 * Options of the test environment.
 *
 * @category models
 * @since 0.1.0
 */
export interface TestEnvironmentOptions {
  /** Equal seeds make equal bytes. Default: `effect-doorman`. */
  readonly seed?: string | undefined
  /** The provider, or what it is made from. Each environment has a copy of it, without codes and tokens. */
  readonly provider?: IdentityProviderOptions | TestProvider | undefined
}

/** The services of the test environment. @category models @since 0.1.0 */
export type TestEnvironment =
  | AuditLog
  | HttpClient.HttpClient
  | IdentityProvider
  | Mailer.Mailbox
  | Mailer.Mailer
  | SecureRandom.SecureRandom

/**
 * A separate environment for every build of the layer. Time is that of `TestClock` where it is installed.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = ({
  provider = {},
  seed = "effect-doorman"
}: TestEnvironmentOptions = {}): Layer.Layer<TestEnvironment> =>
  Layer.mergeAll(IdentityProvider.layer(provider), Mailer.layerCapture(), auditLog).pipe(
    Layer.provideMerge(Layer.sync(SecureRandom.SecureRandom, () => SeededBytes.make(seed)))
  )

const auditLog: Layer.Layer<AuditLog> = Layer.unwrap(
  Effect.sync(() => {
    const auditEvents: Array<Audit.AuditEvent> = []
    return Layer.merge(
      Layer.succeed(AuditLog, {
        events: Effect.sync(() => [...auditEvents]),
        clear: Effect.sync(() => void auditEvents.splice(0))
      }),
      Audit.layerSink((event) => Effect.sync(() => void auditEvents.push(event)))
    )
  })
)
