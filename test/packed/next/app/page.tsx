import { atProvider, leave, rename } from "@/app/actions"
import { PasswordForm } from "@/app/password"
import { auth } from "@/auth"

export default async function Page() {
  const session = await auth()
  return (
    <main>
      <h1>{session === null ? "Nobody is signed in" : `${session.user.name} is signed in as ${session.user.role}`}</h1>
      <form action={atProvider}>
        <button>Sign in at the provider</button>
      </form>
      <PasswordForm />
      <form action={rename}>
        <button>Rename</button>
      </form>
      <form action={leave}>
        <button>Sign out</button>
      </form>
    </main>
  )
}
