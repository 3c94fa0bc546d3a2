import { redirect, type Handle } from "@sveltejs/kit"
import { sequence } from "@sveltejs/kit/hooks"
import { handle as authentication } from "./auth"

const guard: Handle = async ({ event, resolve }) => {
  if (event.url.pathname.startsWith("/private") && (await event.locals.auth()) === null) redirect(303, "/auth/signin")
  return resolve(event)
}

export const handle: Handle = sequence(authentication, guard)
