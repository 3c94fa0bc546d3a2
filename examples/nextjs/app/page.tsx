import { readSession } from "../auth"

export default async function Home() {
  const session = await readSession()
  // Links of the browser, not of the router: the endpoints are no pages of Next.js.
  if (session === null) return <a href="/auth/signin">Sign in</a>
  return (
    <p>
      Signed in as {session.user?.name} <a href="/private">Private page</a> <a href="/auth/signout">Sign out</a>
    </p>
  )
}
