/**
 * A whole OpenID provider inside the process, FOR TESTS ONLY: its keys are published with this package.
 *
 * It signs users in as a real one does: discovery, keys, a page where the user agrees, codes that are good once, PKCE,
 * signed ID tokens, refresh tokens, userinfo and sign-out; by an `HttpClient` or a `fetch` without any sockets, in the time
 * of the test's clock. A named fault makes it answer wrongly, and states the failure that a sign-in must end with.
 *
 * This is not a server and not a library to build one with.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Profile } from "../Models.ts"
import type { OIDCConfig } from "../compat/providers.ts"
import { changesOf, type FaultName } from "./idp/Faults.ts"
import * as IdpTransport from "./idp/Transport.ts"
import * as Grants from "./idp/Grants.ts"
import { type Client, defaultClient, defaultUsers, type ProviderUser } from "./idp/Users.ts"
import * as Provider from "./idp/Provider.ts"
import * as SeededBytes from "./idp/SeededBytes.ts"
import * as Signing from "./idp/Signing.ts"
import type { Algorithm } from "./idp/TestKeys.ts"

export { type FaultName, faults } from "./idp/Faults.ts"
export { type ProviderRequest, StrayRequest } from "./idp/Transport.ts"
export type { Place } from "./idp/Fault.ts"
export type { Client, ProviderUser } from "./idp/Users.ts"
export type { Consent } from "./idp/Provider.ts"
export type { Algorithm } from "./idp/TestKeys.ts"

/**
 * Options of a provider. Each has a default.
 *
 * @category models
 * @since 0.1.0
 */
export interface IdentityProviderOptions {
  /** Issuer identifier: `https`, without query and final slash. Default: `https://idp.test`. */
  readonly issuer?: string
  /** Default: one client, `test-client`, that may be sent back anywhere. */
  readonly clients?: readonly [Client, ...ReadonlyArray<Client>]
  /** Default: `ada`, `grace`, and `eve`, who gives the address of `ada` without having verified it. */
  readonly users?: ReadonlyArray<ProviderUser>
  /** How ID tokens are signed. Default: `RS256`. */
  readonly algorithm?: Algorithm
  /** The seed of codes and tokens, unless a `SecureRandom` is given. Default: the issuer. */
  readonly seed?: string
  /** Where the bytes of codes and tokens come from. */
  readonly random?: SecureRandom.SecureRandom["Service"]
  /** The time of `fetch`; the programs that use the `HttpClient` bring their own. Default: that of the machine. */
  readonly clock?: Clock.Clock
}

/**
 * A test provider. It shares nothing with any other.
 *
 * In a test environment whose provider has the same issuer, the effects of this one act on that one: the application talks to
 * that one.
 *
 * @category models
 * @since 0.1.0
 */
export interface TestProvider {
  readonly issuer: string
  /** A provider for the `providers` of the options, `idp` by id; members given here win. */
  readonly provider: (more?: Partial<Omit<OIDCConfig<Profile>, "type">>) => OIDCConfig<Profile>
  /** The provider as the client of an application; a request to another origin fails and names its address. */
  readonly client: HttpClient.HttpClient
  readonly layer: Layer.Layer<HttpClient.HttpClient>
  /** The provider in front of another client, which gets the requests to other origins: that of a second provider, say. */
  readonly layerBefore: Layer.Layer<HttpClient.HttpClient, never, HttpClient.HttpClient>
  /** The provider as `fetch`, such as for the `customFetch` of a provider. */
  readonly fetch: typeof globalThis.fetch
  /** Lets a user agree or decline. Returns the URL that the provider redirects the browser to. */
  readonly authorize: (
    authorizationUrl: string | URL,
    consent?: Provider.Consent
  ) => Effect.Effect<URL, Provider.AuthorizationRefused>
  /** The requests of the application and of browsers, the oldest first. */
  readonly requests: ReadonlyArray<IdpTransport.ProviderRequest>
  /** Adds a user, or replaces the user of that `sub`. */
  readonly setUser: (user: ProviderUser) => Effect.Effect<void>
  /** Revokes the consent of a user: their codes and tokens are invalid from now on. */
  readonly revoke: (sub: string) => Effect.Effect<void>
  /** Runs a program while faults are set. */
  readonly with: (
    ...faults: ReadonlyArray<FaultName>
  ) => <A, E, R>(program: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Sets faults, until `reset`. */
  readonly set: (...faults: ReadonlyArray<FaultName>) => Effect.Effect<void>
  /** Makes the provider honest again. */
  readonly reset: Effect.Effect<void>
  /** A copy of the provider without codes and tokens, for one test environment: faults of this one hold there. @internal */
  readonly "~fresh": (random: Option.Option<SecureRandom.SecureRandom["Service"]>) => TestProvider
}

/** The parts that a fresh copy takes over from its provider. */
interface Origin {
  readonly users: ReadonlyMap<string, ProviderUser>
  readonly faults: ReadonlySet<FaultName>
  readonly record: (request: IdpTransport.ProviderRequest) => void
}

const make = (options: IdentityProviderOptions = {}, from?: Origin): TestProvider => {
  const { issuer = "https://idp.test" } = options
  const clients = options.clients ?? [defaultClient]
  const users = new Map(from?.users ?? (options.users ?? defaultUsers).map((user) => [user.sub, user]))
  const grants = Grants.make(options.random ?? SeededBytes.make(options.seed ?? issuer))
  const set = new Set<FaultName>()
  const { origin } = new URL(issuer)

  const provider = Provider.make({
    issuer,
    clients,
    users,
    grants,
    signer: Signing.make(options.algorithm ?? "RS256"),
    changes: () => changesOf(new Set([...(from?.faults ?? []), ...set]))
  })
  const transport = IdpTransport.make(origin, provider, { clock: options.clock, record: from?.record })
  const client = transport.client()

  const authorize = Effect.fnUntraced(function* (authorizationUrl: string | URL, consent: Provider.Consent = {}) {
    if (!URL.canParse(String(authorizationUrl))) {
      return yield* new Provider.AuthorizationRefused({ detail: "the authorization address is no absolute URL" })
    }
    const address = new URL(authorizationUrl)
    const agreement = provider.agree(address, consent, yield* IdpTransport.seconds)
    return yield* Effect.onExit(agreement, (exit) =>
      Effect.sync(() => transport.visited(address, exit._tag === "Success" ? 302 : 400))
    )
  })

  const self: TestProvider = {
    issuer,
    provider: (more = {}) => {
      const client = clients.find(({ clientId }) => clientId === (more.clientId ?? clients[0].clientId))
      return {
        id: "idp",
        name: "Identity provider",
        type: "oidc",
        issuer,
        clientId: client?.clientId,
        ...(client?.clientSecret === undefined
          ? { client: { token_endpoint_auth_method: "none" } }
          : { clientSecret: client.clientSecret }),
        ...more
      }
    },
    client,
    layer: Layer.succeed(HttpClient.HttpClient, client),
    layerBefore: Layer.effect(
      HttpClient.HttpClient,
      Effect.map(HttpClient.HttpClient, (next) => transport.client(next))
    ),
    // Two providers of one name in one process are those of two tests.
    fetch: transport.fetch,
    requests: transport.requests,
    ...acting(() => self, {
      authorize,
      setUser: (user) => Effect.sync(() => void users.set(user.sub, user)),
      revoke: (sub) => Effect.sync(() => grants.revoke(sub)),
      ...switches(set)
    }),
    "~fresh": (random) =>
      make(Option.isSome(random) ? { random: random.value, ...options } : options, {
        users,
        faults: set,
        record: transport.record
      })
  }
  return self
}

/** The effects of a provider. */
type Controls = Pick<TestProvider, "authorize" | "reset" | "revoke" | "set" | "setUser" | "with">

const switches = (set: Set<FaultName>): Pick<Controls, "reset" | "set" | "with"> => ({
  with:
    (...faults) =>
    (program) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          const additions = faults.filter((fault) => !set.has(fault))
          for (const fault of additions) set.add(fault)
          return additions
        }),
        () => program,
        (added) =>
          Effect.sync(() => {
            for (const fault of added) set.delete(fault)
          })
      ),
  set: (...faults) =>
    Effect.sync(() => {
      for (const fault of faults) set.add(fault)
    }),
  reset: Effect.sync(() => set.clear())
})

/** Acts on the provider of the test environment where that has the issuer of this one, and on this one elsewhere. */
const acting = (self: () => TestProvider, own: Controls): Controls => {
  const here = Effect.map(Effect.serviceOption(IdentityProvider), (provider): Controls => {
    const { issuer } = self()
    return Option.isSome(provider) && provider.value !== self() && provider.value.issuer === issuer
      ? provider.value
      : own
  })
  return {
    authorize: (address, consent) => Effect.flatMap(here, ({ authorize }) => authorize(address, consent)),
    setUser: (user) => Effect.flatMap(here, ({ setUser }) => setUser(user)),
    revoke: (sub) => Effect.flatMap(here, ({ revoke }) => revoke(sub)),
    with:
      (...faults) =>
      (program) =>
        Effect.flatMap(here, (controls) => controls.with(...faults)(program)),
    set: (...faults) => Effect.flatMap(here, ({ set }) => set(...faults)),
    reset: Effect.flatMap(here, ({ reset }) => reset)
  }
}

/**
 * The provider as a service, beside the `HttpClient` that leads to it.
 *
 * @category services
 * @since 0.1.0
 */
export class IdentityProvider extends Context.Service<IdentityProvider, TestProvider>()(
  "effect-doorman/testing/IdentityProvider"
) {
  /** A provider as a plain value. */
  static readonly make = (options?: IdentityProviderOptions): TestProvider => make(options)

  /**
   * A provider of its own for each time that the layer is built, made from options or from a provider. Codes and tokens come from
   * `SecureRandom` where there is one.
   */
  static readonly layer = (
    provider: IdentityProviderOptions | TestProvider = {}
  ): Layer.Layer<IdentityProvider | HttpClient.HttpClient> =>
    Layer.effectContext(
      Effect.map(Effect.serviceOption(SecureRandom.SecureRandom), (random) => {
        const idp = ("~fresh" in provider ? provider : make(provider))["~fresh"](random)
        return Context.make(IdentityProvider, idp).pipe(Context.add(HttpClient.HttpClient, idp.client))
      })
    )
}
