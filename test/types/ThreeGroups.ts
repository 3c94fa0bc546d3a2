/**
 * An application of three groups, as the documentation builds one. `npm run census` compiles it as it is and without sign-in. It
 * leaves out the lines that end in `sign-in`, and the paragraphs below such a line. Nothing runs the application.
 */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Access from "effect-doorman/Access" // sign-in
import * as Adapter from "effect-doorman/Adapter" // sign-in
import { Doorman } from "effect-doorman/Doorman" // sign-in
import * as Errors from "effect-doorman/Errors" // sign-in
import * as Http from "effect-doorman/Http" // sign-in
import { Credentials } from "effect-doorman/Provider/Credentials" // sign-in
import { Email } from "effect-doorman/Provider/Email" // sign-in
import { GitHub } from "effect-doorman/Provider/GitHub" // sign-in
import { Google } from "effect-doorman/Provider/Google" // sign-in
import { Passkey } from "effect-doorman/Provider/Passkey" // sign-in
import * as ProviderTokens from "effect-doorman/ProviderTokens" // sign-in
import * as Sessions from "effect-doorman/Sessions" // sign-in
import * as Sql from "effect-doorman/Sql" // sign-in
import * as Sqlite from "effect-doorman/sql/Sqlite" // sign-in
import * as SecureRandom from "effect/crypto/SecureRandom" // sign-in
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient" // sign-in
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

const Role = Schema.Literals(["reader", "editor"]) // sign-in
const User = Schema.Struct({ id: Schema.String, name: Schema.String, role: Role }) // sign-in
class Site extends Access.Service<Site>()("site", { user: User }) {} // sign-in

const Texts = Schema.Array(Schema.String)
const Notes = HttpApiGroup.make("notes")
  .add(HttpApiEndpoint.get("list", "/notes", { success: Texts }))
  .add(
    HttpApiEndpoint.post("add", "/notes", {
      error: Access.NotAllowed, // sign-in
      payload: Schema.Struct({ text: Schema.String }),
      success: Texts
    })
  )
  .middleware(Site.RequireSession) // sign-in

const Front = HttpApiGroup.make("front")
  .add(HttpApiEndpoint.get("health", "/health", { success: Schema.String }))
  .add(HttpApiEndpoint.get("greet", "/greeting", { success: Schema.String }))
  .middleware(Site.OptionalSession) // sign-in

const Devices = HttpApiGroup.make("devices")
  .add(
    HttpApiEndpoint.get("list", "/devices", {
      error: Errors.SessionError.members, // sign-in
      success: Texts
    })
  )
  .add(
    HttpApiEndpoint.post("leave", "/devices/leave", {
      error: [Errors.MalformedRequest, Errors.SignOutError], // sign-in
      success: Schema.String
    })
  )
  .middleware(Site.RequireAssurance({ maxAge: "10 minutes" })) // sign-in

class Api extends HttpApi.make("api").add(Notes).add(Front).add(Devices) {}

const NotesLive = HttpApiBuilder.group(Api, "notes", (handlers) =>
  handlers
    .handle("list", () => Effect.succeed(["a note"]))
    .handle("add", ({ payload }) =>
      Effect.gen(function* () {
        yield* Site.allow(({ role }) => role === "editor") // sign-in
        return [payload.text]
      })
    )
)

const FrontLive = HttpApiBuilder.group(Api, "front", (handlers) =>
  handlers
    .handle("health", () => Effect.succeed("fine"))
    .handle("greet", () =>
      Effect.gen(function* () {
        const session = yield* Site.MaybeSession // sign-in
        if (session._tag === "Some") return `Hello ${session.value.user.name}` // sign-in
        return "Hello"
      })
    )
)

const DevicesLive = HttpApiBuilder.group(Api, "devices", (handlers) =>
  handlers
    .handle("list", () =>
      Effect.gen(function* () {
        const { userId } = yield* Site.CurrentSession // sign-in
        const sessions = yield* Sessions.list(userId) // sign-in
        if (sessions.length > 0) return sessions.map(({ id }) => id) // sign-in
        return ["this one"]
      })
    )
    .handle("leave", () =>
      Effect.gen(function* () {
        yield* Http.signOut // sign-in
        return "left"
      })
    )
)

const Home = HttpRouter.add(
  "GET",
  "/",
  Effect.gen(function* () {
    const { id } = yield* Site.CurrentUser // sign-in
    const { userId } = yield* Site.CurrentSession // sign-in
    const { scopes } = yield* ProviderTokens.get({ userId, provider: "github" }) // sign-in
    if (scopes.length > 0) return HttpServerResponse.text(id) // sign-in
    return HttpServerResponse.text("Hello")
  })
).pipe(
  Layer.provide(Http.routes(Site)) // sign-in
)

// sign-in
const Storage = Sql.layer({ hashTokens: true }).pipe(
  Layer.provide([Sqlite.layer({ filename: "users.db" }), SecureRandom.layerWebCrypto])
)

// sign-in
const DoormanLayer = Doorman.layerConfig({
  providers: [
    GitHub,
    Google({ authorization: { params: { prompt: "consent" } } }),
    Email({ from: "no-reply@example.com" }),
    Passkey(),
    Credentials({
      credentials: {
        username: { label: "User name", type: "text", required: true },
        password: { label: "Password", type: "password", redacted: true }
      },
      authorize: ({ password, username }) => (password !== undefined && username === "ada" ? { id: "1" } : null)
    })
  ],
  adapter: Adapter.Adapter,
  session: { strategy: "jwt", maxAge: "8 hours" },
  experimental: { enableWebAuthn: true },
  events: { signIn: ({ user }) => Effect.log(user.id) },
  callbacks: Site.callbacks({
    session: ({ session: { user, ...session } }) => ({ ...session, user: { name: user?.name ?? "", role: "reader" } })
  })
}).pipe(Layer.provideMerge(Storage))

const App = Layer.merge(HttpApiBuilder.layer(Api).pipe(Layer.provide([NotesLive, FrontLive, DevicesLive])), Home).pipe(
  HttpRouter.provideRequest(DoormanLayer), // sign-in
  Layer.provide(Http.layer(Site)), // sign-in
  Layer.provide(DoormanLayer), // sign-in
  Layer.provide(FetchHttpClient.layer) // sign-in
)

HttpRouter.serve(App).pipe(
  Layer.provide(NodeHttpServer.layer(createServer, { port: 3000, host: "127.0.0.1" })),
  Layer.launch,
  NodeRuntime.runMain
)

export const notes = HttpApiClient.make(Api).pipe(
  Effect.flatMap((client) => client.notes.list()),
  Effect.catchTag("NotSignedIn", () => Effect.succeed([])) // sign-in
)
