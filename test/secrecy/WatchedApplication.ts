/**
 * An application that uses sessions in every way there is: an `HttpApi`, procedures, and routes that run the programs of the
 * library.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import * as Schema from "effect/Schema"
import { asUserId } from "../../src/models/Id.ts"
import * as Access from "../../src/Access.ts"
import * as Http from "../../src/Http.ts"
import * as Sessions from "../../src/Sessions.ts"
import { UserId } from "../../src/Models.ts"
import * as Sinks from "./Sinks.ts"
import type { Texts } from "./WatchedSite.ts"

const Who = Schema.Struct({ name: Schema.NullOr(Schema.String), email: Schema.NullOr(Schema.String) })

class Api extends HttpApi.make("api").add(
  HttpApiGroup.make("me")
    .add(HttpApiEndpoint.get("who", "/api/me", { success: Who }))
    .middleware(Access.Default.RequireSession)
) {}

class Procedures extends RpcGroup.make(Rpc.make("who", { success: Who })).middleware(Access.Default.RequireSession) {}

const who = Effect.map(Access.Default.CurrentUser, ({ email, name }) => ({ email, name }))

/** Calls of an application about sessions. A failure is looked at, and goes on to fail as the application lets it. */
const programs = (id: string, { email, name, note }: Texts, sinks: Sinks.Sinks) => {
  const heard = <A, E, R>(program: Effect.Effect<A, E, R>) =>
    Effect.onExit(program, (exit) =>
      Effect.sync(() => {
        if (Exit.isFailure(exit)) sinks.say("failure", ...Sinks.renderings(exit.cause))
      })
    )
  const answered = Effect.as(HttpServerResponse.text("done"))
  return Layer.mergeAll(
    HttpRouter.add(
      "GET",
      "/app/me",
      heard(Effect.flatMap(Http.requireSession(Access.Default), ({ user }) => HttpServerResponse.json(user)))
    ),
    HttpRouter.add("POST", "/app/sign-in", answered(heard(Http.signIn({ id: asUserId(id), name, email })))),
    HttpRouter.add("POST", "/app/sign-out", answered(heard(Http.signOut))),
    HttpRouter.add("POST", "/app/update", answered(heard(Http.updateSession(Access.Default, { note, name })))),
    HttpRouter.add("GET", "/app/sessions", answered(heard(Sessions.list(UserId.make(id))))),
    HttpRouter.add(
      "POST",
      "/app/revoke",
      answered(
        heard(
          Effect.gen(function* () {
            const [first] = yield* Sessions.list(UserId.make(id))
            if (first !== undefined) yield* Sessions.revoke(UserId.make(id), first.id)
            yield* Http.revokeOtherSessions
            yield* Sessions.revokeAll(UserId.make(id))
          })
        )
      )
    )
  )
}

const Handlers = HttpApiBuilder.group(Api, "me", (handlers) => handlers.handle("who", () => who))

/** The application: endpoints, procedures and routes. */
export const layerOf = (id: string, texts: Texts, sinks: Sinks.Sinks) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(Api).pipe(Layer.provide(Handlers)),
    RpcServer.layerHttp({ group: Procedures, path: "/rpc", protocol: "http" }).pipe(
      Layer.provide(Procedures.toLayer({ who: () => who })),
      Layer.provide(Http.layer(Access.Default, { mount: false })),
      Layer.provide(RpcSerialization.layerJson)
    ),
    programs(id, texts, sinks)
  )
