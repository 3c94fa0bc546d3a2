/** An application as tests of the test kit have it: a few pages of an `HttpApi`, and every way to sign in. */
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Adapter from "../../src/Adapter.ts"
import { Doorman } from "../../src/Doorman.ts"
import type { Options } from "../../src/config/Settings.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import * as Mailer from "../../src/Mailer.ts"
import { Credentials } from "../../src/Provider/Credentials.ts"
import { Email } from "../../src/Provider/Email.ts"
import * as Testing from "../../src/Testing.ts"
import { forLayer } from "../ForLayer.ts"

export class Api extends HttpApi.make("api")
  .add(
    HttpApiGroup.make("mine")
      .add(HttpApiEndpoint.get("who", "/me", { success: Schema.Array(Schema.NullOr(Schema.String)) }))
      .middleware(Access.Default.RequireSession)
  )
  .add(
    HttpApiGroup.make("front")
      .add(HttpApiEndpoint.get("greet", "/greeting", { success: Schema.String }))
      .middleware(Access.Default.OptionalSession)
  ) {}

export const greet = Effect.map(
  Access.Default.MaybeSession,
  Option.match({ onNone: () => "Hello", onSome: ({ user }) => `Hello ${user.name ?? "somebody"}` })
)

const Handlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "mine", (handlers) =>
    handlers.handle("who", () => Effect.map(Access.Default.CurrentUser, ({ email, id, name }) => [id, name, email]))
  ),
  HttpApiBuilder.group(Api, "front", (handlers) => handlers.handle("greet", () => greet))
)

/** The site of a doorman: its own user is `["id", "name", "email"]` at `/me`. */
export const site = <E, R>(doorman: Layer.Layer<Doorman, E, R>) =>
  HttpApiBuilder.layer(Api).pipe(
    Layer.provide(Handlers),
    Layer.provide(Http.layer(Access.Default)),
    Layer.provide([doorman, HttpServer.layerServices])
  )

const idp = Testing.IdentityProvider.make()

const password = Credentials({
  credentials: { name: {}, password: { type: "password", redacted: true } },
  authorize: ({ name, password }) =>
    password !== undefined && Redacted.value(password) === "open sesame" ? { id: `user ${name}`, name } : null
})

export const options = { providers: [idp.provider(), password], secret: Testing.secret, origin: Testing.siteOrigin }

/** With tokens. */
export const doorman = (
  more: Pick<Partial<Options>, "basePath" | "callbacks" | "cookies" | "jwt" | "useSecureCookies"> & {
    readonly origin?: string
  } = {}
) => Doorman.layer(forLayer({ ...options, ...more }))

/** With users and sessions in a store of its own for each build, and with sign-in by mail. */
export const stored = Doorman.layer(
  forLayer({ ...options, providers: [...options.providers, Email()], adapter: Adapter.Adapter, mailer: Mailer.Mailer })
).pipe(Layer.provideMerge(Adapter.layerMemory))
