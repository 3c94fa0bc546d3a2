/** The application where there is nothing of Node: a listener of requests. */
import { auth, me } from "./auth.js"

addEventListener("fetch", (event) =>
  event.respondWith(
    new URL(event.request.url).pathname.startsWith("/auth") ? auth.handler(event.request) : me(event.request)
  )
)
