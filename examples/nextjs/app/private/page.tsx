import { redirect } from "next/navigation"
import { readSession } from "../../auth"

export default async function Private() {
  // The proxy has checked the session. A page that shows private data checks it again.
  const session = await readSession()
  if (session === null) redirect("/auth/signin?callbackUrl=/private")
  return <p>Hello {session.user?.name}</p>
}
