/**
 * Requirements and failures of the layers of `Auth`, checked by the compiler: this file is compiled by `npm run typecheck` and
 * never run.
 */
// Each rejected program has an expected error, which the compiler checks.
// @effect-diagnostics missingEffectContext:off
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { HttpClient } from "effect/http/HttpClient"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Adapter from "../../src/Adapter.ts"
import { Doorman, type DoormanOptions } from "../../src/Doorman.ts"
import type { ConfigurationError } from "../../src/config/Settings.ts"
import type { JwtParams, SessionParams, SignInParams } from "../../src/Callbacks.ts"
import type {
  DuplicateConditionalUi,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingSecret,
  MissingWebAuthnAutocomplete,
  UntrustedHost,
  WeakSecret
} from "../../src/Errors.ts"
import type { EventMessages, EventsOptions } from "../../src/Events.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import * as Mailer from "../../src/Mailer.ts"
import { Credentials } from "../../src/Provider/Credentials.ts"
import { GitHub } from "../../src/Provider/GitHub.ts"

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles when the layer requires exactly this. */
declare const requires: <Wanted>() => <L extends Layer.Any>(
  layer: L,
  ...found: Same<Layer.Services<L>, Wanted> extends true ? [] : [Layer.Services<L>]
) => void
/** Compiles when the layer fails with exactly this. */
declare const failsWith: <Wanted>() => <L extends Layer.Any>(
  layer: L,
  ...found: Same<Layer.Error<L>, Wanted> extends true ? [] : [Layer.Error<L>]
) => void
/** Compiles when both types are the same. */
declare const is: <A, B>(...found: Same<A, B> extends true ? [] : [A, B]) => void

type Address = string | null | undefined
class Invites extends Context.Service<Invites, { readonly check: (email: Address) => Effect.Effect<boolean, Error> }>()(
  "test/Invites"
) {}
class Journal extends Context.Service<Journal, { readonly write: (line: string) => Effect.Effect<void> }>()(
  "test/Journal"
) {}
class Roles extends Context.Service<Roles, { readonly of: (id: string) => Effect.Effect<string> }>()("test/Roles") {}

const providers = [GitHub]
const secret = Redacted.make("")
const isInvited = (email: Address) => Effect.flatMap(Invites, (invites) => invites.check(email))

// The constant requirements, and further ones.
requires<HttpClient>()(Doorman.layer({ providers, secret }))
requires<HttpClient>()(Doorman.layer({ providers, adapter: Adapter.makeMemory(), mailer: Mailer.capture() }))
requires<HttpClient | Adapter.Adapter>()(Doorman.layer({ providers, adapter: Adapter.Adapter }))
requires<HttpClient | Mailer.Mailer>()(Doorman.layer({ providers, mailer: Mailer.Mailer }))
requires<HttpClient | Adapter.Adapter | Mailer.Mailer>()(
  Doorman.layer({ providers, adapter: Adapter.Adapter, mailer: Mailer.Mailer })
)
requires<HttpClient | Adapter.Adapter | Journal>()(
  Doorman.layer({ providers, adapter: Effect.andThen(Journal, Adapter.Adapter) })
)

// The example of the documentation.
requires<HttpClient | Invites>()(
  Doorman.layer({ providers, callbacks: { signIn: ({ profile }) => isInvited(profile?.email) } })
)

// Several at once: in one function, in several, in events too, by generators and by every branch.
const everything = Doorman.layer({
  providers: [GitHub, Credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ name: name ?? null }) })],
  adapter: Adapter.Adapter,
  mailer: Mailer.Mailer,
  callbacks: {
    signIn: ({ profile }) => isInvited(profile?.email),
    jwt: ({ token, user }) =>
      user?.id === undefined
        ? token
        : Effect.map(
            Roles.use(({ of }) => of(user.id ?? "")),
            (role) => ({ ...token, role })
          ),
    session: ({ session, token }) => ({ ...session, role: token?.["role"] }),
    redirect: ({ baseUrl, url }) => Promise.resolve(url.startsWith("/") ? `${baseUrl}${url}` : baseUrl)
  },
  events: { signIn: ({ user }) => Journal.use(({ write }) => write(user.id ?? "")), signOut: () => undefined }
})
requires<HttpClient | Adapter.Adapter | Mailer.Mailer | Invites | Roles | Journal>()(everything)
requires<HttpClient | Invites | Journal | Roles>()(
  Doorman.layer({
    providers,
    callbacks: {
      signIn: ({ profile, user }) => {
        if (profile === undefined) return false
        if (user.id === "1") return Effect.as(Journal, true)
        return isInvited(profile.email)
      },
      jwt: Effect.fnUntraced(function* ({ token }) {
        yield* Roles
        return token
      })
    }
  })
)
requires<HttpClient | Invites | Journal>()(
  Doorman.layer({
    providers,
    events: { createUser: () => Journal, session: ({ session }) => isInvited(session.user?.email) }
  })
)

// A handler may return anything; an Effect says what it requires, also where the handlers are written down with their type.
export const handlers: EventsOptions<Journal> = {
  signIn: ({ user }) => Journal.use(({ write }) => write(user.id ?? "")),
  signOut: async () => 1,
  createUser: () => undefined,
  updateUser: () => ["anything"],
  linkAccount: () => {
    /* nothing */
  }
}
// @ts-expect-error the handler requires a service that the type does not name
export const undeclared: EventsOptions = { signIn: () => Journal }
// @ts-expect-error the same for one branch of it
export const branched: EventsOptions = { signIn: ({ isNewUser }) => (isNewUser === true ? Journal : undefined) }
requires<HttpClient | Journal>()(Doorman.layer({ providers, events: handlers }))

// A declaration elsewhere loses nothing.
const written = { providers, callbacks: { signIn: () => Effect.as(Journal, true) }, events: { signOut: () => Roles } }
requires<HttpClient | Journal | Roles>()(Doorman.layer(written))
declare const annotated: DoormanOptions<Invites | Journal, Adapter.Adapter, Mailer.Mailer>
requires<HttpClient | Adapter.Adapter | Mailer.Mailer | Invites | Journal>()(Doorman.layer(annotated))
declare const isClosed: boolean
requires<HttpClient | Invites>()(
  Doorman.layer({ providers, callbacks: isClosed ? { signIn: ({ user }) => isInvited(user.email) } : undefined })
)
requires<HttpClient | Invites>()(
  Doorman.layer({ providers, ...(isClosed ? { callbacks: { signIn: () => isInvited(null) } } : {}) })
)

// Nothing is made up: no clock, and a scope is given to each call.
requires<HttpClient>()(
  Doorman.layer({
    providers,
    callbacks: {
      jwt: ({ token }) =>
        Effect.as(
          Effect.addFinalizer(() => Effect.void),
          token
        ),
      session: ({ session }) => Effect.map(Clock.currentTimeMillis, (now) => ({ ...session, now })),
      signIn: async ({ user }) => Promise.resolve(user.id !== undefined)
    }
  })
)
requires<HttpClient>()(Doorman.layer({ providers, callbacks: undefined, events: undefined, adapter: undefined }))
requires<HttpClient>()(Doorman.layer({ providers, callbacks: {}, events: {} }))

// Parameters are typed by where they stand, also with a Schema in between.
class Member extends Schema.Class<Member>("Member")({ id: Schema.String, role: Schema.Literals(["admin", "guest"]) }) {}
requires<HttpClient>()(
  Doorman.layer({
    providers,
    callbacks: {
      signIn: (params) => {
        is<typeof params, SignInParams>()
        return true
      },
      jwt: (params) => {
        is<typeof params, JwtParams>()
        return params.token
      },
      session: (params) => {
        is<typeof params, SessionParams>()
        return Effect.map(Schema.decodeUnknownEffect(Member)(params.token), ({ id, role }) => ({
          ...params.session,
          user: { id, role }
        }))
      }
    },
    events: {
      signIn: (message) => is<typeof message, EventMessages["signIn"]>(),
      signOut: (message) => is<typeof message, EventMessages["signOut"]>()
    }
  })
)

// Failures: a closed union, and what Config fails with where Config is asked.
type Closed =
  | DuplicateConditionalUi
  | ExperimentalFeatureNotEnabled
  | InvalidConfiguration
  | InvalidEndpoints
  | MissingAdapter
  | MissingAdapterMethods
  | MissingAuthorize
  | MissingSecret
  | MissingWebAuthnAutocomplete
  | UntrustedHost
  | WeakSecret
is<ConfigurationError, Closed>()
failsWith<ConfigurationError>()(everything)
failsWith<ConfigurationError | Config.ConfigError>()(Doorman.layerConfig({ providers }))

// The same with the variables of Config.
requires<HttpClient | Adapter.Adapter | Mailer.Mailer | Invites | Journal>()(
  Doorman.layerConfig({
    providers,
    adapter: Adapter.Adapter,
    mailer: Mailer.Mailer,
    callbacks: { signIn: ({ profile }) => isInvited(profile?.email) },
    events: { signIn: () => Journal }
  })
)

// Everything provided: nothing is left, and a server can be made of it.
const complete: Layer.Layer<Doorman, ConfigurationError> = everything.pipe(
  Layer.provide([
    Adapter.layerMemory,
    Mailer.layerCapture(),
    FetchHttpClient.layer,
    Layer.succeed(Invites, { check: () => Effect.succeed(true) }),
    Layer.succeed(Journal, { write: () => Effect.void }),
    Layer.succeed(Roles, { of: () => Effect.succeed("guest") })
  ])
)
requires<never>()(complete)
HttpRouter.toWebHandler(Http.layer(Access.Default).pipe(Layer.provide(complete)))

// @ts-expect-error services that nobody provides: the message ends with their names
requires<never>()(Doorman.layer(written).pipe(Layer.provide(FetchHttpClient.layer)))
// @ts-expect-error no such option
Doorman.layer({ providers, calbacks: {} })
// @ts-expect-error no such callback: it would never be asked, and everybody would be let in
Doorman.layer({ providers, callbacks: { singIn: () => false, jwt: ({ token }) => token } })
// @ts-expect-error no such event
Doorman.layer({ providers, events: { signedIn: () => undefined, signOut: () => undefined } })
// @ts-expect-error a callback answers what it is asked for
Doorman.layer({ providers, callbacks: { signIn: () => 5 } })
// @ts-expect-error an Effect of a callback answers it too
Doorman.layer({ providers, callbacks: { signIn: () => Effect.succeed(5) } })
// @ts-expect-error parameters are not `any`: a profile is not always there
Doorman.layer({ providers, callbacks: { signIn: ({ profile }) => profile.email !== "" } })
// @ts-expect-error a layer is no adapter: give the service, and the layer to `Layer.provide`
Doorman.layer({ providers, adapter: Adapter.layerMemory })
// @ts-expect-error an Effect of another service is no adapter
Doorman.layer({ providers, adapter: Mailer.Mailer })
// @ts-expect-error a Config is no value: `Layer.unwrap` reads it
Doorman.layer({ providers, secret: Config.Redacted("SESSION_SECRET") })
// @ts-expect-error the same for `layerConfig`
Doorman.layerConfig({ providers, secret: Config.Redacted("SESSION_SECRET") })
// @ts-expect-error providers are required
Doorman.layer({ secret })

// The doorman of a request may be chosen with services of the application; the request and its Scope are there.
const chosen = () =>
  Effect.gen(function* () {
    yield* HttpServerRequest
    yield* Effect.scope
    yield* Journal
    return yield* Effect.fromOption(yield* Effect.serviceOption(Doorman))
  })
requires<HttpRouter.HttpRouter | Journal>()(Http.layer(Access.Default, { doorman: chosen }))
requires<Journal>()(Http.routes(Access.Default, { doorman: chosen }))
// @ts-expect-error a choice that answers no doorman
Http.layer(Access.Default, { doorman: () => Effect.succeed("north") })
requires<Journal>()(Http.layer(Access.Default, { doorman: chosen, mount: false }))
