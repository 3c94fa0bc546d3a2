import { redirect } from "next/navigation"
import { readSession } from "../../auth"

export default async function Private() {
  // The proxy has looked already. A page that shows something private looks itself all the same.
  const session = await readSession()
  if (session === null) redirect("/auth/signin?callbackUrl=/private")
  return <p>Hello {session.user?.name}</p>
}
