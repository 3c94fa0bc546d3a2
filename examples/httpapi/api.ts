/**
 * The contract of the server and its clients, and a typed client. A client catches the three failures by their
 * tags: not signed in, not allowed, session not readable.
 */
import * as Access from "effect-doorman/Access"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"

/** The user of this application, and the middleware that lets only such users in. */
export class Site extends Access.Service<Site>()("site", {
  user: Schema.Struct({ id: Schema.String, name: Schema.String, role: Schema.Literals(["reader", "editor"]) })
}) {}

const Notes = Schema.Array(Schema.String)

export class Api extends HttpApi.make("notes")
  .add(
    HttpApiGroup.make("front")
      .add(HttpApiEndpoint.get("health", "/health", { success: Schema.String }))
      .annotate(Access.Public, true)
  )
  .add(
    HttpApiGroup.make("notes")
      .add(HttpApiEndpoint.get("list", "/notes", { success: Notes }))
      .add(
        HttpApiEndpoint.post("add", "/notes", {
          payload: Schema.Struct({ text: Schema.String }),
          success: Notes,
          error: Access.NotAllowed
        })
      )
      .middleware(Site.RequireSession)
  ) {}

/** The notes of the user that the token names. In a browser the cookie goes along by itself. */
export const read = (baseUrl: string, token: string) =>
  Effect.gen(function* () {
    const client = yield* HttpApiClient.make(Api, {
      baseUrl,
      transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
    })
    return yield* client.notes.list()
  }).pipe(Effect.catchTag("NotSignedIn", () => Effect.succeed(["Sign in to see the notes"])))
