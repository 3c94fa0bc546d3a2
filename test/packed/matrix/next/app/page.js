import { headers } from "next/headers"
import { auth } from "../auth.js"

/** A server component that knows its visitor. */
export default async function Page() {
  const session = await auth.getSession(new Request("http://localhost/", { headers: await headers() }))
  return <main>{session === null ? "signed out" : `signed in as ${session.user?.email}`}</main>
}
