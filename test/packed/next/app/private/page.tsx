import { auth } from "@/auth"

export default async function Private() {
  const session = await auth()
  return <h1>Private page of {session?.user.name}</h1>
}
