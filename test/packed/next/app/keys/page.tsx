"use client"

import { startAuthentication } from "@simplewebauthn/browser"
import { getCsrfToken, SessionProvider, useSession } from "next-auth/react"
import { signIn } from "next-auth/webauthn"
import { useState } from "react"

/** What the browser offers in the field, without a press of a button: the client of next-auth leaves that to the application. */
const offered = async () => {
  const { options } = await (await fetch("/api/keys/webauthn-options/passkey")).json()
  const data = JSON.stringify(await startAuthentication(options, true))
  const csrfToken = await getCsrfToken()
  const body = new URLSearchParams({ action: "authenticate", data, csrfToken, callbackUrl: "/keys?from=field" })
  location.assign((await fetch("/api/keys/callback/passkey", { method: "POST", body })).url)
}

const Keys = () => {
  const { data, status } = useSession()
  const [email, setEmail] = useState("")
  const [answer, setAnswer] = useState("")
  const tell = async (work: Promise<unknown>) => {
    setAnswer(await work.then(JSON.stringify, (error: unknown) => String(error)))
  }
  return (
    <main>
      <h1>
        {status}: {data?.user.email ?? "nobody"}
      </h1>
      <input
        aria-label="Email"
        autoComplete="username webauthn"
        value={email}
        onChange={(e) => setEmail(e.target.value)}
      />
      <button onClick={() => tell(signIn("passkey", { action: "register", email, redirect: false }))}>Create</button>
      <button onClick={() => tell(signIn("passkey", { action: "register", redirectTo: "/keys?from=more" }))}>
        Add
      </button>
      <button onClick={() => tell(signIn("passkey", { redirectTo: "/keys?from=passkey" }))}>Sign in</button>
      <button onClick={() => tell(offered())}>Offer</button>
      <output>{answer}</output>
    </main>
  )
}

export default function Page() {
  return (
    <SessionProvider basePath="/api/keys">
      <Keys />
    </SessionProvider>
  )
}
