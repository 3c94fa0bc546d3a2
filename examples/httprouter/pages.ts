/**
 * The pages: one for every visitor, and one where users see the devices on which they are signed in, end those sessions, and
 * sign out. A form of another site is refused, because `Http.routes(Access.Default)` is in front.
 */
import * as Access from "effect-doorman/Access"
import * as Http from "effect-doorman/Http"
import * as Sessions from "effect-doorman/Sessions"
import { SessionId } from "effect-doorman/Models"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (title: string, body: string) =>
  HttpServerResponse.html(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}`)

const button = (action: string, label: string): string =>
  `<form method="post" action="${escaped(action)}"><button>${label}</button></form>`

export const home = Effect.gen(function* () {
  const session = yield* Http.session(Access.Default)
  const name = Option.match(session, { onNone: () => "", onSome: ({ user }) => ` ${user.name ?? "stranger"}` })
  const response = page("Home", `<p>Hello${escaped(name)}</p><p><a href="/devices">My devices</a></p>`)
  return HttpServerResponse.setHeader(response, "cache-control", "private, no-store")
})

export const devices = Effect.gen(function* () {
  const { id: here, user, userId } = yield* Access.Default.CurrentSession
  const sessions = yield* Sessions.list(userId)
  const items = sessions.map(({ expires, id }) => {
    const until = `until ${DateTime.formatIsoDateUtc(expires)}`
    return `<li>${id === here ? `This device, ${until}` : `${until} ${button(`/devices/${id}`, "End")}`}</li>`
  })
  return page(
    "My devices",
    `<p>Signed in as ${escaped(user.name ?? "stranger")}</p><ul>${items.join("")}</ul>${button("/leave", "Sign out")}`
  )
})

const decodeSessionId = Schema.decodeUnknownOption(SessionId)

export const end = Effect.gen(function* () {
  const { userId } = yield* Access.Default.CurrentSession
  const id = decodeSessionId((yield* HttpRouter.params)["id"])
  // Only sessions of this user: the id of another user's session ends nothing.
  if (Option.isSome(id)) yield* Sessions.revoke(userId, id.value)
  return HttpServerResponse.redirect("/devices", { status: 303 })
})

const leave = Effect.as(Http.signOut, HttpServerResponse.redirect("/", { status: 303 }))

export const Pages = Layer.mergeAll(
  HttpRouter.add("GET", "/", home),
  Layer.mergeAll(
    HttpRouter.add("GET", "/devices", devices),
    HttpRouter.add("POST", "/devices/:id", end),
    HttpRouter.add("POST", "/leave", leave)
  ).pipe(Layer.provide(Http.routes(Access.Default))),
  Http.layer(Access.Default)
)
