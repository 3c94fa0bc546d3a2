"use client"

import { SessionProvider, signIn, signOut, useSession } from "next-auth/react"
import { useState } from "react"

const Client = () => {
  const { data, status, update } = useSession()
  const [answer, setAnswer] = useState("")
  const withPassword = async (form: FormData) => {
    const result = await signIn("credentials", { redirect: false, ...Object.fromEntries(form) })
    setAnswer(JSON.stringify({ code: result.code, error: result.error, ok: result.ok, status: result.status }))
  }
  return (
    <main>
      <h1>
        {status}: {data?.user.name ?? "nobody"} ({data?.user.role ?? "no role"})
      </h1>
      <button onClick={() => signIn("idp", { redirectTo: "/client?from=idp" })}>Sign in at the provider</button>
      <form action={withPassword}>
        <input name="username" aria-label="Username" />
        <input name="password" aria-label="Password" type="password" />
        <button>Sign in with a password</button>
      </form>
      <output>{answer}</output>
      <button onClick={() => update({ user: { name: "Renamed in the browser" } })}>Rename</button>
      <button onClick={() => signOut({ redirect: false })}>Sign out</button>
      <button onClick={() => signOut({ redirectTo: "/?from=signout" })}>Sign out and leave</button>
    </main>
  )
}

export default function Page() {
  return (
    <SessionProvider>
      <Client />
    </SessionProvider>
  )
}
